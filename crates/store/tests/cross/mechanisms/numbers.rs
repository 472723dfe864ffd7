//! Numbers: each thing has the next number of its shelf.

use crate::design::Design;
use crate::finding::Finding;
use crate::items::{Items, kind, number, text};
use crate::mechanism::{Damage, Mechanism, Outcome, State};
use monotable_item::Item;
use std::collections::BTreeSet;

pub(crate) struct Numbers;

impl Mechanism for Numbers {
    fn name(&self) -> &'static str {
        "numbers"
    }

    fn declare(&self, design: &mut Design) {
        design
            .thing
            .add("number", "integer(0..), numbered = shelfId.lastNumber");
        design
            .shelf
            .add("lastNumber", "integer(0..), default = 0, internal");
    }

    fn values(&self, _: u32, _: State) -> Item {
        Item::new()
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        let mut seen = BTreeSet::new();
        for thing in items.of_type("Thing") {
            let Some(own) = number(thing, "number") else {
                findings.push(Finding::new(
                    "numbers: a thing has no number",
                    text(thing, "PK"),
                ));
                continue;
            };
            // The rows of one item have one number.
            let (shelf, id) = (text(thing, "shelfId"), text(thing, "thingId"));
            let twice = seen
                .iter()
                .any(|(known, n, other)| *known == shelf && *n == own && *other != id);
            seen.insert((shelf, own, id));
            if twice {
                findings.push(Finding::new("numbers: two things have one number", shelf));
            }
            let mut shelves = items.of_type("Shelf");
            let last = shelves
                .find(|known| text(known, "shelfId") == shelf)
                .and_then(|shelf| number(shelf, "lastNumber"));
            if last.is_some_and(|last| last < own) {
                findings.push(Finding::new("numbers: the counter is behind", shelf));
            }
        }
    }

    fn damages(&self) -> Vec<Damage> {
        vec![Damage {
            name: "a counter that is behind",
            apply: |items| {
                for shelf in items.iter_mut().filter(|item| kind(item) == "Shelf") {
                    shelf.insert("lastNumber", 0);
                }
            },
            outcome: Outcome::Mended,
        }]
    }

    fn volatile(&self) -> &'static [&'static str] {
        &["number", "lastNumber"]
    }
}
