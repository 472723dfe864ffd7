//! Types: rows that other rows become, and leaves that follow from them, have a discriminator of their own.

use crate::design::{Design, Role};
use crate::finding::Finding;
use crate::items::{Items, kind, text};
use crate::mechanism::{Mechanism, State};
use monotable_item::Item;

pub(crate) struct Types;

impl Mechanism for Types {
    fn name(&self) -> &'static str {
        "types"
    }

    fn declare(&self, design: &mut Design) {
        for name in ["Binned", "Entry"] {
            if let Some(entity) = design.entity(name) {
                entity.set_typed();
            }
        }
        if design.role == Role::Leaf {
            design.thing.set_typed();
        }
    }

    fn values(&self, _: u32, _: State) -> Item {
        Item::new()
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        for item in &items.0 {
            let own = text(item, "Type");
            if ["Binned", "Entry", "Thing"].contains(&kind(item)) && own != kind(item) {
                findings.push(Finding::new(
                    "types: a row has the type of another entity",
                    own,
                ));
            }
        }
    }
}
