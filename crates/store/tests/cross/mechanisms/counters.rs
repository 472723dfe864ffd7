//! Counters: shelves and boxes count the things that refer to them.

use crate::case::create;
use crate::design::{Design, Entity, ID, Role};
use crate::finding::Finding;
use crate::items::{Items, kind, number, text};
use crate::mechanism::{Damage, Mechanism, Outcome, State};
use monotable_item::Item;
use monotable_store::AnyOperation;

pub(crate) struct Counters;

impl Mechanism for Counters {
    fn name(&self) -> &'static str {
        "counters"
    }

    fn declare(&self, design: &mut Design) {
        design.thing.add_clause("shelfId", "counted = things");
        design.shelf.add("things", "integer(0..), default = 0");
        let crates = Entity::new("Crate", "CRATE#{crateId}", "CRATE")
            .with("crateId", ID)
            .with("content", "integer(0..), default = 0");
        design.add_entity(crates);
        let default = if design.role == Role::Leaf {
            ", default = 'c1'"
        } else {
            ""
        };
        let counted = format!("-> Crate?, counted = content, on_delete = keep{default}");
        design.give_declared("crateId", "text(1..20)?", &counted);
    }

    fn surroundings(&self, _role: Role, _things: u32) -> Vec<AnyOperation> {
        let crates = ["c1", "c2"].map(|id| create("Crate", Item::new().with("crateId", id)));
        crates.to_vec()
    }

    fn values(&self, _: u32, state: State) -> Item {
        match state {
            State::First => Item::new().with("crateId", "c1"),
            State::Second => Item::new().with("crateId", "c2"),
            State::Bare => Item::new(),
        }
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        for (kind, id, counter) in [
            ("Shelf", "shelfId", "things"),
            ("Crate", "crateId", "content"),
        ] {
            for row in items.of_type(kind) {
                let things = items.of_type("Thing");
                let count = things
                    .filter(|thing| text(thing, id) == text(row, id))
                    .count();
                let stored = number(row, counter).unwrap_or(0);
                if stored != count as i64 {
                    findings.push(Finding::new(
                        format!("counters: `{counter}` is not the count"),
                        format!("{stored} instead of {count} at {}", text(row, id)),
                    ));
                }
            }
        }
    }

    fn damages(&self) -> Vec<Damage> {
        vec![Damage {
            name: "a counter that is wrong",
            apply: |items| {
                for shelf in items.iter_mut().filter(|item| kind(item) == "Shelf") {
                    shelf.insert("things", 7);
                }
            },
            outcome: Outcome::Mended,
        }]
    }
}
