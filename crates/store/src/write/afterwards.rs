//! What is noted when an operation is over: rows that were read, and what was denied or failed.
//!
//! A read that cannot be noted is refused: nothing is shown that leaves no trace. A refusal stays what it is; that it
//! could not be noted is said with it.

mod subject;

use crate::change::Run;
use crate::draft::Draft;
use crate::error::{Clash, Error, ErrorKind, Failure};
use crate::interrupt::Interrupt;
use crate::mechanism::audit::{AuditedAction, Status, audits_of, push_notes, request};
use crate::mechanism::note::{self, NoteSource};
use crate::mechanism::times;
use crate::operation::{AnyOperation, AnyOutput, Get, Page, Query};
use crate::pattern;
use crate::pipeline;
use crate::read::{self, PatternQuery};
use crate::reader::Reader;
use crate::record::{self, Record};
use crate::rights::Gate;
use crate::row::Row;
use crate::scope::Scope;
use crate::writer;
use monotable_item::Item;
use monotable_model::model::EntityId;
use subject::Subject;

/// How often a note is tried: its key may be taken.
const ATTEMPTS: u32 = 64;

/// Something to note.
struct Entry {
    entity: EntityId,
    verb: AuditedAction,
    status: Status,
    values: Item,
    is_given: bool,
    stored: Item,
}

/// Notes what came of an operation, as far as its own transaction has not.
pub(crate) async fn afterwards(
    reader: &Reader<'_>,
    operation: &AnyOperation,
    result: Result<AnyOutput, Error>,
) -> Result<AnyOutput, Error> {
    match result {
        Ok(outcome) => {
            let seen = see(reader, operation, &outcome).await?;
            commit(reader, &seen).await?;
            Ok(outcome)
        }
        Err(error) => {
            let noted = match refusals(reader, operation, &error).await {
                Ok(refused) => commit(reader, &refused).await,
                Err(error) => Err(error),
            };
            Err(match noted {
                Ok(()) => error,
                Err(why) => error.unnoted(why),
            })
        }
    }
}

/// The rows that were shown, or were there and not shown.
async fn see(
    reader: &Reader<'_>,
    operation: &AnyOperation,
    outcome: &AnyOutput,
) -> Result<Vec<Entry>, Error> {
    match (operation, outcome) {
        (AnyOperation::Get(Get { .. }), AnyOutput::Row(row)) => {
            Ok(viewed(reader, row).into_iter().collect())
        }
        (AnyOperation::Query(query), AnyOutput::Page(page)) => {
            let access = pattern::find_pattern(reader, &query.pattern)?;
            if !subject::gets(access) {
                return Ok(Vec::new());
            }
            match page {
                Page { rows, hidden, .. } if rows.is_empty() && *hidden > 0 => {
                    denied(reader, query).await
                }
                page => {
                    let viewed = page.rows.iter().filter_map(|row| viewed(reader, row));
                    Ok(viewed.collect())
                }
            }
        }
        _ => Ok(Vec::new()),
    }
}

/// The rows that a query has not shown. They are read again with the program's eyes, because the note says which they are.
async fn denied(reader: &Reader<'_>, query: &Query) -> Result<Vec<Entry>, Error> {
    let scope = reader.scope.for_program();
    let asked = PatternQuery {
        pattern: query.pattern.clone(),
        parameters: query.parameters.clone(),
        ..PatternQuery::default()
    };
    let page = Box::pin(read::query(&reader.with_scope(&scope), &asked)).await;
    let rows = match page {
        Ok(page) => page.rows,
        Err(Interrupt::Fail(error)) => return Err(error),
        Err(Interrupt::Restart | Interrupt::RestartAvoiding(_)) => Vec::new(),
    };
    let entries = rows.iter().filter_map(|row| viewed(reader, row));
    let denied = entries.map(|entry| Entry {
        status: Status::Unauthorized,
        ..entry
    });
    Ok(denied.collect())
}

fn viewed(scope: &Scope, row: &Row) -> Option<Entry> {
    let entity = scope.entity_named(&row.entity).ok()?;
    let values = row.values.clone();
    let address = scope.row_address(&Record {
        entity,
        values: values.clone(),
    });
    Some(Entry {
        entity,
        verb: AuditedAction::Read,
        status: Status::Complete,
        is_given: false,
        stored: address
            .map(|address| address.key(scope.model()))
            .unwrap_or_default(),
        values,
    })
}

/// What was refused. A service that could not do it now could not note it either, and it may have been done.
async fn refusals(
    reader: &Reader<'_>,
    operation: &AnyOperation,
    error: &Error,
) -> Result<Vec<Entry>, Error> {
    let mut refused = Vec::new();
    if error.kind() == ErrorKind::Retryable {
        return Ok(refused);
    }
    for subject in subject::list_subjects(reader, operation) {
        let events =
            [Status::Failed, Status::Unauthorized].map(|status| status.event(subject.verb));
        let noted = |event| audits_of(reader, subject.entity, event).next().is_some();
        if events.into_iter().any(noted) {
            refused.push(refusal(reader, subject, error).await?);
        }
    }
    Ok(refused)
}

