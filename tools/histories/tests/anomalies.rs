//! The checker finds every kind of anomaly in a history that has it, and none in histories that a serial store has made.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use monotable_histories::check::{AnomalyKind, check};
use monotable_histories::history::{History, Key, Operation, Outcome, Step, Value};
use std::collections::BTreeMap;

fn append(key: Key, values: &[Value]) -> Step {
    let values = values.to_vec();
    Step::Append { key, values }
}

fn read(key: Key, values: &[Value]) -> Step {
    let values = values.to_vec();
    Step::Read { key, values }
}

/// An acknowledged operation of a client of its own.
fn committed(start: u64, end: u64, steps: &[Step]) -> Operation {
    Operation {
        client: u32::try_from(start).unwrap(),
        start,
        end: Some(end),
        outcome: Outcome::Committed,
        steps: steps.to_vec(),
    }
}

fn with_outcome(outcome: Outcome, start: u64, steps: &[Step]) -> Operation {
    Operation {
        outcome,
        end: None,
        ..committed(start, start, steps)
    }
}

fn find(operations: &[Operation]) -> Vec<AnomalyKind> {
    let operations = operations.to_vec();
    let anomalies = check(&History { operations });
    anomalies.iter().map(|anomaly| anomaly.kind).collect()
}

/// All at once: nothing follows from time.
fn find_in_concurrent(steps: &[&[Step]]) -> Vec<AnomalyKind> {
    let operations = steps.iter().map(|steps| committed(0, 9, steps));
    find(&operations.collect::<Vec<_>>())
}

#[test]
fn an_empty_history_is_fine() {
    assert_eq!(find(&[]), []);
}

#[test]
fn g0_writes_in_a_circle() {
    let found = find_in_concurrent(&[
        &[append(1, &[10]), append(2, &[20])],
        &[append(1, &[11]), append(2, &[21])],
        &[read(1, &[10, 11])],
        &[read(2, &[21, 20])],
    ]);
    assert_eq!(found, [AnomalyKind::DirtyWrite]);
}

#[test]
fn g1a_a_value_of_a_refused_operation() {
    let found = find(&[
        with_outcome(Outcome::Aborted, 0, &[append(1, &[10])]),
        committed(5, 6, &[read(1, &[10])]),
    ]);
    assert_eq!(found, [AnomalyKind::AbortedRead]);
}

#[test]
fn g1b_a_part_of_what_was_appended() {
    let whole = &[append(1, &[10, 11])];
    // The reader also comes before and after the same operation.
    let found = find_in_concurrent(&[whole, &[read(1, &[10])]]);
    assert_eq!(
        found,
        [AnomalyKind::IntermediateRead, AnomalyKind::ReadSkew]
    );
    let between = find_in_concurrent(&[whole, &[append(1, &[12])], &[read(1, &[10, 12, 11])]]);
    assert!(between.contains(&AnomalyKind::IntermediateRead));
    assert_eq!(find_in_concurrent(&[whole, &[read(1, &[10, 11])]]), []);
}

#[test]
fn g1c_each_read_from_the_other() {
    let found = find_in_concurrent(&[
        &[append(1, &[10]), read(2, &[20])],
        &[append(2, &[20]), read(1, &[10])],
    ]);
    assert_eq!(found, [AnomalyKind::CircularInformation]);
}

#[test]
fn g_single_one_half_of_a_transaction() {
    let found = find_in_concurrent(&[
        &[append(1, &[10]), append(2, &[20])],
        &[read(1, &[10]), read(2, &[])],
        &[read(1, &[10]), read(2, &[20])],
    ]);
    assert_eq!(found, [AnomalyKind::ReadSkew]);
}

#[test]
fn g2_a_write_skew() {
    let found = find_in_concurrent(&[
        &[read(1, &[]), append(2, &[20])],
        &[read(2, &[]), append(1, &[10])],
        &[read(1, &[10]), read(2, &[20])],
    ]);
    assert_eq!(found, [AnomalyKind::WriteSkew]);
}

#[test]
fn an_acknowledged_append_that_is_gone() {
    let found = find(&[
        committed(0, 1, &[append(1, &[10])]),
        committed(2, 3, &[read(1, &[])]),
    ]);
    assert!(found.contains(&AnomalyKind::LostAppend), "{found:?}");
    // Beside it, or before it, nothing has to be there yet.
    let concurrent = [
        committed(0, 9, &[append(1, &[10])]),
        committed(2, 3, &[read(1, &[])]),
    ];
    assert_eq!(find(&concurrent), []);
}

#[test]
fn a_value_that_was_there_and_is_lost_later() {
    let found = find(&[
        committed(0, 1, &[append(1, &[10])]),
        committed(2, 3, &[read(1, &[10])]),
        committed(4, 5, &[read(1, &[])]),
    ]);
    assert_eq!(found, [AnomalyKind::StaleRead]);
}

