//! A response, before the server sends it.

use bytes::Bytes;
use futures_util::stream::BoxStream;
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};

/// Plain JSON.
pub(crate) const JSON: &str = "application/json";
/// One JSON value on each line.
pub(crate) const JSON_LINES: &str = "application/jsonl";
/// Problem details (RFC 9457).
pub(crate) const PROBLEM: &str = "application/problem+json";
/// A page for people.
pub(crate) const HTML: &str = "text/html; charset=utf-8";

/// What is sent back.
#[derive(Debug)]
pub struct Response {
    /// How it went.
    pub status: StatusCode,
    /// The headers, without those about the connection.
    pub headers: HeaderMap,
    /// The body.
    pub body: Body,
}

/// The body of a response.
pub enum Body {
    /// All of it.
    Whole(Bytes),
    /// Lines of JSON, each read from the store when the client has taken the one before.
    Lines(BoxStream<'static, Bytes>),
    /// Small events, for as long as the client listens.
    Events(BoxStream<'static, Bytes>),
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(bytes) => write!(f, "Whole({} bytes)", bytes.len()),
            Self::Lines(_) => f.write_str("Lines"),
            Self::Events(_) => f.write_str("Events"),
        }
    }
}

/// The bytes without the room to grow that their buffer has. The server counts the bytes of an answer until it is sent, and a
/// buffer may be twice as large.
pub(crate) fn pack(buffer: Vec<u8>) -> Bytes {
    buffer.into_boxed_slice().into()
}

impl Response {
    /// A response with a body of a type. Answers hold data of the caller, so nobody on the way keeps them.
    pub(crate) fn new(status: StatusCode, content_type: &'static str, body: Vec<u8>) -> Self {
        Self::with_body(status, content_type, Body::Whole(pack(body)))
    }

    /// A response whose body is sent to others, too.
    pub(crate) fn shared(status: StatusCode, content_type: &'static str, body: Bytes) -> Self {
        Self::with_body(status, content_type, Body::Whole(body))
    }

    /// A response that is written line by line.
    pub(crate) fn lines(lines: BoxStream<'static, Bytes>) -> Self {
        Self::with_body(StatusCode::OK, JSON_LINES, Body::Lines(lines))
    }

    fn with_body(status: StatusCode, content_type: &'static str, body: Body) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Self {
            status,
            headers,
            body,
        }
    }

    /// A response without a body.
    pub(crate) fn empty(status: StatusCode) -> Self {
        Self {
            status,
            headers: HeaderMap::new(),
            body: Body::Whole(Bytes::new()),
        }
    }

    /// The response with a header; one that cannot be sent as a header is left out.
    pub(crate) fn with_header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.insert(name, value);
        }
        self
    }
}
