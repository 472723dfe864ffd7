//! Rows that say what happened, and rows that keep what was.

use super::anchor::{Place, anchor};
use super::block::Block;
use super::inline::Inline;
use super::page::{chapter, section};
use super::sentence;
use monotable_model::model::{Archive, Assignment, Audit, AuditEvent, Model};

/// All audits.
pub(crate) fn audits(model: &Model) -> Vec<Block> {
    let parts = model.audits.iter().map(|audit| {
        let name = &audit.name.value;
        let id = anchor(Place::Audit, name);
        section(id, name, &audit.notes, noted(model, audit), set(&audit.set))
    });
    chapter("audits", "Audits", parts)
}

fn noted(model: &Model, audit: &Audit) -> Inline {
    let words = |events: &[(AuditEvent, &'static str)]| -> Vec<&'static str> {
        let heard = events.iter().filter(|(event, _)| audit.on.contains(event));
        heard.map(|(_, word)| *word).collect()
    };
    let done = words(&DONE).join(", ");
    let undone = words(&UNDONE).join(" or ");
    let said = match (done.is_empty(), undone.is_empty()) {
        (false, true) => format!("On {done} of "),
        (false, false) => format!("On {done}, and when a request {undone}, of "),
        (true, _) => format!("When a request {undone}, of "),
    };
    Inline::new()
        .text(said)
        .then(sentence::entities(model, &audit.of))
        .text(", a row of ")
        .then(sentence::entity(model, audit.entity))
        .text(" is written. Ids go to attributes of the same name; secrets are masked.")
}

const DONE: [(AuditEvent, &str); 4] = [
    (AuditEvent::Create, "create"),
    (AuditEvent::Read, "read"),
    (AuditEvent::Update, "update"),
    (AuditEvent::Delete, "delete"),
];

const UNDONE: [(AuditEvent, &str); 2] = [
    (AuditEvent::Denied, "is denied"),
    (AuditEvent::Failed, "fails"),
];

/// All archives.
pub(crate) fn archives(model: &Model) -> Vec<Block> {
    let parts = model.archives.iter().map(|archive| {
        let name = &archive.name.value;
        let id = anchor(Place::Archive, name);
        section(
            id,
            name,
            &archive.notes,
            kept(model, archive),
            set(&archive.set),
        )
    });
    chapter("archives", "Archives", parts)
}

fn kept(model: &Model, archive: &Archive) -> Inline {
    let any = archive.changed.iter().any(|name| name.value == "*");
    let changes = if any {
        Inline::prose("anything")
    } else {
        sentence::names(&archive.changed)
    };
    let deleted = if archive.deleted {
        ", or it is deleted"
    } else {
        ""
    };
    Inline::new()
        .text("When ")
        .then(changes)
        .text(" of a ")
        .then(sentence::entity(model, archive.of))
        .text(format!(
            " changes{deleted}, the row as it was is kept as a row of "
        ))
        .then(sentence::entity(model, archive.entity))
        .text(". Attributes of the same name are copied.")
}

fn set(set: &[Assignment]) -> Vec<(String, Inline)> {
    if set.is_empty() {
        Vec::new()
    } else {
        vec![("Sets".to_owned(), sentence::assignments(set))]
    }
}
