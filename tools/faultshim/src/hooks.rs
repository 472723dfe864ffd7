//! The functions with libc's names: each says what the call does, and hands it to the shim.
//!
//! Their contracts are libc's; the calls are passed on with the arguments unchanged.
//!
//! `open` and `openat` are variadic in C. On the 64-bit Linux platforms their optional mode arrives
//! where a last parameter does, and it is passed on unread.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::os::fd::RawFd;

use libc::{iovec, mode_t, off_t, size_t, ssize_t};
use monotable_faultlog::Deed;

use crate::descriptor::Status;
use crate::next::next;
use crate::shim::{Shim, Start};
use crate::stop::{errno, failure};

type Open = unsafe extern "C" fn(*const c_char, c_int, mode_t) -> c_int;
type OpenAt = unsafe extern "C" fn(c_int, *const c_char, c_int, mode_t) -> c_int;
type Write = unsafe extern "C" fn(c_int, *const c_void, size_t) -> ssize_t;
type WriteAt = unsafe extern "C" fn(c_int, *const c_void, size_t, off_t) -> ssize_t;
type WriteVector = unsafe extern "C" fn(c_int, *const iovec, c_int) -> ssize_t;
type WriteVectorAt = unsafe extern "C" fn(c_int, *const iovec, c_int, off_t) -> ssize_t;
type Resize = unsafe extern "C" fn(c_int, off_t) -> c_int;
type Name = unsafe extern "C" fn(*const c_char) -> c_int;
type MakeFolder = unsafe extern "C" fn(*const c_char, mode_t) -> c_int;
type Rename = unsafe extern "C" fn(*const c_char, *const c_char) -> c_int;
type Sync = unsafe extern "C" fn(c_int) -> c_int;
type CopyRange =
    unsafe extern "C" fn(c_int, *mut off_t, c_int, *mut off_t, size_t, c_uint) -> ssize_t;
type SendFile = unsafe extern "C" fn(c_int, c_int, *mut off_t, size_t) -> ssize_t;

