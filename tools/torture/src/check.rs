//! Holds what is there against what was asked for.
//!
//! A thread waits for each answer, and nobody else writes its keys. So after a crash its state must be
//! that after all of its acknowledged requests, and maybe the one in doubt, whole: nothing lost,
//! nothing torn, nothing come back. With [`Promise::Prefix`] it may be that after fewer requests, but
//! then of all threads those of one point in time.

mod difference;
mod prefix;
mod thread;

use self::thread::{Settled, settle_thread};
use crate::history::{History, Sent};
use crate::model::ThreadState;
use crate::observed::Observed;
use crate::place::LASTING;
use std::collections::BTreeSet;
use std::time::Instant;

/// What must survive.
#[derive(Clone, Copy, Debug)]
pub enum Promise {
    /// Everything that was acknowledged.
    Everything,
    /// What was acknowledged before this; of what came later, what was done before some moment.
    Prefix {
        /// The latest moment whose acknowledgements must survive.
        before: Instant,
    },
}

/// What must be there.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The state of each thread.
    pub threads: Vec<ThreadState>,
    /// The lasting tables that must be there.
    pub lasting: BTreeSet<String>,
}

/// What became of the requests.
#[derive(Debug, Default)]
pub struct Settlement {
    /// What must be there from now on.
    pub model: Model,
    /// Requests with a token that were carried out.
    pub claimed: Vec<Sent>,
    /// Requests with a token that were in doubt, and were not carried out.
    pub unclaimed: Vec<Sent>,
    /// Requests that were in doubt.
    pub in_doubt: u64,
    /// Those of them that turned out to be carried out.
    pub in_doubt_done: u64,
    /// Acknowledged requests that are lost, as the promise allows.
    pub lost: u64,
}

impl Model {
    /// Nothing yet.
    #[must_use]
    pub fn of(threads: u8) -> Self {
        Self {
            threads: vec![ThreadState::default(); usize::from(threads)],
            lasting: BTreeSet::new(),
        }
    }

    /// Finds out which requests were carried out, or what is wrong.
    ///
    /// # Errors
    ///
    /// All violations of the promise.
    pub fn settle(
        &self,
        history: &History,
        observed: &Observed,
        promise: Promise,
    ) -> Result<Settlement, Vec<String>> {
        let mut violations = observed.problems.clone();
        violations.extend(self.check_lasting(history, observed, promise));
        let mut settled: Vec<Settled<'_>> = Vec::new();
        let threads = self.threads.iter().zip(&observed.threads);
        for ((state, observed), sent) in threads.zip(&history.threads) {
            match settle_thread(state, sent, observed, promise) {
                Ok(thread) => settled.push(thread),
                Err(found) => violations.extend(found),
            }
        }
        if violations.is_empty() && matches!(promise, Promise::Prefix { .. }) {
            violations.extend(prefix::check(&settled));
        }
        if violations.is_empty() {
            Ok(settlement(settled, observed))
        } else {
            Err(violations)
        }
    }

    fn check_lasting(
        &self,
        history: &History,
        observed: &Observed,
        promise: Promise,
    ) -> Vec<String> {
        let created = match promise {
            Promise::Everything => Some(&history.created),
            // When they were made is not recorded.
            Promise::Prefix { .. } => None,
        };
        LASTING
            .into_iter()
            .filter(|name| !observed.lasting.contains(*name))
            .filter(|name| {
                self.lasting.contains(*name) || created.is_some_and(|made| made.contains(*name))
            })
            .map(|name| format!("table {name}: made, acknowledged, and gone"))
            .collect()
    }

    /// What differs from what is there, when nothing is in doubt.
    #[must_use]
    pub fn differences(&self, observed: &Observed) -> Vec<String> {
        let mut found = observed.problems.clone();
        for (thread, (state, observed)) in self.threads.iter().zip(&observed.threads).enumerate() {
            let differences = difference::all(state, observed);
            found.extend(differences.map(|difference| format!("thread {thread}: {difference}")));
        }
        found
    }
}

fn settlement(settled: Vec<Settled<'_>>, observed: &Observed) -> Settlement {
    let mut settlement = Settlement::default();
    settlement.model.lasting = observed.lasting.clone();
    for (thread, state) in settled.into_iter().zip(&observed.threads) {
        settlement.in_doubt += u64::from(thread.in_doubt);
        settlement.in_doubt_done += u64::from(thread.in_doubt && thread.done == thread.line.len());
        let acknowledged = thread.line.len() - usize::from(thread.in_doubt);
        settlement.lost += acknowledged.saturating_sub(thread.done) as u64;
        for (place, step) in thread.line.iter().enumerate() {
            if !step.sent.write.has_token() {
                continue;
            }
            if place < thread.done && step.claims {
                settlement.claimed.push(step.sent.clone());
            } else if place == thread.done && place + 1 == thread.line.len() && thread.in_doubt {
                settlement.unclaimed.push(step.sent.clone());
            }
        }
        settlement.model.threads.push(state.clone());
    }
    settlement
}

#[cfg(test)]
mod tests;
