//! How long requests take.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper bounds, in microseconds: from a read in memory to a client that waits for a slow disk.
const BOUNDS: [u64; 15] = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
    1_000_000, 2_500_000, 10_000_000,
];

#[derive(Default)]
pub(super) struct Histogram {
    /// Observations up to each bound that are above the bound before.
    buckets: [AtomicU64; BOUNDS.len()],
    above: AtomicU64,
    nanoseconds: AtomicU64,
}

impl Histogram {
    pub(super) fn observe(&self, latency: Duration) {
        let nanoseconds = u64::try_from(latency.as_nanos()).unwrap_or(u64::MAX);
        let place = BOUNDS
            .iter()
            .position(|bound| nanoseconds <= bound.saturating_mul(1000));
        let bucket = place.and_then(|place| self.buckets.get(place));
        bucket
            .unwrap_or(&self.above)
            .fetch_add(1, Ordering::Relaxed);
        self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    /// The bounds in seconds with the observations up to each, the last being all.
    pub(super) fn cumulative(&self) -> Vec<(Option<f64>, u64)> {
        let mut sum = 0;
        let mut cumulative = Vec::with_capacity(BOUNDS.len() + 1);
        for (bound, bucket) in BOUNDS.iter().zip(&self.buckets) {
            sum += bucket.load(Ordering::Relaxed);
            cumulative.push((Some(Duration::from_micros(*bound).as_secs_f64()), sum));
        }
        cumulative.push((None, sum + self.above.load(Ordering::Relaxed)));
        cumulative
    }

    pub(super) fn seconds(&self) -> f64 {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed)).as_secs_f64()
    }
}
