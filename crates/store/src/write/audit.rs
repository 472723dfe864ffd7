//! Audits: a row for each operation on the rows that the model watches.
//!
//! What is written is noted in the transaction that writes it. What is read, denied or fails is noted
//! [afterwards](afterwards), by a put of its own.

mod afterwards;
mod changes;
mod subject;

pub(crate) use afterwards::afterwards;

use super::note::{self, NoteSource};
use crate::address::Address;
use crate::draft::Archived;
use crate::draft::Draft;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record::Record;
use crate::scope::Scope;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Audit, AuditEvent, EntityId, Root, Source, Template};
use std::collections::BTreeSet;

/// What an operation does with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AuditedAction {
    Create,
    Read,
    Update,
    Delete,
}

impl AuditedAction {
    const fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Read => "read",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }

    const fn event(self) -> AuditEvent {
        match self {
            Self::Create => AuditEvent::Create,
            Self::Read => AuditEvent::Read,
            Self::Update => AuditEvent::Update,
            Self::Delete => AuditEvent::Delete,
        }
    }
}

/// What came of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Complete,
    Failed,
    Unauthorized,
}

impl Status {
    const fn name(self) -> &'static str {
        match self {
            Self::Complete => "COMPLETE",
            Self::Failed => "FAILED",
            Self::Unauthorized => "UNAUTHORIZED",
        }
    }

    /// What an audit must note for this.
    const fn event(self, verb: AuditedAction) -> AuditEvent {
        match self {
            Self::Complete => verb.event(),
            Self::Failed => AuditEvent::Failed,
            Self::Unauthorized => AuditEvent::Denied,
        }
    }
}

/// Adds what is noted of a write to its transaction. `address` is where the row stood before, or stands if it is new.
pub(crate) fn note_write(
    reader: &Reader<'_>,
    draft: &mut Draft,
    verb: AuditedAction,
    address: &Address,
    old: Option<&Record>,
    new: Option<&Record>,
) -> Result<(), Interrupt> {
    let Some(row) = new.or(old) else {
        return Ok(());
    };
    if audits_of(reader, row.entity, verb.event()).next().is_none() {
        return Ok(());
    }
    let mut request = request(reader, row.entity, verb, Status::Complete);
    if let Some(changes) = changes::between(reader, old, new) {
        request.insert("changes", changes);
    }
    let archived = draft.archived.iter();
    let archived = archived.filter(|archived| archived.of == *address);
    let archived: Vec<Archived> = archived.cloned().collect();
    let shown = note::mask_row(reader, row);
    let facts = NoteSource {
        of: Some(row.entity),
        copied: shown.clone(),
        row: shown,
        old: old
            .map(|old| note::mask_row(reader, old))
            .unwrap_or_default(),
        stored: address.key(reader.model()),
        request,
        archived: archived.iter().collect(),
        ..NoteSource::default()
    };
    add_audit_row(reader, draft, row.entity, verb.event(), &facts)
}

/// The attributes that must be what was read for the changes that are noted to be what happened.
pub(crate) fn watched(
    scope: &Scope,
    verb: AuditedAction,
    old: &Record,
    new: Option<&Record>,
) -> BTreeSet<String> {
    if audits_of(scope, old.entity, verb.event()).any(shows_what_was) {
        changes::names(scope, Some(old), new)
    } else {
        BTreeSet::new()
    }
}

/// Whether an audit shows values that the row had before.
fn shows_what_was(audit: &Audit) -> bool {
    let templates = audit.set.iter().filter_map(|set| set.value.template());
    let mut sources = templates
        .flat_map(Template::fields)
        .flat_map(|field| &field.sources);
    sources.any(|source| match source {
        Source::Path { root, names, .. } => {
            let first = names.first().map(|name| name.value.as_str());
            *root == Some(Root::Old) || *root == Some(Root::Request) && first == Some("changes")
        }
        Source::Literal(_) | Source::Nothing(_) => false,
    })
}

/// Adds a row of each audit that notes this.
fn add_audit_row(
    reader: &Reader<'_>,
    draft: &mut Draft,
    entity: EntityId,
    event: AuditEvent,
    facts: &NoteSource<'_>,
) -> Result<(), Interrupt> {
    for audit in audits_of(reader, entity, event) {
        let row = note::build_note(reader, audit.entity, &audit.set, facts)?;
        note::push_note(reader, draft, &Draft::default(), row)?;
    }
    Ok(())
}

/// The audits that note this of rows of an entity.
fn audits_of(scope: &Scope, entity: EntityId, event: AuditEvent) -> impl Iterator<Item = &Audit> {
    let audits = scope.model().audits.iter();
    audits.filter(move |audit| audit.of.contains(&entity) && audit.on.contains(&event))
}

/// What `{request.x}` shows, but for the changes.
fn request(scope: &Scope, entity: EntityId, verb: AuditedAction, status: Status) -> Item {
    let mut request = Item::new()
        .with("operation", verb.name())
        .with("status", status.name())
        .with("entity", scope.name(entity));
    let given = [("ip", &scope.origin.ip), ("source", &scope.origin.source)];
    for (name, value) in given {
        if let Some(value) = value {
            request.insert(name, AttributeValue::S(value.clone()));
        }
    }
    request
}
