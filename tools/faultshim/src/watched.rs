use std::collections::BTreeMap;
use std::os::fd::RawFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use monotable_faultlog::{Event, FileNumber};

use crate::descriptor::Status;
use crate::log::Log;

/// The files below the watched directory that the process has touched, by device and inode.
#[derive(Default)]
pub(crate) struct WatchedFiles {
    files: Mutex<Files>,
}

#[derive(Default)]
struct Files {
    by_inode: BTreeMap<(u64, u64), Arc<WatchedFile>>,
    numbered: FileNumber,
}

/// One watched file.
pub(crate) struct WatchedFile {
    pub(crate) number: FileNumber,
    /// How many changes were recorded. Whoever holds this lock is the only one to change the file.
    changes: Mutex<u64>,
}

impl WatchedFile {
    /// Waits until no other thread changes the file.
    pub(crate) fn lock(&self) -> MutexGuard<'_, u64> {
        // No code under these locks panics, so a poisoned one is as good as any.
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    pub(crate) fn is_locked(&self) -> bool {
        self.changes.try_lock().is_err()
    }
}

impl WatchedFiles {
    pub(crate) fn find(&self, status: &Status) -> Option<Arc<WatchedFile>> {
        self.lock().by_inode.get(&key(status)).cloned()
    }

    /// Begins to watch a file that existed before, unless another thread was faster.
    pub(crate) fn watch(&self, status: &Status, log: &Log) -> Arc<WatchedFile> {
        let mut files = self.lock();
        match files.by_inode.get(&key(status)) {
            Some(file) => Arc::clone(file),
            None => files.add(status, false, log),
        }
    }

    /// Runs an open that creates a file, and watches the file if `is_inside` says so.
    ///
    /// The lock is held meanwhile: otherwise another thread could change the new file while it still
    /// counts as the deleted one that had the inode before.
    pub(crate) fn create(
        &self,
        open: impl FnOnce() -> RawFd,
        is_inside: impl FnOnce(RawFd) -> bool,
        log: &Log,
    ) -> RawFd {
        let mut files = self.lock();
        let descriptor = open();
        let status = (descriptor >= 0).then(|| Status::of(descriptor)).flatten();
        if let Some(status) = status.filter(Status::is_file) {
            files.by_inode.remove(&key(&status));
            if is_inside(descriptor) {
                files.add(&status, true, log);
            }
        }
        descriptor
    }

    fn lock(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Files {
    fn add(&mut self, status: &Status, created: bool, log: &Log) -> Arc<WatchedFile> {
        self.numbered += 1;
        let file = Arc::new(WatchedFile {
            number: self.numbered,
            changes: Mutex::new(0),
        });
        log.record(&Event::Opened {
            file: file.number,
            device: status.device,
            inode: status.inode,
            created,
        });
        self.by_inode.insert(key(status), Arc::clone(&file));
        file
    }
}

fn key(status: &Status) -> (u64, u64) {
    (status.device, status.inode)
}