async fn refusal(reader: &Reader<'_>, subject: Subject, error: &Error) -> Result<Entry, Error> {
    let stored = stored(reader, &subject).await;
    let hidden = match &stored {
        Some((row, _)) => is_hidden(reader, row, error).await?,
        None => false,
    };
    let status = match (error.failure(), hidden) {
        (Failure::Forbidden { entity, action }, _) => {
            // Of several writes only those were denied that the refusal is about.
            let own = [subject.entity, subject.stands].map(|id| reader.name(id));
            let own = own.contains(&entity.as_str()) || *action == "touch";
            if own {
                Status::Unauthorized
            } else {
                Status::Failed
            }
        }
        (_, true) => Status::Unauthorized,
        (_, false) => Status::Failed,
    };
    Ok(match (stored, subject.is_key) {
        (Some((row, item)), true) => Entry {
            entity: subject.entity,
            verb: subject.verb,
            status,
            values: note::mask_row(reader, &row),
            is_given: false,
            stored: item,
        },
        (found, is_key) => Entry {
            entity: subject.entity,
            // A put of a row that is there would have changed it.
            verb: match found {
                Some(_) if subject.verb == AuditedAction::Create && subject.is_put => {
                    AuditedAction::Update
                }
                _ => subject.verb,
            },
            status,
            values: given_values(reader, &subject, is_key)?,
            is_given: true,
            stored: Item::new(),
        },
    })
}

/// The row that an operation was about. What cannot be read now is not known.
async fn stored(reader: &Reader<'_>, subject: &Subject) -> Option<(Record, Item)> {
    if !subject.is_key && !subject.is_put {
        return None;
    }
    let address = reader.address(subject.stands, &subject.given).ok()?;
    let found = reader.row(&Draft::default(), &address).await.ok()?;
    found.filter(|(row, _)| row.entity == subject.stands)
}

/// Whether a row is there, and is not there for this caller.
async fn is_hidden(reader: &Reader<'_>, row: &Record, error: &Error) -> Result<bool, Error> {
    let missing = matches!(
        error.failure(),
        Failure::NotFound {
            deleting: false,
            ..
        }
    );
    if !missing || !reader.asks_rights() {
        return Ok(false);
    }
    match Gate::new(reader).sees([row]).await {
        Ok(seen) => Ok(seen != [true]),
        Err(Interrupt::Fail(error)) => Err(error),
        Err(Interrupt::Restart | Interrupt::RestartAvoiding(_)) => Ok(false),
    }
}

/// What a caller has given, as it may be shown. A new row has the ids that it would have had.
fn given_values(scope: &Scope, subject: &Subject, is_key: bool) -> Result<Item, Error> {
    let mut row = Record {
        entity: subject.entity,
        values: subject.given.clone(),
    };
    if !is_key {
        row = record::fill_copy(scope.model(), row, &scope.circumstances)
            .map_err(|error| scope.refused(subject.entity, vec![error]))?;
    }
    Ok(note::mask_row(scope, &row))
}

/// Writes what is noted.
async fn commit(reader: &Reader<'_>, entries: &[Entry]) -> Result<(), Error> {
    let mut attempt = reader.attempt.clone();
    for count in 0..ATTEMPTS {
        if count > 0 {
            reader.steps.wait(count.min(8)).await;
        }
        match write_entries(&reader.with_attempt(&attempt), entries).await {
            Ok(()) => return Ok(()),
            Err(Interrupt::Fail(error)) => return Err(error),
            Err(Interrupt::Restart) => attempt.forget_avoided(),
            Err(Interrupt::RestartAvoiding(address)) => {
                let learned = times::learn(reader, &mut attempt, &address).await;
                if let Err(Interrupt::Fail(error)) = learned {
                    return Err(error);
                }
            }
        }
    }
    Err(Error::conflict("audit", Clash::Contended))
}

async fn write_entries(reader: &Reader<'_>, entries: &[Entry]) -> Result<(), Interrupt> {
    let mut draft = Draft::default();
    let mut run = Run::new(*reader, &mut draft);
    for entry in entries {
        let facts = NoteSource {
            of: Some(entry.entity),
            copied: entry.values.clone(),
            is_given: entry.is_given,
            row: entry.values.clone(),
            old: entry.values.clone(),
            stored: entry.stored.clone(),
            request: request(reader, entry.entity, entry.verb, entry.status),
            ..NoteSource::default()
        };
        let event = entry.status.event(entry.verb);
        push_notes(&mut run, entry.entity, event, &facts)?;
    }
    pipeline::apply_waiting(&mut run).await?;
    writer::commit(reader, &mut draft).await
}
