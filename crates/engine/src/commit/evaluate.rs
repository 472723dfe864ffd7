//! What a write request does to the rows that a reader shows.

use super::{Action, Change, Effect, Refusal, Token, TokenRows, WriteRequest};
use crate::catalog::{Catalog, StreamId, Table};
use crate::store::{Snapshot, Space, StoreFault};
use crate::stream::{Author, RecordDraft};
use crate::{index, schema};
use bytes::Bytes;
use monotable_api::{Error, StreamViewType};
use monotable_item::EncodedItem;
use std::sync::Arc;

/// A change of one row: its new value, or none to remove it.
pub(crate) type RowChange = (Space, Bytes, Option<Bytes>);

/// Shows rows: a snapshot, or a group with what it is about to write.
pub(crate) trait ReadRows {
    fn read(&self, space: Space, key: &[u8]) -> Result<Option<Bytes>, StoreFault>;
}

impl ReadRows for Snapshot {
    fn read(&self, space: Space, key: &[u8]) -> Result<Option<Bytes>, StoreFault> {
        self.get(space, key)
    }
}

/// What came of a request.
#[derive(Debug)]
pub(crate) enum Evaluation {
    /// Everything can be done: the row changes, the effect of each action, and the records of streams.
    Done {
        changes: Vec<RowChange>,
        effects: Vec<Effect>,
        records: Vec<RecordDraft>,
    },
    /// Nothing is done; the refusal of each action that was refused.
    Refused(Vec<Option<Refusal>>),
    /// The same request with the same token was done before.
    Repeated,
    /// Another request was done with this token.
    TokenTaken,
    /// A table was deleted meanwhile.
    TableGone(Error),
}

/// Evaluates a request. Conditions of all actions are looked at, so that every refusal is known.
pub(crate) fn evaluate(
    request: &WriteRequest,
    catalog: &Catalog,
    rows: &impl ReadRows,
) -> Result<Evaluation, StoreFault> {
    let mut changes = Vec::with_capacity(request.actions.len());
    if let Some(token) = &request.token {
        match rows.read(Space::Meta, &TokenRows::claim(token))? {
            Some(claim) if token.is_honoured(&claim) => {
                return Ok(if token.is_same_request(&claim) {
                    Evaluation::Repeated
                } else {
                    Evaluation::TokenTaken
                });
            }
            Some(_) | None => claim(token, &mut changes),
        }
    }
    let mut effects = Vec::with_capacity(request.actions.len());
    let mut records = Vec::new();
    let mut refusals = Vec::new();
    for (position, action) in request.actions.iter().enumerate() {
        let table = match current(catalog, &action.table) {
            Ok(table) => table,
            Err(gone) => return Ok(Evaluation::TableGone(gone)),
        };
        let read = action.reads(table);
        let old = if read {
            rows.read(Space::Items, &action.key.0)?
        } else {
            None
        };
        match evaluate_action(action, table, old.map(EncodedItem::from_stored)) {
            Ok(mut effect) => {
                effect.read = read;
                if !matches!(action.change, Change::Check) {
                    row_changes(action, table, &effect, &mut changes);
                    records.extend(stream_record(table, &effect, request.author));
                    records.extend(recovery_record(table, &effect, request.author));
                }
                effects.push(effect);
            }
            Err(refusal) => {
                refusals.resize_with(position, || None);
                refusals.push(Some(refusal));
            }
        }
    }
    if refusals.is_empty() {
        return Ok(Evaluation::Done {
            changes,
            effects,
            records,
        });
    }
    refusals.resize_with(request.actions.len(), || None);
    Ok(Evaluation::Refused(refusals))
}

/// The table as it is now, unless it was deleted or made anew.
fn current<'a>(catalog: &'a Catalog, prepared: &Table) -> Result<&'a Arc<Table>, Error> {
    let table = catalog.table(prepared.name())?;
    if table.id == prepared.id {
        Ok(table)
    } else {
        Err(crate::wording::table_not_found())
    }
}

fn claim(token: &Token, changes: &mut Vec<RowChange>) {
    changes.push((Space::Meta, TokenRows::claim(token), Some(token.to_row())));
    changes.push((Space::Meta, TokenRows::expiry(token), Some(Bytes::new())));
}

fn evaluate_action(
    action: &Action,
    table: &Table,
    old: Option<EncodedItem>,
) -> Result<Effect, Refusal> {
    let before = old.as_ref().map(EncodedItem::view).unwrap_or_default();
    if let Some(condition) = &action.condition
        && !condition.matches(before)
    {
        return Err(Refusal::Condition { item: old });
    }
    let (new, updated) = match &action.change {
        // Checked when the request was prepared.
        Change::Put(item) => (Some(item.clone()), None),
        Change::Delete => (None, None),
        Change::Check => (old.clone(), None),
        Change::Update { key, update: None } => (Some(old.as_ref().unwrap_or(key).clone()), None),
        // An update that only removes does not create an item.
        Change::Update {
            update: Some(update),
            ..
        } if old.is_none() && !update.creates_item() => (None, None),
        Change::Update {
            key,
            update: Some(update),
        } => {
            let updated = match &old {
                Some(item) => update.apply(item.view()),
                None => update.apply_to_missing(key.view()),
            };
            let updated = updated.map_err(|error| Refusal::Invalid(Error::validation(error)))?;
            let old = old.as_ref().map(EncodedItem::view);
            schema::check_updated(table, old, &updated.item).map_err(Refusal::Invalid)?;
            (Some(updated.item.clone()), Some(updated))
        }
    };
    Ok(Effect {
        old,
        new,
        updated,
        read: false,
    })
}

fn row_changes(action: &Action, table: &Table, effect: &Effect, changes: &mut Vec<RowChange>) {
    let value = effect.new.clone().map(EncodedItem::into_bytes);
    changes.push((Space::Items, action.key.0.clone(), value));
    index::entry_changes(table, effect.old.as_ref(), effect.new.as_ref(), changes);
}

/// What the table's stream tells of the change, if it has one.
fn stream_record(table: &Table, effect: &Effect, author: Author) -> Option<RecordDraft> {
    let stream = table.stream.as_ref()?;
    record(table, (stream.id, stream.view), effect, author)
}

/// What the item was, if the table can be restored to a point in time.
fn recovery_record(table: &Table, effect: &Effect, author: Author) -> Option<RecordDraft> {
    let log = table.recovery_log()?;
    record(table, (log, StreamViewType::OldImage), effect, author)
}

fn record(
    table: &Table,
    stream: (StreamId, StreamViewType),
    effect: &Effect,
    author: Author,
) -> Option<RecordDraft> {
    let (old, new) = (effect.old.as_ref(), effect.new.as_ref());
    RecordDraft::of_change(stream, &table.start_key, old, new, author)
}
