//! What clients ask for: writes of a few documents that all of them know, and moves of these to the bin and back.

use monotable_item::{AttributeValue, Item};
use monotable_store::{AnyOperation, Change, Create, Delete, MoveRow, Put, Update};

const FOLDERS: [&str; 6] = [
    "Legal/2025",
    "LEGAL/2025",
    "legal/Archive",
    "Legal/ARCHIVE",
    "legal",
    "LEGAL",
];
const FILES: [&str; 9] = [
    "a.pdf", "A.pdf", "b.pdf", "c.pdf", "C.PDF", "d.pdf", "e.pdf", "f.pdf", "g.pdf",
];
pub(super) const STATUSES: [&str; 5] = ["PENDING", "RUNNING", "IN_QUEUE", "COMPLETE", "FAILED"];
pub(super) const QUEUES: [&str; 2] = ["q1", "q2"];
pub(super) const WORKFLOWS: [&str; 2] = ["w1", "w2"];
const TAGS: [&str; 2] = ["color", "note"];
const LISTS: [&str; 2] = ["size", "note"];
/// So many values do not move in one transaction.
const MANY: usize = 55;

/// What a row must say after a write: this value of this attribute, or that it is not there.
#[derive(Clone, Debug)]
pub(super) struct Written {
    /// Writes of the same register follow each other: only the last one counts.
    pub(super) register: String,
    /// The kind of partition and the sort key: `docs tags#color`.
    pub(super) row: String,
    pub(super) attribute: &'static str,
    pub(super) value: Option<AttributeValue>,
}

/// What an operation does to a document.
#[derive(Clone, Debug)]
pub(super) enum Deed {
    Reads,
    Writes(Vec<Written>),
    Makes(Vec<Written>),
    Hides,
    Restores,
    Purges,
    Deletes,
}

/// An operation, and what it is about.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) document: String,
    pub(super) operation: AnyOperation,
    pub(super) deed: Deed,
    /// The resource of the activity that notes it, if it is counted.
    pub(super) noted: Option<&'static str>,
}

fn create(entity: &str, values: Item) -> AnyOperation {
    let entity = entity.to_owned();
    AnyOperation::Create(Create { entity, values })
}

fn update(entity: &str, key: Item, set: Item) -> AnyOperation {
    let entity = entity.to_owned();
    let change = Change {
        set,
        ..Change::default()
    };
    AnyOperation::Update(Update {
        entity,
        key,
        change,
    })
}

fn delete(entity: &str, key: Item) -> AnyOperation {
    let entity = entity.to_owned();
    AnyOperation::Delete(Delete { entity, key })
}

fn written(
    row: impl Into<String>,
    attribute: &'static str,
    value: Option<AttributeValue>,
) -> Written {
    let row = row.into();
    let register = format!("{row} {attribute}");
    Written {
        register,
        row,
        attribute,
        value,
    }
}

/// What one client asks for, by chance.
pub(super) struct Asking<'c> {
    pub(super) chance: &'c mut fastrand::Rng,
    /// In every value that is written: no two are the same, and each names its site.
    pub(super) mark: String,
    pub(super) site: &'static str,
    pub(super) document: usize,
    /// These are the last calls.
    pub(super) ends: bool,
}

