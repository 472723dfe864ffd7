//! The memory for bodies, shared by all requests.

use crate::limits::Limits;
use crate::refusal::Refusal;
use bytes::Bytes;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

/// An answer from this size on takes its share too.
const LARGE_ANSWER: usize = 64 << 10;

/// The memory for bodies. One permit is [`UNIT`] bytes: permits are counted in 32 bits.
pub(crate) struct Budget {
    units: Arc<Semaphore>,
    all: u32,
    patience: Duration,
}

const UNIT: usize = 256;

/// What one request has of it, until dropped.
pub(crate) struct Share<'a> {
    _permit: SemaphorePermit<'a>,
}

impl Budget {
    pub(crate) fn new(limits: &Limits) -> Self {
        let all = units(limits.bytes_in_flight).max(1);
        Self {
            units: Arc::new(Semaphore::new(all as usize)),
            all,
            patience: limits.admission_timeout,
        }
    }

    /// Waits for memory for a body of this length. Requests are served in their order, so that a large
    /// one is not kept waiting by small ones for ever.
    pub(crate) async fn admit(&self, bytes: usize) -> Result<Share<'_>, Refusal> {
        // One that is larger than everything is let in alone.
        let wanted = units(bytes).min(self.all);
        if let Ok(permit) = self.units.try_acquire_many(wanted) {
            return Ok(Share { _permit: permit });
        }
        let waiting = self.units.acquire_many(wanted);
        match tokio::time::timeout(self.patience, waiting).await {
            Ok(Ok(permit)) => Ok(Share { _permit: permit }),
            Ok(Err(_)) | Err(_) => Err(Refusal::Busy),
        }
    }

    /// Lets a large answer take what is left of the memory until it has been sent. It is made already
    /// and does not wait; but while slow clients hold many of them, new requests do.
    pub(crate) fn hold(&self, answer: Vec<u8>) -> Bytes {
        if answer.len() < LARGE_ANSWER {
            return Bytes::from(answer);
        }
        let left = u32::try_from(self.units.available_permits()).unwrap_or(u32::MAX);
        let wanted = units(answer.len()).min(left);
        match Arc::clone(&self.units).try_acquire_many_owned(wanted) {
            Ok(permit) => Bytes::from_owner(Held {
                answer,
                _permit: permit,
            }),
            Err(_) => Bytes::from(answer),
        }
    }

    /// The bytes in use.
    pub(crate) fn used(&self) -> usize {
        (self.all as usize).saturating_sub(self.units.available_permits()) * UNIT
    }
}

struct Held {
    answer: Vec<u8>,
    _permit: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.answer
    }
}

fn units(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX)
}
