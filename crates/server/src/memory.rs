//! The memory of requests and answers, which all connections share.
//!
//! Whatever a client can make large is counted here before it is made: the body of a request when it is read, and
//! everything that an answer may need when the request is carried out (`forecast.rs`). Requests and answers have a pool each,
//! half of [`Limits::bytes_in_flight`]: a request that holds memory waits for that of its answer, and nothing that holds memory of an
//! answer waits for anything but its client, so nobody waits in a circle.

mod forecast;
mod pool;

pub(crate) use forecast::forecast;
pub(crate) use pool::{Pool, Share};

use crate::limits::Limits;
use bytes::Bytes;
use std::sync::Arc;

/// A body or an answer up to this size is not counted: there is one of each for a connection at most, and their number is
/// limited.
pub(crate) const UNCOUNTED: usize = 8 << 10;

/// From this size on, an answer gives back the room into which it did not grow.
const WORTH_SHRINKING: usize = 64 << 10;

/// The memory of requests and answers.
pub(crate) struct Memory {
    /// For bodies, as sent and as decoded.
    pub(crate) requests: Arc<Pool>,
    /// For what is read from the store and for the answer that is made of it, until it has been sent.
    pub(crate) answers: Arc<Pool>,
}

impl Memory {
    pub(crate) fn new(limits: &Limits) -> Self {
        let half = limits.bytes_in_flight / 2;
        Self {
            requests: Arc::new(Pool::new(half, limits.admission_timeout)),
            answers: Arc::new(Pool::new(half, limits.admission_timeout)),
        }
    }

    /// The bytes in use.
    pub(crate) fn used(&self) -> usize {
        self.requests.used() + self.answers.used()
    }

    /// Counts an answer until it has been sent. It is made already: what was not set aside for it is taken
    /// without waiting, and those who come later wait instead.
    pub(crate) fn hold(&self, mut answer: Vec<u8>, share: Option<Share>) -> Bytes {
        if answer.len() <= UNCOUNTED {
            return Bytes::from(answer);
        }
        if answer.len() >= WORTH_SHRINKING {
            answer.shrink_to_fit();
        }
        let mut share = share.unwrap_or_else(|| Pool::nothing(&self.answers));
        share.resize(answer.len());
        Bytes::from_owner(Held {
            answer,
            _share: share,
        })
    }
}

/// An answer that is being sent.
struct Held {
    answer: Vec<u8>,
    _share: Share,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.answer
    }
}
