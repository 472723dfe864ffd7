//! Archives: the old thing is kept when its title changes, and when it is deleted.

use crate::design::{Design, Entity, ID};
use crate::finding::Finding;
use crate::items::{Items, kind, text};
use crate::mechanism::{Damage, Mechanism, State};
use monotable_item::Item;

pub(crate) struct Archive;

impl Mechanism for Archive {
    fn name(&self) -> &'static str {
        "archive"
    }

    fn declare(&self, design: &mut Design) {
        let version = Entity::new("Version", "VERSIONS#{thingId}", "{archivedAt}#{versionId}")
            .with_line("writes = []")
            .with("thingId", ID)
            .with("versionId", "ulid, generated")
            .with("archivedAt", "timestamp")
            .with("title", "text(1..40)?")
            .with("wasKey", "text");
        design.add_entity(version);
        design.add_section(
            "[archive.thing]\nof = \"Thing\"\nchanged = [\"title\", \"shelfId\"]\ndeleted = true\nentity = \"Version\"\nset = { archivedAt = \"{now}\", wasKey = \"{old.SK}\" }",
        );
    }

    fn values(&self, _: u32, _: State) -> Item {
        Item::new()
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        // A thing that had no title is kept without one.
        let titled: Vec<_> = items
            .of_type("Version")
            .filter(|version| !text(version, "title").is_empty())
            .map(|version| text(version, "thingId"))
            .collect();
        for version in items.of_type("Version") {
            let is_titled = titled.contains(&text(version, "thingId"));
            if !is_titled || text(version, "wasKey").is_empty() {
                let key = text(version, "SK");
                findings.push(Finding::new("archive: a kept row lacks what it keeps", key));
            }
        }
    }

    fn damages(&self) -> Vec<Damage> {
        Vec::new()
    }

    fn is_history(&self, item: &Item) -> bool {
        kind(item) == "Version"
    }
}
