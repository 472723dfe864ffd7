//! Whether a history of calls has an order that explains it: Wing and Gong's search, with Lowe's memory
//! of the states it has been in.

use std::collections::HashSet;
use std::hash::Hash;

/// One call: what was asked and answered, and when. Times come from one counter.
#[derive(Clone, Debug)]
pub struct Call<O> {
    pub operation: O,
    pub start: u64,
    pub end: u64,
}

/// Most calls of a history: one bit each.
const MOST: usize = 64;

/// Whether some order of the calls, in which none comes before one that had ended when it started, leads
/// from `initial` through `step` to the end. `step` gives the next state, or none if the call cannot have
/// been answered so in this state.
pub fn is_linearizable<S: Clone + Eq + Hash, O>(
    initial: S,
    history: &[Call<O>],
    step: impl Fn(&S, &O) -> Option<S>,
) -> bool {
    assert!(history.len() <= MOST, "a history has at most {MOST} calls");
    let all = u64::MAX
        .checked_shr((MOST - history.len()) as u32)
        .unwrap_or(0);
    let mut seen = HashSet::new();
    let mut open = vec![(0u64, initial)];
    while let Some((done, state)) = open.pop() {
        if done == all {
            return true;
        }
        let waiting = || (0..history.len()).filter(move |at| done & (1 << at) == 0);
        // A call that starts after another has ended comes after it.
        let first_end = waiting()
            .map(|at| history[at].end)
            .min()
            .unwrap_or(u64::MAX);
        for at in waiting().filter(|at| history[*at].start < first_end) {
            if let Some(next) = step(&state, &history[at].operation) {
                let place = (done | 1 << at, next);
                if seen.insert(place.clone()) {
                    open.push(place);
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug)]
    enum Register {
        Write(u8),
        Read(u8),
    }
    use Register::{Read, Write};

    fn step(state: &u8, operation: &Register) -> Option<u8> {
        match operation {
            Write(value) => Some(*value),
            Read(value) => (value == state).then_some(*state),
        }
    }

    fn judge(calls: &[(Register, u64, u64)]) -> bool {
        let call = |(operation, start, end): &(Register, u64, u64)| Call {
            operation: operation.clone(),
            start: *start,
            end: *end,
        };
        let history: Vec<_> = calls.iter().map(call).collect();
        is_linearizable(0, &history, step)
    }

    #[test]
    fn what_happens_one_after_another_is_judged_in_that_order() {
        assert!(judge(&[]));
        assert!(judge(&[(Write(1), 0, 1), (Read(1), 2, 3)]));
        assert!(!judge(&[(Write(1), 0, 1), (Read(0), 2, 3)]), "a stale read");
        assert!(
            !judge(&[(Read(1), 0, 1), (Write(1), 2, 3)]),
            "a read of the future"
        );
    }

    #[test]
    fn what_overlaps_may_happen_in_any_order() {
        assert!(judge(&[(Write(1), 0, 3), (Read(0), 1, 2)]));
        assert!(judge(&[(Write(1), 0, 3), (Read(1), 1, 2)]));
        assert!(judge(&[
            (Write(1), 0, 9),
            (Write(2), 1, 8),
            (Read(1), 10, 11)
        ]));
        assert!(judge(&[
            (Write(1), 0, 9),
            (Write(2), 1, 8),
            (Read(2), 10, 11)
        ]));
    }

    #[test]
    fn readers_do_not_disagree_about_the_order() {
        let writes = [(Write(1), 0, 20), (Write(2), 0, 20)];
        let reads = |first, second, third, fourth| {
            let mut calls = writes.to_vec();
            calls.extend([(Read(first), 1, 2), (Read(second), 3, 4)]);
            calls.extend([(Read(third), 5, 6), (Read(fourth), 7, 8)]);
            judge(&calls)
        };
        assert!(reads(0, 1, 2, 2));
        assert!(!reads(1, 0, 2, 2), "back in time");
        assert!(!reads(1, 2, 1, 2), "each write happens once");
    }

    #[test]
    fn a_full_history_is_judged_in_good_time() {
        // 16 rounds of three concurrent writes and a read of one of them.
        let mut calls = Vec::new();
        for round in 0..16 {
            let start = u64::from(round) * 10;
            calls.extend((0..3).map(|value| (Write(value), start, start + 5)));
            calls.push((Read(round % 3), start + 6, start + 7));
        }
        assert!(judge(&calls));
        calls.last_mut().unwrap().0 = Read(9);
        assert!(!judge(&calls));
    }
}
