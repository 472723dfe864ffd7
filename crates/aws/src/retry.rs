//! Which failures are tried again, when, and how often: the standard mode of the AWS SDKs.
//!
//! The wait before a retry is random between nothing and a bound that doubles each time, so that
//! clients that were throttled together do not come back together. All calls of a client share a
//! quota: while a service is down, most of them fail at once instead of tripling its load.

use monotable_api::Error;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The bound of the first wait; the SDKs use this for DynamoDB.
const FIRST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(20);

const QUOTA: u32 = 500;
const RETRY_COST: u32 = 5;
const TIMEOUT_COST: u32 = 10;

/// What failed, as far as trying again is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Trying again changes nothing.
    Final,
    /// It may work later.
    Later,
    /// It may work later, and has already taken its time.
    LaterAfterTimeout,
    /// What was wrong has been put right: it is to be tried at once.
    Now,
}

/// The rules and the quota of one client.
#[derive(Debug)]
pub(crate) struct Retries {
    max_attempts: u32,
    /// What is left. Only its size matters, so relaxed operations are enough.
    quota: AtomicU32,
}

impl Retries {
    pub(crate) fn new(max_attempts: u32) -> Self {
        Self {
            max_attempts: max_attempts.max(1),
            quota: AtomicU32::new(QUOTA),
        }
    }

    /// The attempts of one call.
    pub(crate) const fn start(&self) -> Attempts<'_> {
        Attempts {
            retries: self,
            made: 0,
            paid: 0,
        }
    }

    fn pay(&self, cost: u32) -> bool {
        let subtract = |left: u32| left.checked_sub(cost);
        self.quota
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, subtract)
            .is_ok()
    }

    fn give_back(&self, amount: u32) {
        let add = |left: u32| Some(left.saturating_add(amount).min(QUOTA));
        let _ = self
            .quota
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }
}

/// The attempts of one call.
pub(crate) struct Attempts<'a> {
    retries: &'a Retries,
    /// Attempts that have failed.
    made: u32,
    /// What the last retry took from the quota.
    paid: u32,
}

impl Attempts<'_> {
    /// An attempt has failed. How long to wait before the next one, if there is one.
    pub(crate) fn failed(&mut self, verdict: Verdict) -> Option<Duration> {
        self.made += 1;
        let cost = match verdict {
            Verdict::Final => return None,
            Verdict::Now => 0,
            Verdict::Later => RETRY_COST,
            Verdict::LaterAfterTimeout => TIMEOUT_COST,
        };
        if self.made >= self.retries.max_attempts || !self.retries.pay(cost) {
            return None;
        }
        self.paid = cost;
        Some(match verdict {
            Verdict::Now => Duration::ZERO,
            _ => bound(self.made).mul_f64(fastrand::f64()),
        })
    }

    /// An attempt has succeeded: what its retry took goes back, or a little after a first attempt.
    pub(crate) fn succeeded(self) {
        self.retries.give_back(self.paid.max(1));
    }
}

/// The longest wait after so many failed attempts.
fn bound(failed: u32) -> Duration {
    let doublings = failed.saturating_sub(1).min(16);
    FIRST_WAIT.saturating_mul(1 << doublings).min(LONGEST_WAIT)
}

/// Conflicts between transactions are left to the caller, who may want to read again first.
pub(crate) const fn verdict(error: &Error) -> Verdict {
    match error {
        Error::ProvisionedThroughputExceededException { .. }
        | Error::RequestLimitExceeded { .. }
        | Error::ThrottlingException { .. }
        | Error::LimitExceededException { .. }
        | Error::TransactionInProgressException { .. }
        | Error::ReplicatedWriteConflictException { .. }
        | Error::InternalServerError { .. }
        | Error::ServiceUnavailable { .. } => Verdict::Later,
        _ => Verdict::Final,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_doubles_up_to_the_longest_wait() {
        let bounds: Vec<_> = [1, 2, 3, 9, 10, u32::MAX]
            .map(|failed| bound(failed).as_millis())
            .to_vec();
        assert_eq!(bounds, [50, 100, 200, 12_800, 20_000, 20_000]);
    }

    #[test]
    fn three_attempts_and_no_more() {
        let retries = Retries::new(3);
        let mut attempts = retries.start();
        assert!(attempts.failed(Verdict::Later).unwrap() <= Duration::from_millis(50));
        assert!(attempts.failed(Verdict::Now).unwrap().is_zero());
        assert_eq!(attempts.failed(Verdict::Later), None);
        assert_eq!(Retries::new(0).start().failed(Verdict::Now), None);
        assert_eq!(retries.start().failed(Verdict::Final), None);
    }

    #[test]
    fn the_quota_runs_out_and_is_earned_back() {
        let retries = Retries::new(2);
        let granted = (0..1000)
            .filter(|_| retries.start().failed(Verdict::Later).is_some())
            .count();
        assert_eq!(granted, 100);
        for _ in 0..4 {
            retries.start().succeeded();
        }
        assert_eq!(retries.start().failed(Verdict::Later), None);
        retries.start().succeeded();
        let mut attempts = retries.start();
        assert!(attempts.failed(Verdict::Later).is_some());
        attempts.succeeded();
        assert!(retries.start().failed(Verdict::Later).is_some());
    }

    #[test]
    fn waits_are_spread_over_the_whole_range() {
        let retries = Retries::new(2);
        let waits: Vec<_> = (0..100)
            .filter_map(|_| retries.start().failed(Verdict::Later))
            .collect();
        let short = waits.iter().filter(|wait| wait.as_millis() < 25).count();
        assert!((10..=90).contains(&short), "{short} of {}", waits.len());
    }
}
