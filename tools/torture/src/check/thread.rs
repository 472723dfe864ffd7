//! Finds the point in a thread's requests that its state is of.

use super::{Promise, difference};
use crate::history::{Sent, Standing};
use crate::model::ThreadState;
use crate::place::{Place, Table};
use crate::write::{Outcome, Write};
use std::collections::BTreeSet;

/// Differences that are told one by one.
const MOST_DIFFERENCES: usize = 3;

/// A request that was carried out, or in doubt.
#[derive(Debug)]
pub(super) struct Step<'a> {
    pub(super) sent: &'a Sent,
    /// Whether it claimed its token, if it was carried out.
    pub(super) claims: bool,
}

/// What became of a thread's requests.
#[derive(Debug)]
pub(super) struct Settled<'a> {
    /// Those that may have been carried out, in order.
    pub(super) line: Vec<Step<'a>>,
    /// Whether the last of them is in doubt.
    pub(super) in_doubt: bool,
    /// How many are carried out.
    pub(super) done: usize,
    /// The fewest that may be: some requests change nothing, or what others change back.
    pub(super) least: usize,
}

pub(super) fn settle_thread<'a>(
    before: &ThreadState,
    sent: &'a [Sent],
    observed: &ThreadState,
    promise: Promise,
) -> Result<Settled<'a>, Vec<String>> {
    let (walk, violations) = Walk::along(before, sent, observed);
    if !violations.is_empty() {
        return Err(violations);
    }
    let acknowledged = walk.line.len() - usize::from(walk.in_doubt);
    let required = match promise {
        Promise::Everything => acknowledged,
        Promise::Prefix { before } => {
            let early = |step: &&Step<'_>| {
                let answer = step.sent.answer.as_ref();
                answer.is_some_and(|answer| answer.received < before)
            };
            walk.line.iter().take_while(early).count()
        }
    };
    let fitting = walk
        .matching
        .iter()
        .copied()
        .filter(|done| *done >= required);
    match fitting.clone().max() {
        Some(done) => Ok(Settled {
            in_doubt: walk.in_doubt,
            done,
            least: fitting.min().unwrap_or(done),
            line: walk.line,
        }),
        None => Err(walk.explain(acknowledged, observed)),
    }
}

/// The states along a thread's requests, compared with what is there.
struct Walk<'a> {
    line: Vec<Step<'a>>,
    in_doubt: bool,
    /// After how many requests the state is what is there.
    matching: Vec<usize>,
    /// The state after all acknowledged requests.
    acknowledged: ThreadState,
}

impl<'a> Walk<'a> {
    fn along(
        before: &ThreadState,
        sent: &'a [Sent],
        observed: &ThreadState,
    ) -> (Self, Vec<String>) {
        let mut state = before.clone();
        let mut comparison = Comparison::of(&state, observed);
        let mut walk = Self {
            line: Vec::new(),
            in_doubt: false,
            matching: comparison.is_equal().then_some(0).into_iter().collect(),
            acknowledged: ThreadState::default(),
        };
        let mut violations = Vec::new();
        for sent in sent
            .iter()
            .filter(|sent| sent.standing() != Standing::NotDone)
        {
            if walk.in_doubt {
                let answer = sent.answer.as_ref();
                if answer.is_some_and(|answer| answer.outcome == Outcome::Done) {
                    let stamp = sent.stamp;
                    violations.push(format!("request {stamp}: done after a failed one"));
                }
                // Refused for its own fault, or failed as well: it changes nothing.
                continue;
            }
            walk.in_doubt = sent.standing() == Standing::InDoubt;
            if walk.in_doubt {
                walk.acknowledged = state.clone();
            }
            let expected = state.apply(sent.stamp, &sent.write);
            if let Some(answer) = &sent.answer
                && !walk.in_doubt
                && answer.outcome != expected
            {
                violations.push(format!(
                    "request {}: answered {:?}, must be {expected:?}: {:?}",
                    sent.stamp, answer.outcome, sent.write
                ));
            }
            comparison.update(&sent.write, &state, observed);
            walk.line.push(Step {
                sent,
                claims: expected == Outcome::Done,
            });
            if comparison.is_equal() {
                walk.matching.push(walk.line.len());
            }
        }
        if !walk.in_doubt {
            walk.acknowledged = state;
        }
        (walk, violations)
    }

    fn explain(&self, acknowledged: usize, observed: &ThreadState) -> Vec<String> {
        let thread = self.line.first().map_or(0, |step| step.sent.stamp.thread);
        let lost = self
            .matching
            .iter()
            .max()
            .map(|done| acknowledged.saturating_sub(*done));
        let what = match lost {
            Some(lost) => format!("the last {lost} acknowledged requests are lost"),
            None => {
                "the state is that after no number of requests: torn, or lost in between".into()
            }
        };
        let mut violations = vec![format!(
            "thread {thread}, {acknowledged} acknowledged, {} in doubt: {what}",
            usize::from(self.in_doubt)
        )];
        let differences = difference::all(&self.acknowledged, observed).take(MOST_DIFFERENCES);
        violations.extend(differences.map(|difference| format!("thread {thread}: {difference}")));
        violations
    }
}

/// Which parts of two states differ, kept up to date by looking only at what a request changes.
struct Comparison {
    different: BTreeSet<Place>,
    side: bool,
    counts: bool,
}

impl Comparison {
    fn of(state: &ThreadState, observed: &ThreadState) -> Self {
        let mut comparison = Self {
            different: BTreeSet::new(),
            side: true,
            counts: true,
        };
        comparison.look(Place::all(), state, observed);
        comparison
    }

    fn update(&mut self, write: &Write, state: &ThreadState, observed: &ThreadState) {
        match write {
            Write::DeleteSide => {
                let side = Place::all().filter(|place| place.table == Table::Side);
                self.look(side, state, observed);
            }
            _ => self.look(
                write.parts().into_iter().map(|part| part.place),
                state,
                observed,
            ),
        }
    }

    fn look(
        &mut self,
        places: impl Iterator<Item = Place>,
        state: &ThreadState,
        observed: &ThreadState,
    ) {
        for place in places {
            if state.items.get(&place) == observed.items.get(&place) {
                self.different.remove(&place)
            } else {
                self.different.insert(place)
            };
        }
        self.side = state.has_side == observed.has_side;
        self.counts = state.counts == observed.counts;
    }

    fn is_equal(&self) -> bool {
        self.different.is_empty() && self.side && self.counts
    }
}