#[test]
fn a_stale_read_in_real_time() {
    let write = committed(0, 1, &[append(1, &[10])]);
    let late = committed(7, 8, &[read(1, &[10])]);
    let found = find(&[
        write.clone(),
        committed(2, 3, &[read(1, &[])]),
        late.clone(),
    ]);
    assert_eq!(found, [AnomalyKind::StaleRead]);
    assert_eq!(find(&[write, committed(1, 3, &[read(1, &[])]), late]), []);
}

#[test]
fn a_duplicated_append() {
    let found = find_in_concurrent(&[&[append(1, &[10])], &[read(1, &[10, 10])]]);
    assert_eq!(found, [AnomalyKind::DuplicatedAppend]);
}

#[test]
fn a_phantom() {
    assert_eq!(
        find_in_concurrent(&[&[read(1, &[77])]]),
        [AnomalyKind::PhantomValue]
    );
}

#[test]
fn lists_that_branch() {
    let found = find_in_concurrent(&[
        &[append(1, &[10])],
        &[append(1, &[11])],
        &[read(1, &[10, 11])],
        &[read(1, &[11])],
    ]);
    assert!(found.contains(&AnomalyKind::IncompatibleOrder), "{found:?}");
}

#[test]
fn a_lost_answer_may_mean_either() {
    let lost = with_outcome(Outcome::Unknown, 0, &[append(1, &[10]), append(2, &[20])]);
    let look = |first: &[Value], second: &[Value]| {
        find(&[
            lost.clone(),
            committed(5, 6, &[read(1, first), read(2, second)]),
        ])
    };
    assert_eq!(look(&[], &[]), []);
    assert_eq!(look(&[10], &[20]), []);
    // It took effect as a whole, or not at all.
    assert_eq!(look(&[10], &[]), [AnomalyKind::ReadSkew]);
    // It may take effect after somebody has looked.
    let late = [
        lost.clone(),
        committed(5, 6, &[read(1, &[]), read(2, &[])]),
        committed(7, 8, &[read(1, &[10]), read(2, &[20])]),
    ];
    assert_eq!(find(&late), []);
}

/// Operations of several clients on a store that carries them out one after another, each at some moment between its start
/// and its end. Some answers are lost, before or after the operation took effect, and some operations are refused.
fn run_serially(seed: u64) -> Vec<Operation> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut lists: BTreeMap<Key, Vec<Value>> = BTreeMap::new();
    let mut next_value = 0;
    let mut operations = Vec::new();
    // The moments at which operations take effect rise; starts and ends lie around them.
    for moment in (100..1300_u64).step_by(10) {
        let outcome = match random.u8(0..10) {
            0 => Outcome::Unknown,
            1 => Outcome::Aborted,
            _ => Outcome::Committed,
        };
        let takes_effect = match outcome {
            Outcome::Committed => true,
            Outcome::Aborted => false,
            Outcome::Unknown => random.bool(),
        };
        let mut steps = Vec::new();
        for key in 0..4 {
            match random.u8(0..4) {
                0 => {
                    let values: Vec<Value> = (0..random.u64(1..3))
                        .map(|more| next_value + more)
                        .collect();
                    next_value += 5;
                    if takes_effect {
                        lists.entry(key).or_default().extend(&values);
                    }
                    steps.push(append(key, &values));
                }
                1 => steps.push(read(key, lists.get(&key).map_or(&[], Vec::as_slice))),
                _ => {}
            }
        }
        let (start, end) = (moment - random.u64(0..60), moment + random.u64(0..60));
        operations.push(Operation {
            end: (outcome != Outcome::Unknown).then_some(end),
            outcome,
            ..committed(start, end, &steps)
        });
    }
    operations
}

#[test]
fn what_a_serial_store_does_is_serializable() {
    for seed in 0..60 {
        let history = History {
            operations: run_serially(seed),
        };
        let anomalies = check(&history);
        assert!(
            anomalies.is_empty(),
            "seed {seed}: {}",
            anomalies.first().unwrap()
        );
    }
}

/// One value less in one list that somebody saw: a list that ends early is stale or skewed, unless the read could have come
/// before; a value out of the middle always shows.
#[test]
fn a_value_missing_from_the_middle_always_shows() {
    let mut tried = 0;
    for seed in 0..40 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut operations = run_serially(seed);
        let committed = operations
            .iter_mut()
            .filter(|operation| operation.outcome == Outcome::Committed);
        let long = committed
            .flat_map(|operation| &mut operation.steps)
            .filter_map(|step| match step {
                Step::Read { values, .. } if values.len() > 4 => Some(values),
                _ => None,
            });
        let mut long: Vec<_> = long.collect();
        let Some(values) = random.choice(long.iter_mut()) else {
            continue;
        };
        values.remove(random.usize(0..values.len() - 1));
        tried += 1;
        assert!(!check(&History { operations }).is_empty(), "seed {seed}");
    }
    assert!(tried > 20);
}
