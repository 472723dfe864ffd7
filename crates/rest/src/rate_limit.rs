//! How many requests a caller may make: a bucket of tokens for each, which fills up with time.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// So many callers are counted at once. Those whose buckets are full again are forgotten first.
const MOST_CALLERS: usize = 20_000;

/// How many requests each caller may make.
#[derive(Debug)]
pub(crate) struct RateLimit {
    /// Tokens that come in each second.
    rate: f64,
    /// The most tokens of a bucket.
    burst: f64,
    buckets: Mutex<HashMap<String, Bucket>>,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    tokens: f64,
    seen: Instant,
}

impl RateLimit {
    /// So many requests in a second, and so many at once.
    pub(crate) fn new(rate: f64, burst: f64) -> Self {
        Self {
            rate,
            burst,
            buckets: Mutex::default(),
        }
    }

    /// Takes a token of a caller; if there is none, tells in how many seconds there is.
    pub(crate) fn take(&self, account: &str, now: Instant) -> Result<(), u64> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_CALLERS && !buckets.contains_key(account) {
            buckets.retain(|_, bucket| self.fill(*bucket, now).tokens < self.burst);
            if buckets.len() >= MOST_CALLERS {
                return Err(1);
            }
        }
        let full = Bucket {
            tokens: self.burst,
            seen: now,
        };
        let bucket = buckets.entry(account.to_owned()).or_insert(full);
        *bucket = self.fill(*bucket, now);
        if bucket.tokens >= 1.0 {
            bucket.tokens -= 1.0;
            return Ok(());
        }
        let seconds = ((1.0 - bucket.tokens) / self.rate).ceil();
        // A float becomes the nearest whole number that there is.
        Err((seconds as u64).max(1))
    }

    fn fill(&self, bucket: Bucket, now: Instant) -> Bucket {
        let passed = now.saturating_duration_since(bucket.seen).as_secs_f64();
        Bucket {
            tokens: (bucket.tokens + passed * self.rate).min(self.burst),
            seen: now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let limit = RateLimit::new(0.5, 2.0);
        let begin = Instant::now();
        assert_eq!(limit.take("ann", begin), Ok(()));
        assert_eq!(limit.take("ann", begin), Ok(()));
        assert_eq!(limit.take("ann", begin), Err(2));
        assert_eq!(limit.take("ben", begin), Ok(()));
        assert_eq!(limit.take("ann", begin + Duration::from_secs(1)), Err(1));
        assert_eq!(limit.take("ann", begin + Duration::from_secs(3)), Ok(()));
    }
}
