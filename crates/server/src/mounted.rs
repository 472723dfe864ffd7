//! A request for what is mounted beside DynamoDB's protocol.

use crate::body::{self, Received};
use crate::coding::{self, Coding};
use crate::connection::{Phase, Watch};
use crate::exchange::Record;
use crate::memory::{Share, UNCOUNTED};
use crate::mount::{
    AnswerBody, AnswerForecast, Mount, MountBody, MountRequest, Screening, send_pieces,
};
use crate::origin::Cors;
use crate::panics::{Panicked, catching};
use crate::refusal::Refusal;
use crate::route::Route;
use crate::shared::Shared;
use bytes::Bytes;
use http_body_util::{Either, Full};
use hyper::body::Incoming;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_EXPOSE_HEADERS, CONTENT_ENCODING, HeaderValue,
    SERVER, VARY,
};
use hyper::{Method, Request, Response, StatusCode};
use std::sync::Arc;

/// What a page of an allowed origin may send.
const METHODS: &str = "GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE";
/// What it wants to read besides the body.
const EXPOSED: &str = "etag, location, retry-after, x-amzn-requestid, date";

/// What is set aside for an answer of one row: an item of DynamoDB, which has up to 400 KB, as it is read, as a row, and as JSON in a
/// buffer that doubles while it grows. What were set aside for a page would let few callers write at a time.
const ROW: usize = 2560 << 10;
/// What is set aside for any other answer: a page of DynamoDB, which has up to 1.4 MB, as it is read, as rows, and as JSON in a buffer
/// that doubles while it grows. Longer answers are counted when they are made; an answer in pieces keeps it until it ends, because
/// each piece is a page.
const PAGE: usize = 8 << 20;

/// Answers a request by what is mounted, and says why if the server itself refused it.
pub(crate) async fn answer(
    shared: &Shared,
    mount: &Arc<dyn Mount>,
    watch: &Watch,
    request: Request<Incoming>,
    record: &mut Record,
) -> (Response<AnswerBody>, Option<Refusal>) {
    let accepted = coding::accepted(request.headers());
    let mut cors = None;
    let worked = catching(decide(shared, mount, watch, request, record, &mut cors)).await;
    let outcome = worked.unwrap_or_else(|Panicked| Err(Refusal::Panicked));
    let ((answer, share), refusal) = match outcome {
        Ok(answer) => (answer, None),
        Err(refusal) => {
            let status = match refusal {
                // HTTP has a status of its own for what DynamoDB calls throttling.
                Refusal::Busy => StatusCode::SERVICE_UNAVAILABLE,
                _ => refusal.status(),
            };
            let answer = mount.refuse(status, &refusal.message());
            ((answer, None), Some(refusal))
        }
    };
    let dressing = Dressing {
        accepted,
        cors,
        share,
    };
    (dressing.put_on(shared, watch, answer).await, refusal)
}

async fn decide(
    shared: &Shared,
    mount: &Arc<dyn Mount>,
    watch: &Watch,
    request: Request<Incoming>,
    record: &mut Record,
    cors: &mut Option<Cors>,
) -> Result<(Response<MountBody>, Option<Share>), Refusal> {
    let is_preflight = request.method() == Method::OPTIONS;
    let route = if is_preflight {
        Route::Options
    } else {
        Route::Mounted
    };
    // Keys of DynamoDB's protocol prove nothing here, so the host is always looked at.
    *cors = shared.gatekeeper.admit(route, request.headers(), false)?;
    if is_preflight && cors.is_some() {
        // A browser asks without the proofs that the request itself will have.
        let mut answer = Response::new(MountBody::Whole(Bytes::new()));
        *answer.status_mut() = StatusCode::NO_CONTENT;
        return Ok((answer, None));
    }
    let (parts, incoming) = request.into_parts();
    if body::may_be_large(&incoming)
        && let Screening::Refused(answer) = mount.screen(&parts, record.peer).await
    {
        body::discard(incoming, &parts.headers, shared, watch).await;
        return Ok((answer, None));
    }
    let received = body::read(incoming, &parts.headers, shared, watch).await?;
    watch.enter(Phase::Work);
    record.bytes_in = received.bytes.len();
    let Received { bytes: body, share } = body::unpack(received, &parts.headers, shared).await?;
    let peer = record.peer;
    let expected = match mount.forecast(&parts) {
        AnswerForecast::Row => ROW,
        AnswerForecast::Page => PAGE,
    };
    // How large a row is shows when it is read. What is kept for small answers is not for it.
    let answer_share = shared.set_aside_large(expected).await?;
    let may_take_long = mount.may_take_long(&parts);
    let request = MountRequest { parts, body, peer };
    let answer = if may_take_long {
        let mount = Arc::clone(mount);
        let answering = async move { mount.answer(request).await };
        shared.aside.work(answering).await?
    } else {
        mount.answer(request).await
    };
    // The memory of the request is free from here on.
    drop(share);
    Ok((answer, answer_share))
}

/// What the server adds to an answer of a mount.
struct Dressing {
    accepted: Option<Coding>,
    cors: Option<Cors>,
    share: Option<Share>,
}

impl Dressing {
    /// Packs a whole body if the client wishes, counts it until it is sent, and puts on the headers that all answers have.
    async fn put_on(
        self,
        shared: &Shared,
        watch: &Watch,
        answer: Response<MountBody>,
    ) -> Response<AnswerBody> {
        let (mut parts, body) = answer.into_parts();
        let headers = &mut parts.headers;
        headers.insert(SERVER, HeaderValue::from_static(crate::answer::SERVER));
        if let Some(cors) = self.cors {
            cors.put_on(headers);
            if headers.contains_key(ACCESS_CONTROL_ALLOW_METHODS) {
                headers.insert(
                    ACCESS_CONTROL_ALLOW_METHODS,
                    HeaderValue::from_static(METHODS),
                );
            }
            headers.insert(
                ACCESS_CONTROL_EXPOSE_HEADERS,
                HeaderValue::from_static(EXPOSED),
            );
        }
        let body = match body {
            MountBody::Whole(bytes) => {
                let (bytes, packed) = coding::pack(self.accepted, bytes.into()).await;
                if let Some(coding) = packed {
                    headers.insert(CONTENT_ENCODING, coding.header());
                    headers.append(VARY, HeaderValue::from_static("accept-encoding"));
                }
                if bytes.len() > UNCOUNTED {
                    watch.hold(bytes.len());
                }
                Either::Left(Full::new(shared.memory.hold(bytes, self.share)))
            }
            MountBody::Pieces(pieces) => {
                watch.hold(PAGE);
                send_pieces(pieces, self.share)
            }
            MountBody::Events(events) => send_pieces(events, None),
        };
        Response::from_parts(parts, body)
    }
}
