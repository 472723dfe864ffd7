//! One thing, several rows: one for each element of a list.

use crate::design::Design;
use crate::finding::Finding;
use crate::items::{Items, kind, list, text, texts};
use crate::mechanism::{Damage, Mechanism, Outcome, State};
use crate::mechanisms::values::for_thing;
use monotable_item::Item;
use std::collections::BTreeMap;

pub(crate) struct Each;

impl Mechanism for Each {
    fn name(&self) -> &'static str {
        "each"
    }

    fn declare(&self, design: &mut Design) {
        design.thing.key[1].push_str("#{index:02}");
        design.thing.add_line("each = [\"part in parts\"]");
        design.give("parts", "[text(1..20)](1..9), distinct", "");
        design.thing.add("part", "text(1..20)?");
        design
            .thing
            .add("index", "integer(0..99), position = parts, key_only");
    }

    fn values(&self, thing: u32, state: State) -> Item {
        let parts = match state {
            State::First => "ab",
            State::Second => "bcd",
            State::Bare => "a",
        };
        let parts: Vec<_> = parts.chars().map(|part| format!("{part}{thing}")).collect();
        Item::new().with("parts", list(&parts))
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        let mut groups: BTreeMap<(&str, &str), Vec<&Item>> = BTreeMap::new();
        for row in items.of_type("Thing") {
            let of = (text(row, "shelfId"), text(row, "thingId"));
            groups.entry(of).or_default().push(row);
        }
        for ((_, id), rows) in groups {
            let parts = texts(rows[0], "parts");
            let own: Vec<_> = rows.iter().map(|row| text(row, "part")).collect();
            let agree = rows.iter().all(|row| texts(row, "parts") == parts);
            let places = rows
                .iter()
                .enumerate()
                .all(|(place, row)| text(row, "SK").ends_with(&format!("#{place:02}")));
            if own != parts || !agree || !places {
                findings.push(Finding::new("each: the rows are not those of the list", id));
            }
        }
    }

    fn damages(&self) -> Vec<Damage> {
        vec![
            Damage {
                name: "a row that is lost",
                apply: |items| {
                    let found = items.iter().position(|item| kind(item) == "Thing");
                    items.remove(found.expect("a thing"));
                },
                outcome: Outcome::Mended,
            },
            Damage {
                name: "a row that disagrees",
                apply: |items| for_thing(items, |row| row.insert("part", "other")),
                outcome: Outcome::Mended,
            },
        ]
    }
}
