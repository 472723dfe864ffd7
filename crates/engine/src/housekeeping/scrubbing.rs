//! Reads the store's files in the background, to find damage before it is needed.

use crate::clock::Clock;
use crate::commit::Published;
use crate::moment::Moment;
use crate::store::ScrubStep;
use std::time::Duration;

/// From the beginning of one pass to that of the next one, at least.
const INTERVAL: Duration = Duration::from_secs(3600);
/// The first pass begins so long after the store was opened: a short visit reads nothing.
const FIRST: Duration = Duration::from_secs(60);
/// What was not read in time is not made up for beyond this.
const MOST_ARREARS: Duration = Duration::from_secs(1);

/// When the scrub may read again, and how much.
pub(super) struct Scrubbing {
    bytes_per_second: u64,
    /// When the next pass begins; none while one is going on.
    next_pass: Option<Moment>,
    last_step: Moment,
}

impl Scrubbing {
    pub(super) fn new(bytes_per_second: u64, now: Moment) -> Self {
        Self {
            bytes_per_second,
            next_pass: Some(now + FIRST),
            last_step: now,
        }
    }

    /// Reads as much as may be read by now.
    pub(super) fn round(&mut self, published: &Published, clock: &dyn Clock) {
        let now = Moment::now(clock);
        let elapsed = now.since(self.last_step).min(MOST_ARREARS);
        self.last_step = now;
        if self.bytes_per_second == 0 || self.next_pass.is_some_and(|next| now < next) {
            return;
        }
        let bytes = (self.bytes_per_second as f64 * elapsed.as_secs_f64()) as u64;
        if bytes == 0 {
            return;
        }
        self.next_pass = match published.store.scrub(bytes, clock.now()) {
            ScrubStep::More => None,
            ScrubStep::PassDone => Some(now + INTERVAL),
        };
    }
}
