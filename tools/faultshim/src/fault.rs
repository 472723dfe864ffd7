use std::ffi::{CString, OsStr, c_int};
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::stop::stop;

/// What can be made to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Write,
    Sync,
    Truncate,
    /// Makes, renames or removes a name, or opens a file to write to it.
    Name,
}

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strike {
    /// It fails with this errno.
    Fail(c_int),
    /// It writes half of its bytes.
    Short,
}

/// The faults asked for by `FAULTSHIM_FAIL` and `FAULTSHIM_TRIGGER`.
pub(crate) struct Faults {
    faults: Vec<Fault>,
    trigger: Option<CString>,
    nth: Option<(u64, Strike)>,
    /// Calls of all kinds so far.
    calls: AtomicU64,
    /// Where that number is written.
    counter: Option<CallCounter>,
}

struct Fault {
    operation: Operation,
    errno: c_int,
    /// How many calls pass before the first one that fails.
    after: u64,
    calls: AtomicU64,
}

impl Faults {
    pub(crate) fn from_environment() -> Self {
        let wanted = std::env::var("FAULTSHIM_FAIL").unwrap_or_default();
        let entries = wanted.split(',').filter(|entry| !entry.is_empty());
        let trigger = std::env::var_os("FAULTSHIM_TRIGGER");
        Self {
            faults: entries.map(parse_or_stop).collect(),
            trigger: trigger.as_deref().and_then(path),
            nth: std::env::var("FAULTSHIM_NTH")
                .ok()
                .map(|text| parse_nth_or_stop(&text)),
            calls: AtomicU64::new(0),
            counter: std::env::var_os("FAULTSHIM_CALLS").map(|path| CallCounter::create(&path)),
        }
    }

    /// Counts a call; what it has to fail with, if it has to.
    pub(crate) fn strike(&self, operation: Operation) -> Option<Strike> {
        let number = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(counter) = &self.counter {
            counter.write(number);
        }
        match self.nth {
            Some((nth, strike)) if nth == number => return Some(strike),
            _ => {}
        }
        self.strike_kind(operation).map(Strike::Fail)
    }

    fn strike_kind(&self, operation: Operation) -> Option<c_int> {
        if self.faults.is_empty() || !self.is_triggered() {
            return None;
        }
        let concerned = self
            .faults
            .iter()
            .filter(|fault| fault.operation == operation);
        concerned.filter_map(Fault::strike).next()
    }

    fn is_triggered(&self) -> bool {
        self.trigger.as_ref().is_none_or(|path| {
            // SAFETY: the path is a C string that outlives the call.
            let answer = unsafe { libc::access(path.as_ptr(), libc::F_OK) };
            answer == 0
        })
    }
}

impl Fault {
    fn strike(&self) -> Option<c_int> {
        let earlier = self.calls.fetch_add(1, Ordering::Relaxed);
        (earlier >= self.after).then_some(self.errno)
    }
}

/// A file with a number, written with raw system calls so that the shim does not watch itself.
struct CallCounter(c_int);

impl CallCounter {
    fn create(name: &OsStr) -> Self {
        let Some(name) = path(name) else {
            stop("FAULTSHIM_CALLS is not a path");
        };
        let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC | libc::O_CLOEXEC;
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
        match c_int::try_from(descriptor) {
            Ok(descriptor) if descriptor >= 0 => Self(descriptor),
            _ => stop("FAULTSHIM_CALLS cannot be created"),
        }
    }

    fn write(&self, number: u64) {
        let bytes = number.to_le_bytes();
        // SAFETY: the buffer is valid for its length.
        unsafe { libc::syscall(libc::SYS_pwrite64, self.0, bytes.as_ptr(), bytes.len(), 0) };
    }
}

fn parse_nth_or_stop(text: &str) -> (u64, Strike) {
    let parsed = text.split_once(':').and_then(|(number, what)| {
        let strike = match what {
            "SHORT" => Strike::Short,
            errno => Strike::Fail(parse_errno(errno)?),
        };
        Some((number.parse().ok()?, strike))
    });
    parsed.unwrap_or_else(|| {
        stop(&format!(
            "FAULTSHIM_NTH is `{text}`, which is not like 17:EIO"
        ))
    })
}

fn path(name: &OsStr) -> Option<CString> {
    CString::new(name.as_bytes()).ok()
}

fn parse_or_stop(entry: &str) -> Fault {
    parse(entry).unwrap_or_else(|| {
        stop(&format!(
            "FAULTSHIM_FAIL has `{entry}`, which is not like fsync:EIO:17"
        ))
    })
}

fn parse(entry: &str) -> Option<Fault> {
    let mut parts = entry.split(':');
    let fault = Fault {
        operation: parse_operation(parts.next()?)?,
        errno: parse_errno(parts.next()?)?,
        after: parts.next()?.parse().ok()?,
        calls: AtomicU64::new(0),
    };
    parts.next().is_none().then_some(fault)
}

fn parse_operation(name: &str) -> Option<Operation> {
    match name {
        "write" => Some(Operation::Write),
        "fsync" => Some(Operation::Sync),
        "ftruncate" => Some(Operation::Truncate),
        _ => None,
    }
}

fn parse_errno(name: &str) -> Option<c_int> {
    match name {
        "EDQUOT" => Some(libc::EDQUOT),
        "EINTR" => Some(libc::EINTR),
        "EIO" => Some(libc::EIO),
        "ENOSPC" => Some(libc::ENOSPC),
        "EROFS" => Some(libc::EROFS),
        _ => None,
    }
}
