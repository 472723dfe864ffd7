use std::ffi::{CString, OsStr};
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStrExt;

use monotable_faultlog::Event;

use crate::stop::stop;

/// The event log, opened and written with raw system calls so that the shim does not watch itself.
pub(crate) struct Log {
    descriptor: RawFd,
}

impl Log {
    /// A log that exists belongs to another process, and two would contradict each other.
    pub(crate) fn create(path: &OsStr) -> Self {
        let Ok(name) = CString::new(path.as_bytes()) else {
            stop("FAULTSHIM_LOG is not a path");
        };
        let flags =
            libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL | libc::O_APPEND | libc::O_CLOEXEC;
        // SAFETY: the name is a C string that outlives the call.
        let descriptor = unsafe {
            libc::syscall(
                libc::SYS_openat,
                libc::AT_FDCWD,
                name.as_ptr(),
                flags,
                0o644,
            )
        };
        match RawFd::try_from(descriptor) {
            Ok(descriptor) if descriptor >= 0 => Self { descriptor },
            _ => stop("FAULTSHIM_LOG exists or cannot be created"),
        }
    }

    /// Appends one record. A single write, because appends of several threads do not mix then.
    pub(crate) fn record(&self, event: &Event) {
        let mut record = Vec::new();
        event.encode(&mut record);
        self.append(&record);
    }

    /// Appends bytes with a single write.
    pub(crate) fn append(&self, record: &[u8]) {
        // SAFETY: the buffer is valid for its length.
        let written = unsafe {
            libc::syscall(
                libc::SYS_write,
                self.descriptor,
                record.as_ptr(),
                record.len(),
            )
        };
        if usize::try_from(written) != Ok(record.len()) {
            stop("FAULTSHIM_LOG cannot be written");
        }
    }
}