impl Asking<'_> {
    pub(super) fn next(&mut self) -> Asked {
        let document = format!("d{}", self.document);
        // Nothing is made again at the end: it would hide what was lost.
        let kinds = if self.ends { 12..92 } else { 0..100 };
        let (operation, deed, noted) = match self.chance.u32(kinds) {
            0..12 => self.makes(&document),
            12..19 => self.changes(&document),
            19..29 => self.tags(&document),
            29..39 => self.lists(&document),
            39..49 => self.attributes(&document),
            49..57 => self.acts(&document),
            57..72 => self.progresses(&document),
            72..77 => self.works(&document),
            77..83 => self.moves("soft_delete", Deed::Hides, &document),
            83..92 if self.ends => self.moves("soft_delete", Deed::Hides, &document),
            83..92 => self.moves("restore", Deed::Restores, &document),
            92..94 => self.moves("purge", Deed::Purges, &document),
            94..96 => (delete("Document", self.of(&document)), Deed::Deletes, None),
            _ => self.reads(&document),
        };
        Asked {
            document,
            operation,
            deed,
            noted,
        }
    }

    fn of(&self, document: &str) -> Item {
        Item::new().with("documentId", document)
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.chance.usize(0..of.len())]
    }

    fn path(&mut self) -> String {
        format!("{}/{}", self.one(&FOLDERS), self.one(&FILES))
    }

    fn makes(&mut self, document: &str) -> Doing {
        let path = self.path();
        let values = self
            .of(document)
            .with("path", path.as_str())
            .with("contentType", self.mark.as_str());
        let written = vec![
            written("docs document", "path", Some(path.into())),
            written(
                "docs document",
                "contentType",
                Some(self.mark.as_str().into()),
            ),
        ];
        (
            create("Document", values),
            Deed::Makes(written),
            Some("document"),
        )
    }

    fn changes(&mut self, document: &str) -> Doing {
        let (name, value) = if self.chance.bool() {
            ("path", self.path())
        } else {
            ("contentType", self.mark.clone())
        };
        let set = Item::new().with(name, value.as_str());
        let written = vec![written("docs document", name, Some(value.into()))];
        let operation = update("Document", self.of(document), set);
        (operation, Deed::Writes(written), None)
    }

    fn tags(&mut self, document: &str) -> Doing {
        let tag = self.one(&TAGS);
        let of = self.of(document).with("tagKey", tag);
        let row = format!("docs tags#{tag}");
        match self.chance.u32(0..5) {
            0 => {
                let gone = vec![written(row, "tagValue", None)];
                (delete("DocumentTag", of), Deed::Writes(gone), None)
            }
            _ => {
                let made = vec![written(row, "tagValue", Some(self.mark.as_str().into()))];
                let values = of.with("tagValue", self.mark.as_str());
                let operation = create("DocumentTag", values);
                (operation, Deed::Writes(made), Some("documentTag"))
            }
        }
    }

    /// A tag of several values replaced: all its rows say the same, and there are as many as values.
    fn lists(&mut self, document: &str) -> Doing {
        let tag = self.one(&LISTS);
        let of = self.of(document).with("tagKey", tag);
        let length = match self.chance.u32(0..10) {
            0 => 0,
            1 => MANY,
            _ => self.chance.usize(1..5),
        };
        let values: Vec<AttributeValue> = (0..length)
            .map(|place| format!("{} {place}", self.mark).into())
            .collect();
        let register = format!("docs tags#{tag}#");
        let row = |place: usize| format!("docs tags#{tag}#idx{place}");
        let whole = (0..length).map(|place| Some((place, values.clone())));
        let written = whole.chain([None]).map(|known| Written {
            register: register.clone(),
            row: row(known.as_ref().map_or(length, |(place, _)| *place)),
            attribute: "tagValues",
            value: known.map(|(_, values)| values.into()),
        });
        let deed = Deed::Writes(written.collect());
        match length {
            0 => (delete("DocumentTagMultiValue", of), deed, None),
            _ => {
                let entity = "DocumentTagMultiValue".to_owned();
                let values = of.with("tagValues", values);
                (
                    AnyOperation::Put(Put { entity, values }),
                    deed,
                    Some("documentTag"),
                )
            }
        }
    }

    fn attributes(&mut self, document: &str) -> Doing {
        let (value, other) = (self.value(), self.value());
        let row = |value: &str| format!("docs attr#title#{value}");
        let there = |value: &str| written(row(value), "stringValue", Some(value.into()));
        let gone = |value: &str| written(row(value), "stringValue", None);
        let key = self.of(document).with("key", "title");
        let of = key
            .with("valueType", "STRING")
            .with("stringValue", value.as_str());
        match self.chance.u32(0..8) {
            0 => (
                delete("DocumentAttribute", of),
                Deed::Writes(vec![gone(&value)]),
                None,
            ),
            1..4 if value != other => {
                // The value is in the key: the row moves.
                let set = Item::new().with("stringValue", other.as_str());
                let deed = Deed::Writes(vec![gone(&value), there(&other)]);
                (update("DocumentAttribute", of, set), deed, None)
            }
            _ => (
                create("DocumentAttribute", of),
                Deed::Writes(vec![there(&value)]),
                None,
            ),
        }
    }

    fn value(&mut self) -> String {
        format!("{} {}", self.site, self.chance.u32(0..3))
    }

    fn action(&mut self) -> (&'static str, &'static str) {
        let number = self.chance.usize(0..2);
        (["a0", "a1"][number], ["QUEUE", "OCR"][number])
    }

    fn status(&mut self) -> Item {
        let status = self.one(&STATUSES);
        let set = Item::new()
            .with("status", status)
            .with("message", self.mark.as_str());
        match status {
            "IN_QUEUE" => {
                let queue = self.one(&QUEUES);
                set.with("queueId", queue)
            }
            _ => set,
        }
    }

    fn acts(&mut self, document: &str) -> Doing {
        let (idx, kind) = self.action();
        let mut values = self.of(document).with("idx", idx).with("type", kind);
        let status = self.status();
        let deed = acted(idx, kind, &status);
        for (name, value) in &status {
            values.insert(name.clone(), value.clone());
        }
        (create("DocumentAction", values), deed, Some("document"))
    }

    fn progresses(&mut self, document: &str) -> Doing {
        let (idx, kind) = self.action();
        let key = self.of(document).with("idx", idx).with("type", kind);
        if self.chance.u32(0..8) == 0 {
            let gone = vec![written(
                format!("docs action#{idx}#{kind}"),
                "message",
                None,
            )];
            return (delete("DocumentAction", key), Deed::Writes(gone), None);
        }
        let status = self.status();
        let deed = acted(idx, kind, &status);
        (update("DocumentAction", key, status), deed, None)
    }

    fn works(&mut self, document: &str) -> Doing {
        let workflow = self.one(&WORKFLOWS);
        let key = self.of(document).with("workflowId", workflow);
        let row = format!("wfdoc wf#{workflow}");
        match self.chance.u32(0..4) {
            0 => {
                let gone = vec![written(row, "workflowName", None)];
                (delete("DocumentWorkflow", key), Deed::Writes(gone), None)
            }
            _ => {
                let made = vec![written(
                    row,
                    "workflowName",
                    Some(self.mark.as_str().into()),
                )];
                let values = key
                    .with("workflowName", self.mark.as_str())
                    .with("status", "IN_PROGRESS");
                (create("DocumentWorkflow", values), Deed::Writes(made), None)
            }
        }
    }

    fn moves(&self, name: &str, deed: Deed, document: &str) -> Doing {
        let operation = AnyOperation::MoveRow(MoveRow {
            name: name.to_owned(),
            key: self.of(document),
            set: Item::new(),
        });
        (operation, deed, None)
    }

    fn reads(&mut self, document: &str) -> Doing {
        let (pattern, parameters) = match self.chance.u32(0..3) {
            0 => ("rows_of_document", self.of(document)),
            1 => {
                let tag = self.one(&TAGS);
                ("documents_by_tag_key", Item::new().with("tagKey", tag))
            }
            _ => ("deleted_documents", Item::new()),
        };
        let operation = AnyOperation::Query(monotable_store::Query {
            pattern: pattern.to_owned(),
            parameters,
            ..monotable_store::Query::default()
        });
        (operation, Deed::Reads, None)
    }
}

type Doing = (AnyOperation, Deed, Option<&'static str>);

fn acted(idx: &str, kind: &str, status: &Item) -> Deed {
    let row = format!("docs action#{idx}#{kind}");
    // One register: status and message come and go together.
    let register = format!("{row} message");
    let names = ["status", "message"];
    let written = names.into_iter().map(|name| Written {
        register: register.clone(),
        row: row.clone(),
        attribute: name,
        value: status.get(name).cloned(),
    });
    Deed::Writes(written.collect())
}
