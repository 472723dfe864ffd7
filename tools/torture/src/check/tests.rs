//! What the check must find: each of these is a bug that an engine might have.

use super::*;
use crate::place::{Place, Table};
use crate::record::Record;
use crate::version::Stamp;
use crate::write::{Change, Outcome, Part, Write};

fn stamp(sequence: u32) -> Stamp {
    Stamp {
        writer: 1,
        thread: 0,
        sequence,
    }
}

fn part(key: u16, change: Change) -> Part {
    Part {
        place: Place {
            table: Table::Wide,
            key,
        },
        change,
        condition: None,
    }
}

const PUT: Change = Change::Put { size: 10 };

/// Three acknowledged requests, and one in doubt.
fn requests() -> [Write; 4] {
    [
        Write::Batch(vec![part(1, PUT), part(2, PUT)]),
        Write::One(part(1, Change::Delete)),
        Write::One(part(3, PUT)),
        Write::Transact {
            parts: vec![part(4, PUT), part(2, PUT)],
            token: true,
        },
    ]
}

fn history() -> History {
    let mut history = History::of(1);
    for (sequence, write) in (1..).zip(requests()) {
        history.take(Record::Intent(stamp(sequence), write));
        if sequence < 4 {
            history.take(Record::Answer(stamp(sequence), Outcome::Done));
        }
    }
    history
}

/// The state after so many requests.
fn state(done: usize) -> ThreadState {
    let mut state = ThreadState::default();
    for (sequence, write) in (1..).zip(requests()).take(done) {
        state.apply(stamp(sequence), &write);
    }
    state
}

fn settle(state: ThreadState, promise: Promise) -> Result<Settlement, Vec<String>> {
    let observed = Observed {
        threads: vec![state],
        ..Observed::default()
    };
    Model::of(1).settle(&history(), &observed, promise)
}

fn strictly(state: ThreadState) -> Result<Settlement, Vec<String>> {
    settle(state, Promise::Everything)
}

#[test]
fn a_request_in_doubt_may_be_there_or_not() {
    let without = strictly(state(3)).unwrap();
    assert_eq!((without.in_doubt, without.in_doubt_done), (1, 0));
    assert_eq!((without.claimed.len(), without.unclaimed.len()), (0, 1));
    let with = strictly(state(4)).unwrap();
    assert_eq!((with.in_doubt, with.in_doubt_done), (1, 1));
    assert_eq!((with.claimed.len(), with.unclaimed.len()), (1, 0));
}

#[test]
fn a_lost_write_is_found() {
    let violations = strictly(state(2)).unwrap_err();
    assert!(
        violations[0].contains("the last 1 acknowledged requests are lost"),
        "{violations:?}"
    );
}

#[test]
fn a_write_lost_in_between_is_found() {
    let mut lost = state(3);
    let place = part(2, PUT).place;
    lost.items.remove(&place);
    assert!(strictly(lost).unwrap_err()[0].contains("no number of requests"));
}

#[test]
fn half_a_transaction_is_found() {
    let mut torn = state(3);
    let place = part(4, PUT).place;
    torn.items.insert(place, state(4).items[&place].clone());
    assert!(strictly(torn).is_err());
}

#[test]
fn a_deleted_item_that_is_back_is_found() {
    let mut back = state(3);
    let place = part(1, PUT).place;
    back.items.insert(place, state(1).items[&place].clone());
    assert!(strictly(back).is_err());
}

#[test]
fn a_mixture_of_two_versions_is_found() {
    let mut mixed = state(4);
    let place = part(2, PUT).place;
    let old = state(3).items[&place].get("payload").unwrap().clone();
    mixed.items.get_mut(&place).unwrap().insert("payload", old);
    assert!(strictly(mixed).is_err());
}

#[test]
fn a_relaxed_engine_may_lose_the_end_but_not_the_middle() {
    let long_ago = Instant::now().checked_sub(std::time::Duration::from_secs(3600));
    let prefix = Promise::Prefix {
        before: long_ago.unwrap(),
    };
    let settled = settle(state(1), prefix).unwrap();
    assert_eq!(settled.lost, 2);
    let mut hole = state(3);
    hole.items.remove(&part(2, PUT).place);
    assert!(settle(hole, prefix).is_err());
}

#[test]
fn a_relaxed_engine_must_keep_what_is_old() {
    let prefix = Promise::Prefix {
        before: Instant::now() + std::time::Duration::from_secs(3600),
    };
    assert!(settle(state(2), prefix).is_err());
    assert!(settle(state(3), prefix).is_ok());
}

/// Thread 1 sends after thread 0 was answered: the later one alone cannot be there.
#[test]
fn threads_are_lost_at_one_moment() {
    let mut history = History::of(2);
    let later = Stamp {
        thread: 1,
        ..stamp(1)
    };
    for stamp in [stamp(1), later] {
        history.take(Record::Intent(stamp, Write::Count(0)));
        history.take(Record::Answer(stamp, Outcome::Done));
    }
    let mut counted = ThreadState::default();
    counted.apply(later, &Write::Count(0));
    let prefix = Promise::Prefix {
        before: Instant::now()
            .checked_sub(std::time::Duration::from_secs(3600))
            .unwrap(),
    };
    let settle = |threads: [ThreadState; 2]| {
        let observed = Observed {
            threads: threads.into(),
            ..Observed::default()
        };
        Model::of(2).settle(&history, &observed, prefix)
    };
    assert!(settle([counted.clone(), ThreadState::default()]).is_ok());
    let violations = settle([ThreadState::default(), counted]).unwrap_err();
    assert!(
        violations[0].contains("answered before it was sent"),
        "{violations:?}"
    );
}
