//! Audits: a row for each operation on the rows that the model watches.
//!
//! What is written is noted in the transaction that writes it. What is read, denied or fails is noted
//! afterwards, by a put of its own.

mod changes;

use super::claims::live_form;
use super::note::{self, NoteSource};
use crate::change::{Cause, Direction, ItemChange, Run, WriteKind};
use crate::draft::Archived;
use crate::interrupt::Interrupt;
use crate::record::Record;
use crate::scope::Scope;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Audit, AuditEvent, EntityId, Root, Source, Template};

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

    pub(crate) const fn event(self) -> AuditEvent {
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
pub(crate) enum Status {
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
    pub(crate) const fn event(self, verb: AuditedAction) -> AuditEvent {
        match self {
            Self::Complete => verb.event(),
            Self::Failed => AuditEvent::Failed,
            Self::Unauthorized => AuditEvent::Denied,
        }
    }
}

/// What is noted of a change: what was done, and to which row.
fn subject(scope: &Scope, change: &ItemChange) -> Option<Subject> {
    let (before, after) = (change.before().cloned(), change.after().cloned());
    let (verb, old, new) = match &change.cause {
        Cause::Caller(WriteKind::Create) => (AuditedAction::Create, before, after),
        Cause::Caller(WriteKind::Update) | Cause::Rekeyed(_) => {
            (AuditedAction::Update, before, after)
        }
        Cause::Caller(WriteKind::Delete) => (AuditedAction::Delete, before, after),
        // What is noted is noted of the live row: it goes, or it is there again.
        Cause::Moved(Direction::Away) => (AuditedAction::Delete, before, None),
        Cause::Moved(Direction::Back) => (AuditedAction::Update, None, after),
        Cause::Moved(Direction::Purge) => {
            let live = before.and_then(|row| live_form(scope, &row));
            (AuditedAction::Delete, live, None)
        }
        _ => return None,
    };
    Some(Subject { verb, old, new })
}

/// The row that a note is about, and what was done to it.
struct Subject {
    verb: AuditedAction,
    old: Option<Record>,
    new: Option<Record>,
}

/// Adds what is noted of the old row to what must be unchanged.
pub(crate) fn complete(scope: &Scope, change: &mut ItemChange) {
    if scope.model().audits.is_empty() {
        return;
    }
    if let Some(Subject {
        verb,
        old: Some(old),
        new,
    }) = subject(scope, change)
        && audits_of(scope, old.entity, verb.event()).any(shows_what_was)
    {
        let names = changes::names(scope, Some(&old), new.as_ref());
        change.decided_by.extend(names);
    }
}

/// Adds what is noted of a change to its transaction.
pub(crate) fn apply(run: &mut Run<'_>, change: &ItemChange) -> Result<(), Interrupt> {
    let scope = run.reader.scope;
    if scope.model().audits.is_empty() {
        return Ok(());
    }
    let Some(Subject { verb, old, new }) = subject(scope, change) else {
        return Ok(());
    };
    let Some(row) = new.as_ref().or(old.as_ref()) else {
        return Ok(());
    };
    if audits_of(scope, row.entity, verb.event()).next().is_none() {
        return Ok(());
    }
    // Where the row stood before, or stands if it is new.
    let address = match change.first_old() {
        Some(old) => old.address.clone(),
        None => match change.new_rows().next() {
            Some(new) => scope.row_address(new)?,
            None => return Ok(()),
        },
    };
    let mut request = request(scope, row.entity, verb, Status::Complete);
    if let Some(changes) = changes::between(scope, old.as_ref(), new.as_ref()) {
        request.insert("changes", changes);
    }
    let archived = run.draft.archived.iter();
    let archived = archived.filter(|archived| archived.of == address);
    let archived: Vec<Archived> = archived.cloned().collect();
    let shown = note::mask_row(scope, row);
    let facts = NoteSource {
        of: Some(row.entity),
        copied: shown.clone(),
        row: shown,
        old: old
            .as_ref()
            .map(|old| note::mask_row(scope, old))
            .unwrap_or_default(),
        stored: address.key(scope.model()),
        request,
        archived: archived.iter().collect(),
        ..NoteSource::default()
    };
    push_notes(run, row.entity, verb.event(), &facts)
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
pub(crate) fn push_notes(
    run: &mut Run<'_>,
    entity: EntityId,
    event: AuditEvent,
    facts: &NoteSource<'_>,
) -> Result<(), Interrupt> {
    let scope = run.reader.scope;
    for audit in audits_of(scope, entity, event) {
        let row = note::build_note(scope, audit.entity, &audit.set, facts)?;
        note::push_note(run, row)?;
    }
    Ok(())
}

/// The audits that note this of rows of an entity.
pub(crate) fn audits_of(
    scope: &Scope,
    entity: EntityId,
    event: AuditEvent,
) -> impl Iterator<Item = &Audit> {
    let audits = scope.model().audits.iter();
    audits.filter(move |audit| audit.of.contains(&entity) && audit.on.contains(&event))
}

/// What `{request.x}` shows, but for the changes.
pub(crate) fn request(
    scope: &Scope,
    entity: EntityId,
    verb: AuditedAction,
    status: Status,
) -> Item {
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
