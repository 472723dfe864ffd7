//! Reading a body, within limits that hold while it arrives.

use crate::coding;
use crate::connection::{Order, Phase, Watch};
use crate::memory::{Pool, Share, UNCOUNTED};
use crate::refusal::Refusal;
use crate::shared::Shared;
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use hyper::header::{CONTENT_ENCODING, EXPECT, HeaderMap};
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

/// A body takes so much more than its own length while it is decoded.
const DECODING: usize = 2;

/// What a small packed body usually unpacks to, at most.
const USUAL_UNPACKED: usize = 128 << 10;

/// For how long the rest of a body is read whose answer is known already.
const DISCARDING: Duration = Duration::from_secs(2);

/// A body as it was sent, and its share of the memory for bodies.
pub(crate) struct Received {
    pub(crate) bytes: Bytes,
    /// None for a small one.
    pub(crate) share: Option<Share>,
}

/// Reads the body. The first bytes of one are read without memory of its own, as the head is: a client that sends next
/// to nothing takes nothing from others. Then memory for all of it is set aside before more is read.
pub(crate) async fn read(
    mut body: Incoming,
    headers: &HeaderMap,
    shared: &Shared,
    watch: &Watch,
) -> Result<Received, Refusal> {
    let declared = body.size_hint().exact();
    let limit = shared.limits.body_bytes;
    if declared.is_some_and(|declared| declared > limit as u64) {
        discard(body, headers, shared, watch).await;
        return Err(Refusal::TooLarge { limit });
    }
    watch.enter(Phase::Body);
    let needed = needed(declared, headers, limit);
    let mut collecting = Collecting {
        shared,
        watch,
        limit,
        needed,
        share: None,
    };
    let collected = collecting.collect(&mut body).await;
    watch.hold(0);
    match collected {
        Ok(bytes) => Ok(Received {
            bytes,
            share: collecting.share,
        }),
        Err(refusal) => {
            drop(collecting);
            if matches!(refusal, Refusal::TooLarge { .. } | Refusal::Busy) {
                discard(body, headers, shared, watch).await;
            }
            Err(refusal)
        }
    }
}

/// Whether a body may need memory of its own.
pub(crate) fn may_be_large(body: &Incoming) -> bool {
    let declared = body.size_hint().exact();
    declared.is_none_or(|declared| declared > UNCOUNTED as u64)
}

/// What a body needs. One of unknown length, or one that unpacks to an unknown length, may become as long as the
/// limit. Setting that aside at once, and not as it grows, keeps two requests from waiting for each other.
fn needed(declared: Option<u64>, headers: &HeaderMap, limit: usize) -> usize {
    let declared = declared.and_then(|declared| usize::try_from(declared).ok());
    let length = declared.unwrap_or(limit);
    if headers.contains_key(CONTENT_ENCODING) {
        return length + DECODING * limit;
    }
    DECODING * length
}

struct Collecting<'a> {
    shared: &'a Shared,
    watch: &'a Watch,
    limit: usize,
    /// The memory that the whole body needs.
    needed: usize,
    share: Option<Share>,
}

