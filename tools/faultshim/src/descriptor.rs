//! Questions about an open file descriptor, by functions that the shim does not stand before.

use std::ffi::{CString, c_int};
use std::mem::MaybeUninit;
use std::os::fd::RawFd;

use crate::stop::stop;

/// What a descriptor refers to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Status {
    pub(crate) device: u64,
    pub(crate) inode: u64,
    pub(crate) size: u64,
    kind: libc::mode_t,
}

impl Status {
    /// None when the descriptor is not open.
    pub(crate) fn of(descriptor: RawFd) -> Option<Self> {
        let mut status = MaybeUninit::<libc::stat>::uninit();
        // SAFETY: the pointer is valid for a `stat`.
        let answer = unsafe { libc::fstat(descriptor, status.as_mut_ptr()) };
        if answer != 0 {
            return None;
        }
        // SAFETY: fstat succeeded, so it filled the structure.
        let status = unsafe { status.assume_init() };
        Some(Self {
            device: status.st_dev,
            inode: status.st_ino,
            size: u64::try_from(status.st_size).unwrap_or(0),
            kind: status.st_mode & libc::S_IFMT,
        })
    }

    pub(crate) fn is_file(&self) -> bool {
        self.kind == libc::S_IFREG
    }

    pub(crate) fn is_directory(&self) -> bool {
        self.kind == libc::S_IFDIR
    }
}

/// The absolute path of what is open, without symbolic links; that of a deleted file is where it was.
pub(crate) fn path_of(descriptor: RawFd) -> Option<Vec<u8>> {
    let link = link_to(descriptor)?;
    let mut path = vec![0_u8; 4096];
    // SAFETY: the link is a C string, and the buffer is valid for its length.
    let length = unsafe { libc::readlink(link.as_ptr(), path.as_mut_ptr().cast(), path.len()) };
    path.truncate(usize::try_from(length).ok()?);
    Some(path)
}

/// Where a write without offset begins; for appends, the end of the file.
pub(crate) fn position(descriptor: RawFd) -> u64 {
    // SAFETY: lseek has no memory to be careful about.
    let position = unsafe { libc::lseek(descriptor, 0, libc::SEEK_CUR) };
    u64::try_from(position).unwrap_or_else(|_| stop("a file has no position"))
}

pub(crate) fn appends(descriptor: RawFd) -> bool {
    // SAFETY: F_GETFL takes no further argument.
    let flags = unsafe { libc::fcntl(descriptor, libc::F_GETFL) };
    flags & libc::O_APPEND != 0
}

/// The bytes from `start` to `end`, without the zeros at their end.
pub(crate) fn bytes(descriptor: RawFd, start: u64, end: u64) -> Vec<u8> {
    if start >= end {
        return Vec::new();
    }
    let reader = Reader::of(descriptor);
    let mut bytes = reader.read(start, end);
    let used = bytes.iter().rposition(|byte| *byte != 0);
    bytes.truncate(used.map_or(0, |last| last + 1));
    bytes
}

/// A second, readable description of an open file: the first may be write-only.
struct Reader(c_int);

impl Reader {
    fn of(descriptor: RawFd) -> Self {
        let Some(link) = link_to(descriptor) else {
            stop("a descriptor has no link");
        };
        let flags = libc::O_RDONLY | libc::O_CLOEXEC;
        // SAFETY: the link is a C string that outlives the call.
        let opened =
            unsafe { libc::syscall(libc::SYS_openat, libc::AT_FDCWD, link.as_ptr(), flags) };
        match c_int::try_from(opened) {
            Ok(descriptor) if descriptor >= 0 => Self(descriptor),
            _ => stop("a watched file cannot be read"),
        }
    }

    fn read(&self, start: u64, end: u64) -> Vec<u8> {
        let mut bytes = vec![0_u8; usize::try_from(end - start).unwrap_or(0)];
        let mut done = 0;
        while let Some(rest) = bytes.get_mut(done..).filter(|rest| !rest.is_empty()) {
            let offset = i64::try_from(start).unwrap_or(i64::MAX) + done as i64;
            // SAFETY: the buffer is valid for its length.
            let read =
                unsafe { libc::pread64(self.0, rest.as_mut_ptr().cast(), rest.len(), offset) };
            match usize::try_from(read) {
                Ok(0) => break,
                Ok(read) => done += read,
                Err(_) => stop("a watched file cannot be read"),
            }
        }
        bytes
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // SAFETY: the descriptor is ours alone.
        unsafe { libc::close(self.0) };
    }
}

fn link_to(descriptor: RawFd) -> Option<CString> {
    CString::new(format!("/proc/self/fd/{descriptor}")).ok()
}
