//! What a host sees of a module: exports over memory, and two imports.
//!
//! A *parcel* is the address of a length (4 bytes, little-endian) and that many bytes of JSON. The host makes one with `alloc`,
//! fills it in and gives it away; the module frees what it is given, and the host frees what it gets. A module belongs to
//! one thread, and no export is called while another one runs.

use std::cell::UnsafeCell;

const LENGTH: usize = 4;

#[link(wasm_import_module = "monotable")]
unsafe extern "C" {
    /// Microseconds since 1970.
    safe fn now() -> f64;
    /// Fills memory with chance that nobody can guess.
    fn random(at: *mut u8, length: usize);
}

/// Microseconds since 1970, by the host's clock.
pub(crate) fn now_micros() -> i64 {
    now() as i64
}

/// Fills bytes with the host's chance.
pub(crate) fn fill(bytes: &mut [u8]) {
    // SAFETY: the host writes to these bytes only, which nobody else has.
    unsafe { random(bytes.as_mut_ptr(), bytes.len()) }
}

/// The version of these exports.
#[unsafe(no_mangle)]
extern "C" fn abi() -> u32 {
    crate::ABI
}

/// Memory for a parcel of so many bytes, its length already written.
#[unsafe(no_mangle)]
extern "C" fn alloc(length: usize) -> *mut u8 {
    prepare_panics();
    give(vec![0; length])
}

/// Ends a parcel.
///
/// # Safety
///
/// It was made by this module, and nobody uses it any more.
#[unsafe(no_mangle)]
unsafe extern "C" fn free(parcel: *mut u8) {
    // SAFETY: the caller promises what `take` asks for.
    drop(unsafe { take(parcel) });
}

/// Gives bytes away as a parcel.
pub(crate) fn give(bytes: Vec<u8>) -> *mut u8 {
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let mut parcel = Vec::with_capacity(LENGTH + bytes.len());
    parcel.extend(length.to_le_bytes());
    parcel.extend(bytes);
    Box::into_raw(parcel.into_boxed_slice()).cast()
}

/// Takes a parcel over: its bytes, with the length before them.
///
/// # Safety
///
/// It was made by `give`, its length is unchanged, and nobody uses it any more.
unsafe fn take(parcel: *mut u8) -> Box<[u8]> {
    let mut length = [0; LENGTH];
    // SAFETY: a parcel begins with its length.
    unsafe { parcel.copy_to_nonoverlapping(length.as_mut_ptr(), LENGTH) };
    let whole =
        std::ptr::slice_from_raw_parts_mut(parcel, LENGTH + u32::from_le_bytes(length) as usize);
    // SAFETY: `give` made a box of exactly so many bytes and gave it away.
    unsafe { Box::from_raw(whole) }
}

/// Answers a parcel with another one.
///
/// # Safety
///
/// The parcel was made by `alloc`, and the host does not use it any more.
unsafe fn answer(parcel: *mut u8, act: impl FnOnce(&[u8]) -> Vec<u8>) -> *mut u8 {
    // SAFETY: the caller promises what `take` asks for.
    let parcel = unsafe { take(parcel) };
    give(act(parcel.get(LENGTH..).unwrap_or_default()))
}

#[cfg(feature = "data")]
mod data {
    use super::answer;
    use crate::data::Calls;
    use monotable_store::{Host, NoEntropy, Pause};
    use std::cell::RefCell;
    use std::sync::Arc;
    use std::time::Duration;

    /// The program around the module.
    struct Outside;

    impl Host for Outside {
        fn now_micros(&self) -> i64 {
            super::now_micros()
        }

        fn fill(&self, bytes: &mut [u8]) -> Result<(), NoEntropy> {
            super::fill(bytes);
            Ok(())
        }