impl Collecting<'_> {
    async fn collect(&mut self, body: &mut Incoming) -> Result<Bytes, Refusal> {
        // Most bodies come as one piece, which is taken as it is.
        let Some(first) = self.piece(body).await? else {
            return Ok(Bytes::new());
        };
        self.make_room(first.len()).await?;
        if body.is_end_stream() {
            return Ok(first);
        }
        let mut whole = BytesMut::with_capacity(self.capacity(first.len(), body));
        whole.extend_from_slice(&first);
        drop(first);
        while let Some(next) = self.piece(body).await? {
            self.make_room(whole.len() + next.len()).await?;
            whole.extend_from_slice(&next);
        }
        Ok(whole.freeze())
    }

    /// Sets memory aside for the whole body when this many bytes of it have come.
    async fn make_room(&mut self, length: usize) -> Result<(), Refusal> {
        let limit = self.limit;
        if length > limit {
            return Err(Refusal::TooLarge { limit });
        }
        if self.share.is_some() || length <= UNCOUNTED {
            return Ok(());
        }
        let (shared, watch) = (self.shared, self.watch);
        // The client has nothing to do while it waits.
        watch.enter(Phase::Work);
        let share = admit(shared, self.needed).await?;
        watch.enter(Phase::Body);
        watch.hold(share.bytes());
        self.share = Some(share);
        Ok(())
    }

    /// Room for what has been announced, as far as there is memory for it.
    fn capacity(&self, first: usize, body: &Incoming) -> usize {
        let rest = usize::try_from(body.size_hint().lower()).unwrap_or(self.limit);
        let most = if self.share.is_some() {
            self.limit
        } else {
            UNCOUNTED
        };
        first.saturating_add(rest).min(most)
    }

    /// The next piece of data, unless the client has been so slow that others get its memory.
    async fn piece(&self, body: &mut Incoming) -> Result<Option<Bytes>, Refusal> {
        let mut next = pin!(next_piece(body));
        poll_fn(|context| {
            if self.watch.mailbox.take(Order::GiveWay) {
                return Poll::Ready(Err(Refusal::TooSlow));
            }
            next.as_mut().poll(context)
        })
        .await
    }
}

/// The next piece of data; trailers are passed over.
async fn next_piece(body: &mut Incoming) -> Result<Option<Bytes>, Refusal> {
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Refusal::Disconnected)?;
        if let Ok(data) = frame.into_data() {
            return Ok(Some(data));
        }
    }
    Ok(None)
}

/// Undoes the coding of a body, if it has one. How long it becomes is not known before: a small one is first tried with
/// memory for a usual one.
pub(crate) async fn unpack(
    received: Received,
    headers: &HeaderMap,
    shared: &Shared,
) -> Result<Received, Refusal> {
    let Some(coding) = coding::requested(headers)? else {
        return Ok(received);
    };
    let limit = shared.limits.body_bytes;
    let Received { bytes, share } = received;
    if share.is_some() {
        let bytes = coding::unpack(coding, bytes, limit).await?;
        return Ok(Received { bytes, share });
    }
    let usual = USUAL_UNPACKED.min(limit);
    let share = admit(shared, DECODING * usual).await?;
    match coding::unpack(coding, bytes.clone(), usual).await {
        Err(Refusal::TooLarge { .. }) if usual < limit => {}
        unpacked => {
            return Ok(Received {
                bytes: unpacked?,
                share: Some(share),
            });
        }
    }
    // Given back first: who waits for memory has none.
    drop(share);
    let share = admit(shared, DECODING * limit).await?;
    let bytes = coding::unpack(coding, bytes, limit).await?;
    Ok(Received {
        bytes,
        share: Some(share),
    })
}

async fn admit(shared: &Shared, bytes: usize) -> Result<Share, Refusal> {
    let reclaim = |missing| shared.reclaim(Phase::Body, missing);
    Pool::admit(&shared.memory.requests, bytes, reclaim).await
}

/// Reads on for a while and keeps nothing. A client that is still sending when the connection is closed
/// would see a reset instead of the answer. One that asked whether to send the body is only told the answer.
pub(crate) async fn discard(body: Incoming, headers: &HeaderMap, shared: &Shared, watch: &Watch) {
    if headers.contains_key(EXPECT) || body.is_end_stream() {
        return;
    }
    watch.enter(Phase::Body);
    let most = shared.limits.body_bytes.saturating_mul(2);
    // Who is slow gets the answer now.
    drop(tokio::time::timeout(DISCARDING, read_away(body, most)).await);
}

async fn read_away(mut body: Incoming, most: usize) {
    let mut left = most;
    while let Ok(Some(data)) = next_piece(&mut body).await {
        match left.checked_sub(data.len()) {
            Some(rest) => left = rest,
            None => return,
        }
    }
}
