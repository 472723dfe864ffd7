//! Values: kinds, defaults, generated and computed values, hashes, rules of a row.

use crate::case::Case;
use crate::design::Design;
use crate::finding::Finding;
use crate::items::{Items, kind, text};
use crate::mechanism::{Damage, Mechanism, Outcome, Probe, State};
use monotable_item::Item;
use monotable_store::ErrorKind;

pub(crate) struct Values;

impl Mechanism for Values {
    fn name(&self) -> &'static str {
        "values"
    }

    fn declare(&self, design: &mut Design) {
        design.give("mood", "calm | wild, default = calm", "");
        design.give("size", "integer(0..99)?", "");
        design.give("password", "text(1..90)?", ", secret, hashed = bcrypt(4)");
        let thing = &mut design.thing;
        thing.add("serial", "uuid, generated");
        thing.add("madeAt", "timestamp, created");
        thing.add("changedAt", "timestamp, updated");
        thing.add("label", "= {thingId} is {mood}");
        thing.add_line("must.is_small = \"attribute_not_exists(size) OR size < 90\"");
    }

    fn values(&self, thing: u32, state: State) -> Item {
        let values = Item::new();
        match state {
            State::First => values
                .with("mood", "calm")
                .with("size", 3)
                .with("password", format!("first{thing}")),
            State::Second => values
                .with("mood", "wild")
                .with("size", 7)
                .with("password", format!("second{thing}")),
            State::Bare => values.with("mood", "calm"),
        }
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        for thing in items.of_type("Thing") {
            let mood = text(thing, "mood");
            let label = format!("{} is {mood}", text(thing, "thingId"));
            if text(thing, "label") != label {
                findings.push(Finding::new("values: a computed value is wrong", label));
            }
            let password = text(thing, "password");
            if !password.is_empty() && password != "none" && !password.starts_with("$2") {
                findings.push(Finding::new("values: a password is not hashed", password));
            }
            if text(thing, "serial").len() != 36 {
                findings.push(Finding::new("values: a generated value is absent", ""));
            }
        }
    }

    fn probes(&self, case: &Case) -> Vec<Probe> {
        if case.path.standing.is_empty() {
            return Vec::new();
        }
        let large = case.create_with(5, State::First, &Item::new().with("size", 95));
        vec![Probe::Refused(
            "a rule of the row is broken",
            large,
            ErrorKind::Validation,
        )]
    }

    fn damages(&self) -> Vec<Damage> {
        vec![
            Damage {
                name: "a word that no enum has",
                apply: |items| for_thing(items, |thing| thing.insert("mood", "angry")),
                outcome: Outcome::Left,
            },
            Damage {
                name: "a computed value of yesterday",
                apply: |items| for_thing(items, |thing| thing.insert("label", "old")),
                outcome: Outcome::Mended,
            },
            Damage {
                name: "a password in clear",
                apply: |items| for_thing(items, |thing| thing.insert("password", "clear")),
                outcome: Outcome::Left,
            },
        ]
    }
}

/// Changes the first thing.
pub(crate) fn for_thing<T>(items: &mut [Item], change: impl FnOnce(&mut Item) -> T) {
    let mut things = items.iter_mut().filter(|item| kind(item) == "Thing");
    if let Some(thing) = things.next() {
        change(thing);
    }
}
