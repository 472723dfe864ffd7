//! Things that are kept as revisions.

use crate::case::{Case, REPOSITORY};
use crate::design::Role;
use crate::mechanism::State::{First, Second};
use crate::path::{Path, Step, calls};
use monotable_item::Item;
use monotable_store::{AnyOperation, Carry};

fn committed(case: &Case, changes: Vec<AnyOperation>) -> Vec<Step> {
    let mut steps = calls(case.surroundings(&[]));
    steps.push(Step::Call(case.commit(changes)));
    steps
}

pub(crate) const COMMIT: Path = Path {
    name: "commit",
    role: Role::Snapshot,
    begin: |case| committed(case, vec![case.create(1, First), case.create(2, First)]),
    act: |case| {
        let changes = vec![
            case.update(1, First, Second),
            case.delete(2),
            case.create(3, First),
        ];
        calls([case.commit(changes)])
    },
    same: |case| committed(case, vec![case.create(1, Second), case.create(3, First)]),
    standing: &[(1, Second), (3, First)],
    ..Path::NONE
};

/// The rows of an old revision committed again.
pub(crate) const REVERT: Path = Path {
    name: "revert",
    begin: |case| {
        let mut operations = case.surroundings(&[]);
        operations.extend([case.create(1, First)]);
        let mut steps = calls([case.commit(operations)]);
        steps.extend(calls([
            case.update(1, First, Second),
            case.create(2, First),
        ]));
        steps
    },
    act: |_| vec![Step::Revert],
    same: |case| committed(case, vec![case.create(1, First)]),
    standing: &[(1, First)],
    ..COMMIT
};

/// Rows of one day taken to the next.
pub(crate) const CARRY: Path = Path {
    name: "carry",
    declare: |design| {
        design.add_section(
            "[carry.rollover]\nof = \"Thing\"\nfrom = \"things\"\nto = \"things\"\nset = { repoId = \"{repoId:next}\", reason = \"carried\" }",
        );
    },
    begin: |case| {
        let mut steps = committed(case, vec![case.create(1, First), case.create(2, Second)]);
        steps.push(Step::Call(
            case.commit_to("2025-01-02", case.surroundings(&[])),
        ));
        steps
    },
    act: |_| {
        calls([AnyOperation::Carry(Carry {
            name: "rollover".to_owned(),
            key: Item::new().with("repoId", REPOSITORY),
            values: Item::new(),
        })])
    },
    same: |case| committed(case, vec![case.create(1, First), case.create(2, Second)]),
    standing: &[(1, First), (2, Second)],
    ..COMMIT
};
