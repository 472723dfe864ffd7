//! The trace: changes with their bytes and names, in the order in which they are made.

use std::ffi::OsStr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use monotable_faultlog::{Deed, Step};

use crate::log::Log;

/// A trace that is being written.
pub(crate) struct Trace {
    log: Log,
    /// Held while something is done and until it is recorded, so that the trace has the order of the deeds.
    order: Mutex<()>,
}

impl Trace {
    pub(crate) fn create(path: &OsStr) -> Self {
        Self {
            log: Log::create(path),
            order: Mutex::new(()),
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, ()> {
        // No code under this lock panics.
        self.order.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records what was done. Whoever did it holds the lock.
    pub(crate) fn record(&self, path: Vec<u8>, inode: u64, deed: Deed) {
        let mut record = Vec::new();
        Step { path, inode, deed }.encode(&mut record);
        self.log.append(&record);
    }
}
