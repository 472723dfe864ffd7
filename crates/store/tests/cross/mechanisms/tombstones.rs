//! Tombstones: a delete sets attributes, and the row stays.

use crate::design::Design;
use crate::finding::Finding;
use crate::items::{Items, flag, kind, text};
use crate::mechanism::{Damage, Mechanism, Outcome, State};
use crate::mechanisms::values::for_thing;
use monotable_item::Item;

pub(crate) struct Tombstones;

impl Mechanism for Tombstones {
    fn name(&self) -> &'static str {
        "tombstones"
    }

    fn declare(&self, design: &mut Design) {
        design.give("removed", "boolean, default = false", "");
        design.give("removedAt", "timestamp?", "");
        design
            .thing
            .add_line("tombstone = { removed = true, removedAt = \"{now}\" }");
    }

    fn values(&self, _: u32, _: State) -> Item {
        Item::new()
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        for thing in items.of_type("Thing") {
            let at = text(thing, "removedAt");
            if flag(thing, "removed") == at.is_empty() {
                findings.push(Finding::new("tombstones: a row has half a tombstone", at));
            }
        }
    }

    fn damages(&self) -> Vec<Damage> {
        vec![Damage {
            name: "half a tombstone",
            apply: |items| {
                for_thing(items, |thing| {
                    thing.insert("removedAt", "2025-01-01T00:00:00.000Z");
                });
            },
            // A time without its flag: whether the thing is deleted is for a person to say.
            outcome: Outcome::Left,
        }]
    }

    /// Deleted things stay in the store.
    fn is_history(&self, item: &Item) -> bool {
        kind(item) == "Thing" && flag(item, "removed")
    }
}
