//! Singles: a pattern that leads to one thing at most.

use crate::design::Design;
use crate::finding::Finding;
use crate::items::{Items, kind, text};
use crate::mechanism::{Damage, Mechanism, Outcome, State};
use monotable_item::Item;
use std::collections::BTreeSet;

pub(crate) struct Singles;

impl Mechanism for Singles {
    fn name(&self) -> &'static str {
        "singles"
    }

    fn declare(&self, design: &mut Design) {
        design.give("slot", "text(1..20)?, without = #", "");
        let value = if design.spread { "{part}" } else { "{slot}" };
        design.add_index("Slots", &format!("SLOT#{value}"), "SLOT");
        design.add_section(&format!(
            "[access.thing_in_slot]\nSlots = [\"SLOT#{value}\"]\nreturns = [\"Thing\"]\none = true"
        ));
    }

    fn values(&self, thing: u32, state: State) -> Item {
        match state {
            State::First => Item::new().with("slot", format!("a{thing}")),
            State::Second => Item::new().with("slot", format!("b{thing}")),
            State::Bare => Item::new(),
        }
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        let mut seen = BTreeSet::new();
        for item in &items.0 {
            let slot = text(item, "SlotsPK");
            if !slot.is_empty() && !seen.insert(slot) {
                findings.push(Finding::new("singles: two rows where one may be", slot));
            }
        }
    }

    fn damages(&self) -> Vec<Damage> {
        vec![Damage {
            name: "a second row where one may be",
            apply: |items| {
                let found = items.iter().find(|item| kind(item) == "Thing");
                let mut second = found.expect("a thing").clone();
                second.insert("SK", "THING#t77");
                second.insert("thingId", "t77");
                items.push(second);
            },
            outcome: Outcome::Left,
        }]
    }
}
