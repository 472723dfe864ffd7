//! Keys: things are in an index under what they say, and only while a condition holds.

use crate::design::Design;
use crate::finding::Finding;
use crate::items::{Items, kind, number, text};
use crate::mechanism::{Damage, Mechanism, Outcome, State};
use crate::mechanisms::values::for_thing;
use monotable_item::Item;

pub(crate) struct Keys;

impl Mechanism for Keys {
    fn name(&self) -> &'static str {
        "keys"
    }

    fn declare(&self, design: &mut Design) {
        design.give("colour", "text(1..20)?, without = #", "");
        design.give("rank", "integer(0..99)?", "");
        design.add_index("Colours", "COLOUR#{colour}", "{rank:02}#{thingId}");
        design
            .thing
            .add_line("when.Colours = \"attribute_not_exists(rank) OR rank < 50\"");
    }

    fn values(&self, thing: u32, state: State) -> Item {
        match state {
            State::First => Item::new().with("colour", "red").with("rank", thing % 40),
            State::Second => Item::new()
                .with("colour", "blue")
                .with("rank", 50 + thing % 40),
            State::Bare => Item::new().with("rank", thing % 40),
        }
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        for thing in items.of_type("Thing") {
            let rank = number(thing, "rank");
            let colour = text(thing, "colour");
            let shown = rank.is_some_and(|rank| rank < 50) && !colour.is_empty();
            let key = format!("COLOUR#{colour}");
            let wanted = if shown { key.as_str() } else { "" };
            let stored = text(thing, "ColoursPK");
            if stored != wanted {
                findings.push(Finding::new(
                    "keys: a key of an index is wrong",
                    format!("{stored} instead of {wanted}"),
                ));
            }
        }
        let strays = items
            .0
            .iter()
            .filter(|item| kind(item) != "Thing" && !text(item, "ColoursPK").is_empty());
        for stray in strays {
            findings.push(Finding::new(
                "keys: something else is in the index of things",
                kind(stray),
            ));
        }
    }

    fn damages(&self) -> Vec<Damage> {
        vec![Damage {
            name: "a key of an index that is lost",
            apply: |items| {
                for_thing(items, |thing| {
                    thing.remove("ColoursPK");
                    thing.remove("ColoursSK");
                });
            },
            outcome: Outcome::Mended,
        }]
    }
}
