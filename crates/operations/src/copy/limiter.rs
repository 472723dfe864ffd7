//! Not more items in a second than was asked for.

use std::time::{Duration, Instant};

/// Holds writers back.
#[derive(Debug)]
pub(super) struct Limiter {
    rate: Option<u64>,
    began: Instant,
}

impl Limiter {
    pub(super) fn new(rate: Option<u64>) -> Self {
        Self {
            rate: rate.filter(|rate| *rate > 0),
            began: Instant::now(),
        }
    }

    /// Waits until so many items may have been written since the beginning.
    pub(super) async fn wait(&self, items: u64) {
        let wait = self.due(items).saturating_sub(self.began.elapsed());
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
    }

    /// How long after the beginning so many items may have been written.
    fn due(&self, items: u64) -> Duration {
        match self.rate {
            Some(rate) => Duration::from_secs_f64(items as f64 / rate as f64),
            None => Duration::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_due_at_the_rate() {
        let limiter = Limiter::new(Some(200));
        assert_eq!(limiter.due(0), Duration::ZERO);
        assert_eq!(limiter.due(500), Duration::from_millis(2500));
        assert_eq!(Limiter::new(None).due(500), Duration::ZERO);
        assert_eq!(Limiter::new(Some(0)).due(500), Duration::ZERO);
    }
}
