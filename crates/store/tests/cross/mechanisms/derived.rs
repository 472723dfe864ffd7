//! Derived rows: a tag for each element of a list of a thing.

use crate::design::{Design, Entity, ID};
use crate::finding::Finding;
use crate::items::{Items, kind, list, text, texts};
use crate::mechanism::{Damage, Mechanism, Outcome, State};
use monotable_item::Item;
use std::collections::BTreeSet;

pub(crate) struct Derived;

impl Mechanism for Derived {
    fn name(&self) -> &'static str {
        "derived"
    }

    fn declare(&self, design: &mut Design) {
        design.give("tags", "[text(1..20)](0..9), distinct, default = []", "");
        let sort = if design.spread {
            "{shelfId}#{thingId}#{part}"
        } else {
            "{shelfId}#{thingId}"
        };
        let mut tag = Entity::new("Tag", "TAG#{tag}", sort)
            .with_line("writes = []")
            .with("tag", ID)
            .with("shelfId", ID)
            .with("thingId", ID)
            .with("title", "text(1..40)?");
        if design.spread {
            tag.add("part", ID);
        }
        design.add_entity(tag);
        design.add_section(
            "[derive.tags]\nof = \"Thing\"\neach = [\"t in tags\"]\nentity = \"Tag\"\nset = { tag = \"{t}\" }",
        );
    }

    fn values(&self, _: u32, state: State) -> Item {
        let tags: &[&str] = match state {
            State::First => &["big", "old"],
            State::Second => &["old", "red", "odd"],
            State::Bare => &[],
        };
        let tags: Vec<_> = tags.iter().map(|&tag| tag.to_owned()).collect();
        Item::new().with("tags", list(&tags))
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        let mut wanted = BTreeSet::new();
        for thing in items.of_type("Thing") {
            let (shelf, id) = (text(thing, "shelfId"), text(thing, "thingId"));
            for tag in texts(thing, "tags") {
                wanted.insert((tag, shelf, id, text(thing, "title"), text(thing, "part")));
            }
        }
        let stored: BTreeSet<_> = items
            .of_type("Tag")
            .map(|tag| {
                let text = |name| text(tag, name);
                (
                    text("tag"),
                    text("shelfId"),
                    text("thingId"),
                    text("title"),
                    text("part"),
                )
            })
            .collect();
        for (tag, ..) in wanted.difference(&stored) {
            findings.push(Finding::new("derived: a row is missing", *tag));
        }
        for (tag, ..) in stored.difference(&wanted) {
            findings.push(Finding::new("derived: a row is left over", *tag));
        }
    }

    fn damages(&self) -> Vec<Damage> {
        vec![
            Damage {
                name: "a derived row that is lost",
                apply: |items| {
                    let found = items.iter().position(|item| kind(item) == "Tag");
                    items.remove(found.expect("a tag"));
                },
                outcome: Outcome::Mended,
            },
            Damage {
                name: "a derived row too many",
                apply: |items| {
                    let found = items.iter().find(|item| kind(item) == "Tag");
                    let mut tag = found.expect("a tag").clone();
                    tag.insert("PK", "TAG#more");
                    tag.insert("tag", "more");
                    items.push(tag);
                },
                outcome: Outcome::Mended,
            },
        ]
    }
}
