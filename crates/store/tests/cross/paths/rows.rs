//! Things that callers write themselves.

use crate::case::{create, delete};
use crate::design::{Design, Entity, ID};
use crate::mechanism::State::{Bare, First, Second};
use crate::path::{Path, Step, calls, scene};
use monotable_item::Item;
use monotable_store::{AnyOperation, Transact};

pub(crate) const CREATE: Path = Path {
    name: "create",
    begin: |case| scene(case, &[(2, Second)]),
    act: |case| calls([case.create(1, First)]),
    same: |case| {
        let mut steps = scene(case, &[]);
        steps.extend(calls([case.create(1, First)]));
        steps.extend(calls(case.arrive(2, Second)));
        steps
    },
    standing: &[(1, First), (2, Second)],
    versions: Some(0),
    notes: Some(1),
    ..Path::NONE
};

pub(crate) const PUT_NEW: Path = Path {
    name: "put of a new row",
    begin: |case| scene(case, &[(2, Second)]),
    act: |case| calls([case.put(1, First)]),
    ..CREATE
};

pub(crate) const PUT: Path = Path {
    name: "put",
    begin: |case| scene(case, &[(1, First), (2, First)]),
    act: |case| calls([case.put(1, Second)]),
    same: |case| scene(case, &[(1, Second), (2, First)]),
    standing: &[(1, Second), (2, First)],
    versions: Some(1),
    notes: Some(1),
    ..Path::NONE
};

pub(crate) const UPDATE: Path = Path {
    name: "update",
    act: |case| calls([case.update(1, First, Second)]),
    ..PUT
};

pub(crate) const UNSET: Path = Path {
    name: "unset",
    act: |case| calls([case.update(1, First, Bare)]),
    same: |case| scene(case, &[(1, Bare), (2, First)]),
    standing: &[(1, Bare), (2, First)],
    ..PUT
};

/// An item of several rows grows, shrinks and goes.
pub(crate) const EACH: Path = Path {
    name: "each",
    begin: |case| scene(case, &[(1, Bare), (2, First)]),
    act: |case| {
        calls([
            case.update(1, Bare, Second),
            case.update(1, Second, First),
            case.delete(2),
        ])
    },
    same: |case| scene(case, &[(1, First)]),
    standing: &[(1, First)],
    notes: Some(3),
    ..Path::NONE
};

pub(crate) const DELETE: Path = Path {
    name: "delete",
    begin: |case| scene(case, &[(1, First), (2, Second)]),
    act: |case| calls([case.delete(1)]),
    same: |case| scene(case, &[(2, Second)]),
    standing: &[(2, Second)],
    versions: Some(1),
    notes: Some(1),
    ..Path::NONE
};

fn on_second_shelf(case: &crate::case::Case, shelves: &[&str]) -> Vec<Step> {
    let mut operations = case.surroundings(shelves);
    operations.extend(case.arrive_on(2, Second, "s2"));
    calls(operations)
}

/// A shelf goes, and the things on it.
pub(crate) const CASCADE: Path = Path {
    name: "cascade",
    begin: |case| {
        let mut steps = on_second_shelf(case, &["s1", "s2"]);
        steps.extend(calls(case.arrive(1, First)));
        steps.extend(calls(case.arrive(3, Second)));
        steps
    },
    act: |_| calls([delete("Shelf", Item::new().with("shelfId", "s1"))]),
    same: |case| on_second_shelf(case, &["s2"]),
    versions: Some(2),
    notes: Some(0),
    ..Path::NONE
};

/// A shelf goes with more things than a transaction takes: it is marked, and they go in chunks.
pub(crate) const LARGE_CASCADE: Path = Path {
    name: "large cascade",
    declare: |design| {
        design
            .shelf
            .add("goingAt", "timestamp?, deleting, internal")
    },
    begin: |case| {
        let mut steps = on_second_shelf(case, &["s1", "s2"]);
        steps.extend(calls((3..=MANY).map(|thing| case.create(thing, First))));
        steps
    },
    versions: Some(MANY as usize - 2),
    things: MANY,
    ..CASCADE
};

/// The last of so many things that their rows alone are more than a transaction takes.
const MANY: u32 = 107;

fn patron() -> AnyOperation {
    create("Patron", Item::new().with("patronId", "p1"))
}

fn declare_patron(design: &mut Design) {
    design.add_entity(Entity::new("Patron", "PATRON#{patronId}", "PATRON").with("patronId", ID));
    design
        .thing
        .add("patronId", "-> Patron?, on_delete = clear");
    design.add_index("Patrons", "PATRON#{patronId}", "THING#{thingId}");
}

/// What a thing refers to goes, and the reference with it.
pub(crate) const CLEAR: Path = Path {
    name: "clear",
    declare: declare_patron,
    begin: |case| {
        let mut steps = vec![Step::Call(patron())];
        steps.extend(scene(case, &[(2, Second)]));
        let patron = Item::new().with("patronId", "p1");
        steps.push(Step::Call(case.create_with(1, First, &patron)));
        steps
    },
    act: |_| calls([delete("Patron", Item::new().with("patronId", "p1"))]),
    same: |case| {
        let mut steps = scene(case, &[(2, Second)]);
        steps.extend(calls([case.create(1, First)]));
        steps
    },
    standing: &[(1, First), (2, Second)],
    notes: Some(0),
    ..Path::NONE
};

pub(crate) const TRANSACT: Path = Path {
    name: "transact",
    begin: |case| scene(case, &[(1, First), (2, Second)]),
    act: |case| {
        calls([AnyOperation::Transact(Transact {
            operations: vec![
                case.create(3, First),
                case.update(1, First, Second),
                case.delete(2),
            ],
        })])
    },
    same: |case| {
        let mut steps = scene(case, &[(1, Second)]);
        steps.extend(calls([case.create(3, First)]));
        steps
    },
    standing: &[(1, Second), (3, First)],
    versions: Some(2),
    notes: Some(3),
    ..Path::NONE
};

/// Calls that are made twice with one token happen once.
pub(crate) const TOKEN: Path = Path {
    name: "token replay",
    begin: |case| scene(case, &[(2, First)]),
    act: |case| {
        let create = Step::Token(case.create(1, First), "create");
        let update = Step::Token(case.update(2, First, Second), "update");
        vec![create.clone(), create, update.clone(), update]
    },
    same: |case| {
        let mut steps = scene(case, &[(2, Second)]);
        steps.extend(calls([case.create(1, First)]));
        steps
    },
    standing: &[(1, First), (2, Second)],
    versions: Some(1),
    notes: Some(2),
    ..Path::NONE
};

/// A delete that is made twice with one token.
pub(crate) const TOKEN_DELETE: Path = Path {
    name: "token delete",
    act: |case| {
        let delete = Step::Token(case.delete(1), "delete");
        vec![delete.clone(), delete]
    },
    ..DELETE
};
