//! Answers, and the headers that all of them have.

use crate::coding::{self, Coding};
use crate::connection::Watch;
use crate::memory::{Share, UNCOUNTED};
use crate::origin::Cors;
use crate::refusal::Refusal;
use crate::request_id::RequestId;
use crate::shared::Shared;
use bytes::{BufMut, Bytes, BytesMut};
use http_body_util::Full;
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName,
    HeaderValue, LOCATION, SERVER as SERVER_NAME, VARY, WWW_AUTHENTICATE,
};
use hyper::{Response, StatusCode};
use std::io::Write;

/// The header `Server`.
pub(crate) const SERVER: &str = "monotable";
/// The type of DynamoDB's bodies.
pub(crate) const AMZ_JSON: &str = "application/x-amz-json-1.0";
/// The type of answers to those who ask with it.
pub(crate) const JSON: &str = "application/json";
/// The type of pages.
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";
/// The type that Prometheus asks for.
pub(crate) const PROMETHEUS: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Asks whoever is not known for a name and a password.
const CHALLENGE: &str = "Basic realm=\"monotable\"";

const REQUEST_ID: HeaderName = HeaderName::from_static("x-amzn-requestid");
const CRC32: HeaderName = HeaderName::from_static("x-amz-crc32");

/// An answer before it is packed and gets its headers.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) content_type: &'static str,
    pub(crate) body: Vec<u8>,
    /// The methods, for those who used another or asked.
    pub(crate) allow: Option<&'static str>,
    /// Where the client finds what it asked for.
    pub(crate) location: Option<&'static str>,
    /// The memory that was set aside for it.
    pub(crate) share: Option<Share>,
    /// The rest of the request is not read.
    closes: bool,
}

impl Answer {
    pub(crate) const fn new(status: StatusCode, content_type: &'static str, body: Vec<u8>) -> Self {
        Self {
            status,
            content_type,
            body,
            allow: None,
            location: None,
            share: None,
            closes: false,
        }
    }

    pub(crate) fn refusing(refusal: &Refusal, content_type: &'static str) -> Self {
        let body = refusal.body().into_owned();
        let mut answer = Self::new(refusal.status(), content_type, body);
        if let Refusal::NoSuchMethod { allowed } = refusal {
            answer.allow = Some(allowed);
        }
        answer.closes = matches!(refusal, Refusal::TooSlow);
        answer
    }

    /// Packs the body if the client wishes, and puts on the headers.
    pub(crate) async fn finish(
        self,
        shared: &Shared,
        watch: &Watch,
        id: RequestId,
        accepted: Option<Coding>,
        cors: Option<Cors>,
    ) -> Response<Full<Bytes>> {
        let Self {
            status,
            content_type,
            body,
            allow,
            location,
            share,
            closes,
        } = self;
        let (body, packed) = coding::pack(accepted, body).await;
        let mut headers = HeaderMap::with_capacity(8);
        identify(&mut headers, id, &body);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(SERVER_NAME, HeaderValue::from_static(SERVER));
        if let Some(coding) = packed {
            headers.insert(CONTENT_ENCODING, coding.header());
            headers.append(VARY, HeaderValue::from_static("accept-encoding"));
        }
        if let Some(allow) = allow {
            headers.insert(ALLOW, HeaderValue::from_static(allow));
        }
        if let Some(location) = location {
            headers.insert(LOCATION, HeaderValue::from_static(location));
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static(CHALLENGE));
        }
        if content_type == TEXT || content_type == PROMETHEUS {
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        if closes {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        if let Some(cors) = cors {
            cors.put_on(&mut headers);
        }
        if body.len() > UNCOUNTED {
            watch.hold(body.len());
        }
        let mut response = Response::new(Full::new(shared.memory.hold(body, share)));
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        response
    }
}

/// The request's id and the checksum of the body as it is sent, both cut from one allocation.
fn identify(headers: &mut HeaderMap, id: RequestId, body: &[u8]) {
    let mut text = BytesMut::with_capacity(64);
    text.put_slice(id.as_bytes());
    let id = text.split();
    // Writing to memory does not fail.
    drop(write!((&mut text).writer(), "{}", crc32fast::hash(body)));
    for (name, value) in [(REQUEST_ID, id), (CRC32, text)] {
        if let Ok(value) = HeaderValue::from_maybe_shared(value.freeze()) {
            headers.insert(name, value);
        }
    }
}
