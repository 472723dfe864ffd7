//! Things that change their keys, or are thrown away and taken back.

use crate::case::Case;
use crate::design::{Design, Role};
use crate::mechanism::State::{First, Second};
use crate::path::{Path, Step, calls, scene};
use monotable_item::Item;

fn second_shelf() -> Item {
    Item::new().with("shelfId", "s2")
}

fn moved(case: &Case) -> Vec<Step> {
    let mut steps = scene(case, &[(2, Second)]);
    steps.extend(calls(case.arrive_on(1, First, "s2")));
    steps
}

fn declare_move(design: &mut Design) {
    let carried = match design.carried.as_slice() {
        [] => String::new(),
        carried => format!("\ncarries = {carried:?}"),
    };
    design.add_section(&format!(
        "[move.reshelve]\nof = \"Thing\"\nchanges = [\"shelfId\"]{carried}"
    ));
}

/// A move of the model: the shelf in the key changes, and what belongs to the thing changes with it.
pub(crate) const MOVE: Path = Path {
    name: "move",
    declare: |design| design.thing.add_clause("shelfId", "movable"),
    complete: declare_move,
    begin: |case| scene(case, &[(1, First), (2, Second)]),
    act: |case| calls([case.move_thing("reshelve", 1, second_shelf())]),
    same: moved,
    versions: Some(1),
    notes: Some(1),
    ..Path::NONE
};

/// A move of a thing to which more belongs than a transaction takes: it moves in chunks, the thing last.
pub(crate) const LARGE_MOVE: Path = Path {
    name: "large move",
    begin: |case| {
        let mut steps = scene(case, &[(1, First), (2, Second)]);
        steps.extend(calls(case.crowd(1, "s1")));
        steps
    },
    same: |case| {
        let mut steps = moved(case);
        steps.extend(calls(case.crowd(1, "s2")));
        steps
    },
    ..MOVE
};

/// An update of a movable attribute of the key, of a thing that nothing belongs to.
pub(crate) const REKEY: Path = Path {
    name: "rekey",
    complete: |_| {},
    begin: |case| {
        let mut steps = scene(case, &[(2, Second)]);
        steps.extend(calls([case.create(1, First)]));
        steps
    },
    act: |case| calls([case.set(1, second_shelf())]),
    same: |case| {
        let mut steps = scene(case, &[(2, Second)]);
        steps.extend(calls([case.create_with(1, First, &second_shelf())]));
        steps
    },
    ..MOVE
};

fn throw_away(case: &Case, thing: u32) -> Vec<Step> {
    calls([case.move_thing("bin", thing, Item::new())])
}

fn binned(case: &Case) -> Vec<Step> {
    let mut steps = scene(case, &[(1, First), (2, Second)]);
    steps.extend(throw_away(case, 1));
    steps
}

pub(crate) const SOFT_DELETE: Path = Path {
    name: "soft delete",
    role: Role::Binned,
    begin: |case| scene(case, &[(1, First), (2, Second)]),
    act: |case| throw_away(case, 1),
    same: |case| {
        let mut steps = scene(case, &[(1, Second)]);
        steps.extend(calls([case.update(1, Second, First)]));
        steps.extend(throw_away(case, 1));
        steps.extend(calls(case.arrive(2, Second)));
        steps
    },
    standing: &[(2, Second)],
    notes: Some(1),
    ..Path::NONE
};

pub(crate) const RESTORE: Path = Path {
    name: "restore",
    begin: binned,
    act: |case| calls([case.move_thing("restore", 1, Item::new())]),
    same: |case| scene(case, &[(1, First), (2, Second)]),
    standing: &[(1, First), (2, Second)],
    ..SOFT_DELETE
};

pub(crate) const PURGE: Path = Path {
    name: "purge",
    begin: binned,
    act: |case| calls([case.move_thing("purge", 1, Item::new())]),
    same: |case| scene(case, &[(2, Second)]),
    ..SOFT_DELETE
};
