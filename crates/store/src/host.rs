//! What the data layer needs of the world around it: the time, chance, and pauses.
//!
//! A [`Host`] is what a program gives the store to run on. The native one ([`NativeHost`], feature `native`) uses the
//! machine's clock, its source of chance and tokio's timer. Without that feature this crate has no timer, no clock and no
//! source of chance of its own, so that it can run inside of programs of other languages.

#[cfg(feature = "native")]
mod native;

#[cfg(feature = "native")]
pub use native::NativeHost;

use std::pin::Pin;
use std::time::Duration;

/// A pause that a host makes.
pub type Pause<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// Time, chance and pauses, from outside.
pub trait Host: Send + Sync {
    /// Microseconds since 1970.
    fn now_micros(&self) -> i64;

    /// Fills bytes with chance that nobody can guess. Ids, salts and API keys are made of it, so a host that has none
    /// must say so: the operation then fails.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoEntropy>;

    /// 128 bits that differ with each call, in all processes. Requests are named by them, so that the service knows one that
    /// is sent again. They are no secret, so a host may make them in a cheaper way than of chance.
    fn make_name(&self) -> Result<u128, NoEntropy> {
        let mut bytes = [0; 16];
        self.fill(&mut bytes)?;
        Ok(u128::from_be_bytes(bytes))
    }

    /// Waits.
    fn sleep(&self, time: Duration) -> Pause<'_>;
}

/// The host has no source of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoEntropy;

impl std::fmt::Display for NoEntropy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("this machine gives no random bytes, so no id, salt or key can be made")
    }
}

impl std::error::Error for NoEntropy {}
