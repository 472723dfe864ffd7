//! The functions that the shim stands before.

use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::stop::stop;

/// A function of the next library in the search order, which is libc.
pub(crate) struct Next {
    name: &'static CStr,
    address: AtomicPtr<c_void>,
}

impl Next {
    pub(crate) const fn new(name: &'static CStr) -> Self {
        Self {
            name,
            address: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Never null. Threads may look it up twice; they find the same.
    pub(crate) fn address(&self) -> *mut c_void {
        let known = self.address.load(Ordering::Relaxed);
        if !known.is_null() {
            return known;
        }
        // SAFETY: the name is a C string, and RTLD_NEXT a handle that dlsym takes.
        let found = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) };
        if found.is_null() {
            stop(&format!("libc has no {}", self.name.to_string_lossy()));
        }
        self.address.store(found, Ordering::Relaxed);
        found
    }
}

/// `next!(c"fsync" as FnType)`: that function. The type must be the one in libc's header.
macro_rules! next {
    ($name:literal as $function:ty) => {{
        static NEXT: $crate::next::Next = $crate::next::Next::new($name);
        // SAFETY: the address is not null and is that of libc's function of this name, whose type
        // the caller states.
        unsafe { std::mem::transmute::<*mut std::ffi::c_void, $function>(NEXT.address()) }
    }};
}

pub(crate) use next;