        /// Pauses are errands of the host: nobody sleeps here.
        fn sleep(&self, _: Duration) -> Pause<'_> {
            Box::pin(std::future::pending())
        }
    }

    thread_local! {
        static CALLS: RefCell<Calls> = RefCell::new(Calls::new(Arc::new(Outside)));
    }

    fn with<T>(act: impl FnOnce(&mut Calls) -> T) -> T {
        CALLS.with_borrow_mut(act)
    }

    /// Opens a store.
    ///
    /// # Safety
    ///
    /// The parcel was made by `alloc`, and the host does not use it any more.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn open(parcel: *mut u8) -> *mut u8 {
        // SAFETY: the caller promises what `answer` asks for.
        unsafe { answer(parcel, |body| with(|calls| calls.open(body))) }
    }

    /// Begins a call.
    ///
    /// # Safety
    ///
    /// The parcel was made by `alloc`, and the host does not use it any more.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn start(parcel: *mut u8) -> *mut u8 {
        // SAFETY: the caller promises what `answer` asks for.
        unsafe { answer(parcel, |body| with(|calls| calls.start(body))) }
    }

    /// Goes on with a call.
    ///
    /// # Safety
    ///
    /// The parcel was made by `alloc`, and the host does not use it any more.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn step(handle: u32, parcel: *mut u8) -> *mut u8 {
        // SAFETY: the caller promises what `answer` asks for.
        unsafe { answer(parcel, |body| with(|calls| calls.step(handle, body))) }
    }

    /// Ends a call or a store. A handle that is not known is nothing.
    #[unsafe(no_mangle)]
    extern "C" fn close(handle: u32) {
        with(|calls| calls.close(handle));
    }
}

#[cfg(feature = "memory")]
mod memory {
    use super::answer;
    use crate::memory::{HostClock, HostEntropy, Memory};
    use monotable_engine::{Clock, Entropy};
    use std::sync::{Arc, OnceLock};
    use std::time::Duration;

    struct Outside;

    impl Clock for Outside {
        fn now(&self) -> Duration {
            Duration::from_micros(u64::try_from(super::now_micros()).unwrap_or_default())
        }
    }

    impl Entropy for Outside {
        fn next(&self) -> u128 {
            let mut bytes = [0; 16];
            super::fill(&mut bytes);
            u128::from_be_bytes(bytes)
        }
    }

    static MEMORY: OnceLock<Memory> = OnceLock::new();

    /// Answers a request of DynamoDB: `{"operation": "GetItem", "input": {..}}`.
    ///
    /// # Safety
    ///
    /// The parcel was made by `alloc`, and the host does not use it any more.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn call(parcel: *mut u8) -> *mut u8 {
        let clock: HostClock = Arc::new(Outside);
        let entropy: HostEntropy = Arc::new(Outside);
        let memory = MEMORY.get_or_init(|| Memory::new(clock, entropy));
        // SAFETY: the caller promises what `answer` asks for.
        unsafe { answer(parcel, |body| memory.call(body)) }
    }
}

/// The longest message of a panic that is kept.
const MESSAGE: usize = 4096;

/// Room for the parcel that a panic leaves behind.
#[repr(C, align(4))]
struct PanicParcel(UnsafeCell<[u8; LENGTH + MESSAGE]>);

// SAFETY: a module belongs to one thread.
unsafe impl Sync for PanicParcel {}

/// After a trap: the message of the panic, as a parcel.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "hosts know the global by this name")]
static panic: PanicParcel = PanicParcel(UnsafeCell::new([0; LENGTH + MESSAGE]));

/// Keeps the message of a panic where the host finds it after the trap.
fn prepare_panics() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            let text = info.to_string();
            let kept = text.as_bytes().iter().take(MESSAGE);
            let length = u32::try_from(kept.len()).unwrap_or_default();
            let bytes = length.to_le_bytes().into_iter().chain(kept.copied());
            // SAFETY: a module belongs to one thread, which is panicking here: nobody else looks at the room.
            let room = unsafe { &mut *panic.0.get() };
            for (place, byte) in room.iter_mut().zip(bytes) {
                *place = byte;
            }
        }));
    });
}
