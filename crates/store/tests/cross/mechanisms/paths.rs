//! Paths: a chain of folders and a leaf for each thing that says where it is.

use crate::design::{Design, Entity, ID, folder};
use crate::finding::Finding;
use crate::items::{Items, kind, text};
use crate::mechanism::{Damage, Mechanism, Outcome, State};
use monotable_item::Item;

pub(crate) struct Paths;

impl Mechanism for Paths {
    fn name(&self) -> &'static str {
        "paths"
    }

    fn declare(&self, design: &mut Design) {
        design.give("place", "text(1..100)?", "");
        design.add_entity(folder("Directory", "DIR"));
        let entry = Entity::new("Entry", "DIR#{parentId|}", "F#{name:lower}")
            .with_line("writes = []")
            .with("parentId", "uuid?, movable")
            .with("name", "text(1..40), without = /, movable")
            .with("shelfId", &format!("{ID}, default = 's1'"))
            .with("thingId", "-> Thing, on_delete = keep")
            .untyped();
        design.add_entity(entry);
        design.add_section(
            "[path.places]\nof = \"Thing.place\"\nfolder = \"Directory\"\nleaf = \"Entry\"",
        );
        design.removed.push("Entry".to_owned());
    }

    fn values(&self, thing: u32, state: State) -> Item {
        match state {
            State::First => Item::new().with("place", format!("x/y/Leaf{thing}")),
            State::Second => Item::new().with("place", format!("x/z/leaf{thing}")),
            State::Bare => Item::new(),
        }
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        let mut wanted = Vec::new();
        for thing in items.of_type("Thing") {
            let place = text(thing, "place");
            if place.is_empty() {
                continue;
            }
            match leaf(items, place) {
                Some(leaf) => {
                    let same = ["shelfId", "thingId"];
                    if same
                        .iter()
                        .any(|name| text(leaf, name) != text(thing, name))
                    {
                        findings.push(Finding::new("paths: a leaf is of another thing", place));
                    }
                    wanted.push(text(leaf, "PK").to_owned() + text(leaf, "SK"));
                }
                None => findings.push(Finding::new("paths: a path has no leaf", place)),
            }
        }
        for entry in items.of_type("Entry") {
            if !wanted.contains(&(text(entry, "PK").to_owned() + text(entry, "SK"))) {
                findings.push(Finding::new(
                    "paths: a leaf is left over",
                    text(entry, "name"),
                ));
            }
        }
    }

    fn damages(&self) -> Vec<Damage> {
        vec![
            Damage {
                name: "a leaf that is lost",
                apply: |items| {
                    let found = items.iter().position(|item| kind(item) == "Entry");
                    items.remove(found.expect("a leaf"));
                },
                outcome: Outcome::Mended,
            },
            Damage {
                name: "a folder that is lost",
                apply: |items| {
                    let found = items.iter().position(|item| text(item, "SK") == "D#x");
                    items.remove(found.expect("a folder"));
                },
                outcome: Outcome::Mended,
            },
            Damage {
                name: "a leaf of nothing",
                apply: |items| {
                    let found = items.iter().find(|item| kind(item) == "Entry");
                    let mut leaf = found.expect("a leaf").clone();
                    leaf.insert("SK", "F#more");
                    leaf.insert("name", "more");
                    items.push(leaf);
                },
                outcome: Outcome::Mended,
            },
        ]
    }

    /// Folders stay.
    fn is_history(&self, item: &Item) -> bool {
        kind(item) == "Directory"
    }
}

/// The leaf that a path leads to.
fn leaf<'i>(items: &'i Items, place: &str) -> Option<&'i Item> {
    let mut segments: Vec<_> = place.split('/').collect();
    let last = segments.pop()?;
    let mut parent = String::new();
    for segment in segments {
        let key = [
            format!("DIR#{parent}"),
            format!("D#{}", segment.to_lowercase()),
        ];
        let mut folders = items.of_type("Directory");
        let found = folders.find(|item| text(item, "PK") == key[0] && text(item, "SK") == key[1]);
        parent = text(found?, "folderId").to_owned();
    }
    let key = [
        format!("DIR#{parent}"),
        format!("F#{}", last.to_lowercase()),
    ];
    let mut leaves = items.of_type("Entry");
    leaves.find(|item| text(item, "PK") == key[0] && text(item, "SK") == key[1])
}
