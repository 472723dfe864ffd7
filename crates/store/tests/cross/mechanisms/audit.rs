//! Audits: one note for each operation on a thing.

use crate::design::{Design, Entity, ID};
use crate::finding::Finding;
use crate::items::{Items, kind, text};
use crate::mechanism::{Mechanism, State};
use monotable_item::Item;

pub(crate) struct Audit;

impl Mechanism for Audit {
    fn name(&self) -> &'static str {
        "audit"
    }

    fn declare(&self, design: &mut Design) {
        let note = Entity::new("Note", "NOTES#{thingId}", "{at}#{noteId}")
            .with_line("writes = []")
            .with("thingId", ID)
            .with("at", "timestamp, created")
            .with("noteId", "ulid, generated")
            .with("what", "create | read | update | delete");
        design.add_entity(note);
        design.add_section(
            "[audit.things]\nof = [\"Thing\"]\non = [\"create\", \"update\", \"delete\"]\nentity = \"Note\"\nset = { what = \"{request.operation}\" }",
        );
    }

    fn values(&self, _: u32, _: State) -> Item {
        Item::new()
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        for note in items.of_type("Note") {
            if text(note, "what").is_empty() {
                let key = text(note, "SK");
                findings.push(Finding::new(
                    "audit: a note does not say what was done",
                    key,
                ));
            }
        }
    }

    fn is_history(&self, item: &Item) -> bool {
        kind(item) == "Note"
    }
}
