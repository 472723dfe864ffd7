//! History: a head that names a revision of the log, and a log that is one chain.

use crate::design::Design;
use crate::finding::Finding;
use crate::items::{Items, kind, text};
use crate::mechanism::{Damage, Mechanism, Outcome, State};
use monotable_item::Item;

pub(crate) struct History;

impl Mechanism for History {
    fn name(&self) -> &'static str {
        "history"
    }

    /// The role of things declares all of it.
    fn declare(&self, _: &mut Design) {}

    fn values(&self, _: u32, _: State) -> Item {
        Item::new()
    }

    fn judge(&self, items: &Items, findings: &mut Vec<Finding>) {
        for head in items.of_type("Head") {
            let revision = text(head, "headRevId");
            if !items.has("Revision", &[("PK", text(head, "PK")), ("revId", revision)]) {
                findings.push(Finding::new(
                    "history: the head names no revision",
                    revision,
                ));
            }
        }
        for revision in items.of_type("Revision") {
            let (partition, parent) = (text(revision, "PK"), text(revision, "parentRevId"));
            if !parent.is_empty() && !items.has("Revision", &[("PK", partition), ("revId", parent)])
            {
                findings.push(Finding::new("history: a revision has no parent", parent));
            }
            let older = items
                .of_type("Revision")
                .find(|other| text(other, "revId") == parent);
            if older.is_some_and(|older| text(older, "revTs") >= text(revision, "revTs")) {
                findings.push(Finding::new(
                    "history: a revision is older than its parent",
                    parent,
                ));
            }
        }
        for thing in items.of_type("Thing") {
            let partition = text(thing, "PK");
            let known = items.of_type("Revision").any(|revision| {
                format!("{}#{}", text(revision, "PK"), text(revision, "revId")) == partition
            });
            if !known {
                findings.push(Finding::new("history: a row is in no revision", partition));
            }
        }
        if items.of_type("Intent").next().is_some() {
            findings.push(Finding::new("history: an intent is left over", ""));
        }
    }

    fn damages(&self) -> Vec<Damage> {
        vec![Damage {
            name: "a head of nothing",
            apply: |items| {
                let mut heads = items.iter_mut().filter(|item| kind(item) == "Head");
                let head = heads.next().expect("a head");
                head.insert("headRevId", "01ARZ3NDEKTSV4RRFFQ69G5FAV");
            },
            outcome: Outcome::Left,
        }]
    }
}