#[unsafe(no_mangle)]
unsafe extern "C" fn open(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    let next = next!(c"open" as Open);
    // SAFETY: the caller's contract, passed on.
    opening(Some(path), flags, |flags| unsafe {
        next(path, flags, mode)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn open64(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    let next = next!(c"open64" as Open);
    // SAFETY: the caller's contract, passed on.
    opening(Some(path), flags, |flags| unsafe {
        next(path, flags, mode)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn openat(
    folder: c_int,
    path: *const c_char,
    flags: c_int,
    mode: mode_t,
) -> c_int {
    let next = next!(c"openat" as OpenAt);
    // SAFETY: the caller's contract, passed on.
    opening(None, flags, |flags| unsafe {
        next(folder, path, flags, mode)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn openat64(
    folder: c_int,
    path: *const c_char,
    flags: c_int,
    mode: mode_t,
) -> c_int {
    let next = next!(c"openat64" as OpenAt);
    // SAFETY: the caller's contract, passed on.
    opening(None, flags, |flags| unsafe {
        next(folder, path, flags, mode)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn write(file: c_int, bytes: *const c_void, length: size_t) -> ssize_t {
    let next = next!(c"write" as Write);
    // SAFETY: the caller's contract, passed on.
    writing(file, Start::Position, length, |length| unsafe {
        next(file, bytes, length)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pwrite(
    file: c_int,
    bytes: *const c_void,
    length: size_t,
    offset: off_t,
) -> ssize_t {
    let next = next!(c"pwrite" as WriteAt);
    // SAFETY: the caller's contract, passed on.
    writing(file, Start::Offset(offset), length, |length| unsafe {
        next(file, bytes, length, offset)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pwrite64(
    file: c_int,
    bytes: *const c_void,
    length: size_t,
    offset: off_t,
) -> ssize_t {
    // SAFETY: the caller's contract, passed on; both are one function on 64 bits.
    unsafe { pwrite(file, bytes, length, offset) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn writev(file: c_int, parts: *const iovec, count: c_int) -> ssize_t {
    let next = next!(c"writev" as WriteVector);
    // SAFETY: the caller says that there are `count` parts.
    let length = unsafe { total_length(parts, count) };
    // SAFETY: the caller's contract, passed on.
    writing(file, Start::Position, length, |_| unsafe {
        next(file, parts, count)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pwritev(
    file: c_int,
    parts: *const iovec,
    count: c_int,
    offset: off_t,
) -> ssize_t {
    let next = next!(c"pwritev" as WriteVectorAt);
    // SAFETY: the caller says that there are `count` parts.
    let length = unsafe { total_length(parts, count) };
    // SAFETY: the caller's contract, passed on.
    writing(file, Start::Offset(offset), length, |_| unsafe {
        next(file, parts, count, offset)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pwritev64(
    file: c_int,
    parts: *const iovec,
    count: c_int,
    offset: off_t,
) -> ssize_t {
    // SAFETY: the caller's contract, passed on; both are one function on 64 bits.
    unsafe { pwritev(file, parts, count, offset) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ftruncate(file: c_int, size: off_t) -> c_int {
    let next = next!(c"ftruncate" as Resize);
    // SAFETY: the caller's contract, passed on.
    let resize = || unsafe { next(file, size) };
    match Shim::get() {
        Some(shim) => shim.resize(file, size, resize),
        None => resize(),
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ftruncate64(file: c_int, size: off_t) -> c_int {
    // SAFETY: the caller's contract, passed on; both are one function on 64 bits.
    unsafe { ftruncate(file, size) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fsync(file: c_int) -> c_int {
    let next = next!(c"fsync" as Sync);
    // SAFETY: the caller's contract, passed on.
    syncing(file, || unsafe { next(file) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fdatasync(file: c_int) -> c_int {
    let next = next!(c"fdatasync" as Sync);
    // SAFETY: the caller's contract, passed on.
    syncing(file, || unsafe { next(file) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn unlink(path: *const c_char) -> c_int {
    let next = next!(c"unlink" as Name);
    // SAFETY: the caller's contract, passed on.
    let change = || unsafe { next(path) };
    // SAFETY: the caller says that the path is a C string.
    naming(unsafe { CStr::from_ptr(path) }, Deed::Remove, change)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mkdir(path: *const c_char, mode: mode_t) -> c_int {
    let next = next!(c"mkdir" as MakeFolder);
    // SAFETY: the caller's contract, passed on.
    let change = || unsafe { next(path, mode) };
    // SAFETY: the caller says that the path is a C string.
    naming(unsafe { CStr::from_ptr(path) }, Deed::MakeFolder, change)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rename(from: *const c_char, to: *const c_char) -> c_int {
    let next = next!(c"rename" as Rename);
    // SAFETY: the caller's contract, passed on.
    let change = || unsafe { next(from, to) };
    // SAFETY: the caller says that the path is a C string.
    let from = unsafe { CStr::from_ptr(from) };
    // SAFETY: as above.
    let to = unsafe { CStr::from_ptr(to) };
    let from = Shim::get()
        .and_then(|shim| shim.name_of(from))
        .unwrap_or_default();
    naming(to, Deed::Rename { from }, change)
}

fn naming(path: &CStr, deed: Deed, change: impl FnOnce() -> c_int) -> c_int {
    match Shim::get() {
        Some(shim) => shim.change_name(path, deed, change),
        None => change(),
    }
}

/// Refused for watched files: callers know that it may be missing, and write instead.
#[unsafe(no_mangle)]
unsafe extern "C" fn copy_file_range(
    from: c_int,
    from_offset: *mut off_t,
    to: c_int,
    to_offset: *mut off_t,
    length: size_t,
    flags: c_uint,
) -> ssize_t {
    if is_watched(to) {
        return failure(libc::ENOSYS) as ssize_t;
    }
    let next = next!(c"copy_file_range" as CopyRange);
    // SAFETY: the caller's contract, passed on.
    unsafe { next(from, from_offset, to, to_offset, length, flags) }
}

/// Refused for watched files, as `copy_file_range`.
#[unsafe(no_mangle)]
unsafe extern "C" fn sendfile(
    to: c_int,
    from: c_int,
    offset: *mut off_t,
    length: size_t,
) -> ssize_t {
    if is_watched(to) {
        return failure(libc::ENOSYS) as ssize_t;
    }
    let next = next!(c"sendfile" as SendFile);
    // SAFETY: the caller's contract, passed on.
    unsafe { next(to, from, offset, length) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn sendfile64(
    to: c_int,
    from: c_int,
    offset: *mut off_t,
    length: size_t,
) -> ssize_t {
    // SAFETY: the caller's contract, passed on; both are one function on 64 bits.
    unsafe { sendfile(to, from, offset, length) }
}

fn opening(path: Option<*const c_char>, flags: c_int, open: impl Fn(c_int) -> RawFd) -> RawFd {
    let Some(shim) = Shim::get() else {
        return open(flags);
    };
    // SAFETY: the caller of libc's function says that the path is a C string.
    let path = path.map(|path| unsafe { CStr::from_ptr(path) });
    if let Some(errno) = path.and_then(|path| shim.strike_open(path, flags)) {
        return failure(errno);
    }
    // Emptying the file is a step of its own, because the bytes it had must be recorded first.
    let empties = flags & libc::O_TRUNC != 0 && flags & libc::O_ACCMODE != libc::O_RDONLY;
    if !empties {
        return shim.open_or_create(flags, open);
    }
    let file = shim.open_or_create(flags & !libc::O_TRUNC, open);
    if file >= 0 && has_bytes(file) {
        return emptied(file);
    }
    file
}

/// False for what `O_TRUNC` leaves alone: devices and pipes.
fn has_bytes(file: RawFd) -> bool {
    Status::of(file).is_some_and(|status| status.is_file() && status.size > 0)
}

fn emptied(file: RawFd) -> RawFd {
    // SAFETY: ftruncate has no memory to be careful about.
    if unsafe { ftruncate(file, 0) } == 0 {
        return file;
    }
    let reason = errno();
    // SAFETY: the open that failed is the only one to know the descriptor.
    unsafe { libc::close(file) };
    failure(reason)
}

fn writing(
    file: RawFd,
    start: Start,
    length: size_t,
    write: impl FnOnce(size_t) -> ssize_t,
) -> ssize_t {
    match Shim::get() {
        Some(shim) => shim.write(file, start, length, write),
        None => write(length),
    }
}

fn syncing(file: RawFd, sync: impl FnOnce() -> c_int) -> c_int {
    match Shim::get() {
        Some(shim) => shim.sync(file, sync),
        None => sync(),
    }
}

fn is_watched(file: RawFd) -> bool {
    Shim::get().is_some_and(|shim| shim.watches(file))
}

/// # Safety
///
/// `parts` points to `count` valid parts.
unsafe fn total_length(parts: *const iovec, count: c_int) -> usize {
    let count = usize::try_from(count).unwrap_or(0);
    if parts.is_null() {
        return 0;
    }
    // SAFETY: by the contract above.
    let parts = unsafe { std::slice::from_raw_parts(parts, count) };
    parts.iter().map(|part| part.iov_len).sum()
}
