//! The machine's own clock, source of chance and timer.

use super::{Host, NoEntropy, Pause};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The machine that the program runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct NativeHost;

/// The bits from which this process counts its names on.
static FIRST_NAME: OnceLock<u128> = OnceLock::new();

/// How many names this process has made.
static NAMES: AtomicU64 = AtomicU64::new(0);

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

    /// Asks the system for chance once for all names: each time would cost a write in memory a tenth of its time. The count
    /// keeps names of one process apart, and the time keeps them apart from those of a copy of the process, which counts on
    /// from the same bits.
    fn make_name(&self) -> Result<u128, NoEntropy> {
        let first = match FIRST_NAME.get() {
            Some(first) => *first,
            None => {
                let mut bytes = [0; 16];
                self.fill(&mut bytes)?;
                *FIRST_NAME.get_or_init(|| u128::from_be_bytes(bytes))
            }
        };
        let time = u128::from(self.now_micros().unsigned_abs()) << 64;
        let count = u128::from(NAMES.fetch_add(1, Ordering::Relaxed));
        Ok(first.wrapping_add(time | count))
    }

    fn sleep(&self, time: Duration) -> Pause<'_> {
        Box::pin(tokio::time::sleep(time))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_name_is_made_twice() {
        let make = || (0..1000).map(|_| NativeHost.make_name().unwrap());
        let threads: Vec<_> = (0..4)
            .map(|_| std::thread::spawn(move || make().collect::<Vec<_>>()))
            .collect();
        let names = threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap());
        assert_eq!(names.collect::<BTreeSet<_>>().len(), 4000);
    }
}
