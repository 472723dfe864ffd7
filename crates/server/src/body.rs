//! Reading a body, within limits that hold while it arrives.

mod budget;

pub(crate) use budget::{Budget, Share};

use crate::connection::{Phase, Watch};
use crate::refusal::Refusal;
use crate::shared::Shared;
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use hyper::header::{CONTENT_ENCODING, HeaderMap};

/// A body as it was sent, and its share of the memory for bodies.
pub(crate) struct Received<'a> {
    pub(crate) bytes: Bytes,
    pub(crate) share: Share<'a>,
}

/// Reads the body. Memory for it is set aside before its first byte is read; the client's time begins
/// after that.
pub(crate) async fn read<'a>(
    mut body: Incoming,
    headers: &HeaderMap,
    shared: &'a Shared,
    watch: &Watch,
) -> Result<Received<'a>, Refusal> {
    let declared = body.size_hint().exact();
    let limit = shared.limits.body_bytes;
    if declared.is_some_and(|declared| declared > limit as u64) {
        watch.enter(Phase::Body);
        discard(body, limit).await;
        return Err(Refusal::TooLarge { limit });
    }
    let needed = needed(declared, headers, limit);
    let share = shared.budget.admit(needed).await?;
    watch.enter(Phase::Body);
    match collect(&mut body, limit).await {
        Ok(bytes) => Ok(Received { bytes, share }),
        Err(refusal) => {
            if matches!(refusal, Refusal::TooLarge { .. }) {
                discard(body, limit).await;
            }
            Err(refusal)
        }
    }
}

/// A body of unknown length, or one that unpacks to an unknown length, may become as long as the limit.
/// Setting that aside at once, and not as it grows, keeps two requests from waiting for each other.
fn needed(declared: Option<u64>, headers: &HeaderMap, limit: usize) -> usize {
    let declared = declared.and_then(|declared| usize::try_from(declared).ok());
    match declared {
        Some(declared) if !headers.contains_key(CONTENT_ENCODING) => declared,
        Some(_) | None => limit,
    }
}

async fn collect(body: &mut Incoming, limit: usize) -> Result<Bytes, Refusal> {
    // Most bodies come as one piece, which is taken as it is.
    let Some(first) = piece(body).await? else {
        return Ok(Bytes::new());
    };
    if first.len() > limit {
        return Err(Refusal::TooLarge { limit });
    }
    if body.is_end_stream() {
        return Ok(first);
    }
    let mut whole = BytesMut::with_capacity(capacity(first.len(), body, limit));
    whole.extend_from_slice(&first);
    while let Some(next) = piece(body).await? {
        if whole.len() + next.len() > limit {
            return Err(Refusal::TooLarge { limit });
        }
        whole.extend_from_slice(&next);
    }
    Ok(whole.freeze())
}

fn capacity(first: usize, body: &Incoming, limit: usize) -> usize {
    let rest = usize::try_from(body.size_hint().lower()).unwrap_or(limit);
    first.saturating_add(rest).min(limit)
}

/// The next piece of data; trailers are passed over.
async fn piece(body: &mut Incoming) -> Result<Option<Bytes>, Refusal> {
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Refusal::Disconnected)?;
        if let Ok(data) = frame.into_data() {
            return Ok(Some(data));
        }
    }
    Ok(None)
}

/// Reads on for a while and keeps nothing. A client that is still sending when the connection is closed
/// would see a reset instead of the answer.
async fn discard(mut body: Incoming, limit: usize) {
    let mut left = limit.saturating_mul(2);
    while let Ok(Some(data)) = piece(&mut body).await {
        match left.checked_sub(data.len()) {
            Some(rest) => left = rest,
            None => return,
        }
    }
}
