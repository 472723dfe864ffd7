//! What is done to all items at once.

use crate::mechanism::State::{First, Second};
use crate::path::{Path, Step, calls, scene};

/// A backup loaded into an empty store.
pub(crate) const LOAD: Path = Path {
    name: "load",
    begin: |case| scene(case, &[(1, First), (2, Second)]),
    act: |_| vec![Step::Reload],
    same: |case| scene(case, &[(1, First), (2, Second)]),
    standing: &[(1, First), (2, Second)],
    versions: Some(0),
    notes: Some(0),
    ..Path::NONE
};

/// Rows of an old layout written as they are written today, and changed after that.
pub(crate) const CONVERT: Path = Path {
    name: "convert",
    complete: |design| {
        let [_, sort] = design.thing.key.clone();
        design.add_section(&format!(
            "[entity.Thing.layout.old]\nkey = [\"OLD#{{shelfId}}\", \"{sort}\"]"
        ));
    },
    begin: |case| {
        let mut steps = scene(case, &[]);
        steps.extend(calls([case.create(1, First), case.create(2, Second)]));
        steps
    },
    act: |_| vec![Step::Convert],
    same: |case| {
        let mut steps = scene(case, &[]);
        steps.extend(calls([case.create(1, First), case.create(2, Second)]));
        steps
    },
    layout: Some("old"),
    ..LOAD
};

/// A table that another program wrote in an old layout, without anything that the store can make by itself.
pub(crate) const ADOPT: Path = Path {
    name: "adopt",
    act: |case| vec![Step::Damage(case.mendable_damages()), Step::Adopt],
    ..CONVERT
};

/// What each mechanism can lose is lost, found and put right; see `repair.rs`.
pub(crate) const REPAIR: Path = Path {
    name: "repair",
    act: |_| Vec::new(),
    ..LOAD
};
