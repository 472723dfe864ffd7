use std::ffi::c_int;

/// Ends the process: a shim that goes on after missing an event would prove durability by mistake.
pub(crate) fn stop(reason: &str) -> ! {
    let message = format!("faultshim: {reason}\n");
    // SAFETY: the buffer is valid for its length; a failed write to stderr is of no interest.
    unsafe { libc::syscall(libc::SYS_write, 2, message.as_ptr(), message.len()) };
    std::process::abort()
}

/// What a C function answers when it fails: -1, with the reason in `errno`.
pub(crate) fn failure(errno: c_int) -> c_int {
    // SAFETY: libc returns the address of this thread's errno, which is always valid.
    let address = unsafe { libc::__errno_location() };
    // SAFETY: as above.
    unsafe { *address = errno };
    -1
}

pub(crate) fn errno() -> c_int {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}
