//! The machine's own clock, source of chance and timer.

use super::{Host, NoEntropy, Pause};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The machine that the program runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct NativeHost;

impl Host for NativeHost {
    fn now_micros(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(0, |since| {
            i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
        })
    }

    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoEntropy> {
        getrandom::fill(bytes).map_err(|_| NoEntropy)
    }

    fn sleep(&self, time: Duration) -> Pause<'_> {
        Box::pin(tokio::time::sleep(time))
    }
}
