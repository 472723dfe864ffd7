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
        // `rank` is a number that things have anyway; the other attributes are written for the index alone.
        design.add_wide_index(
            "Shades",
            r#"[["ShadesPK", "ShadesPK2"], ["rank", "ShadesSK2"]]"#,
            r#"[["SHADE#{colour}", "{colour:upper}"], ["{rank}", "{thingId}"]]"#,
        );
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
            judge_shade(thing, findings);
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
        let shade = Damage {
            name: "an attribute of an index of several that is another",
            apply: |items| {
                for_thing(items, |thing| {
                    thing.insert("ShadesPK2", "GREEN");
                    thing.remove("ShadesSK2");
                });
            },
            outcome: Outcome::Mended,
        };
        let lost = Damage {
            name: "a key of an index that is lost",
            apply: |items| {
                for_thing(items, |thing| {
                    thing.remove("ColoursPK");
                    thing.remove("ColoursSK");
                });
            },
            outcome: Outcome::Mended,
        };
        vec![lost, shade]
    }
}

/// All attributes of the index of several are there if a thing has what they show, and none otherwise.
fn judge_shade(thing: &Item, findings: &mut Vec<Finding>) {
    let colour = text(thing, "colour");
    let shown = number(thing, "rank").is_some() && !colour.is_empty();
    let wanted = if shown {
        [
            format!("SHADE#{colour}"),
            colour.to_uppercase(),
            text(thing, "thingId").to_owned(),
        ]
    } else {
        Default::default()
    };
    let stored = ["ShadesPK", "ShadesPK2", "ShadesSK2"].map(|name| text(thing, name).to_owned());
    if stored != wanted {
        findings.push(Finding::new(
            "keys: a key of an index of several attributes is wrong",
            format!("{stored:?} instead of {wanted:?}"),
        ));
    }
}
