//! One attempt at each kind of operation.

use crate::allowed::Allowed;
use crate::boxed_future::box_future;
use crate::draft::Draft;
use crate::error::{Error, ErrorKind, Failure};
use crate::field_error::{FieldError, Problem};
use crate::find::stored_place_of_key;
use crate::operation::At;
use crate::operation::{
    AnyOperation, AnyOutput, Attach, Carry, CheckSecret, CommitAll, Create, Delete, Detach, Diff,
    Get, MoveRow, Options, Purge, Put, Query, Transact, Update,
};
use crate::pattern;
use crate::read::{self, PatternQuery};
use crate::record::Record;
use crate::repository::{self};
use crate::writer;

use crate::hashing;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::rights::Gate;
use crate::row::Row;
use crate::scope::Scope;
use crate::token;
use crate::write::{self, Expected, Removal};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Entity, EntityId, RepositoryId, Way};

/// Each kind of operation in its own box: a get should not carry the room that a delete needs.
pub(crate) async fn run_once(
    reader: &Reader<'_>,
    operation: &AnyOperation,
    options: &Options,
) -> Result<AnyOutput, Interrupt> {
    let shown = |record: Allowed<Record>| Row::reveal(reader.compiled(), record);
    match operation {
        AnyOperation::Get(Get { entity, key }) => {
            let entity = reader.entity_named(entity)?;
            let record = read::get(reader, entity, key, options.consistent).await?;
            Ok(AnyOutput::Row(shown(record)))
        }
        AnyOperation::Query(query) => {
            if let Way::Diff(repository) = pattern::find_pattern(reader, &query.pattern)?.way {
                return box_future(|| difference(reader, repository, &query.parameters)).await;
            }
            let asked = ask(query, options);
            let page = box_future(|| read::query(reader, &asked)).await?;
            Ok(AnyOutput::Page(page))
        }
        AnyOperation::CheckSecret(CheckSecret {
            entity,
            key,
            attribute,
            text,
        }) => {
            let entity = reader.entity_named(entity)?;
            box_future(|| check_secret(reader, entity, key, attribute, text)).await
        }
        AnyOperation::Delete(Delete { entity, key })
        | AnyOperation::Detach(Detach { entity, key }) => {
            let entity = find_writable(reader, operation, entity)?;
            let expected = Expected(options.expected.clone());
            let record = box_future(|| write::delete(reader, entity, key, &expected)).await?;
            Ok(AnyOutput::Row(shown(record)))
        }
        AnyOperation::MoveRow(MoveRow { name, key, set }) => {
            let record = box_future(|| write::move_row(reader, name, key, set)).await?;
            Ok(AnyOutput::Row(shown(record)))
        }
        AnyOperation::Transact(Transact { operations }) => {
            box_future(|| write_all(reader, operations)).await
        }
        AnyOperation::Commit(commit) => {
            let commits = std::slice::from_ref(commit);
            let committed = box_future(|| repository::commit(reader, commits)).await?;
            Ok(AnyOutput::Committed(committed))
        }
        AnyOperation::CommitAll(CommitAll { commits }) => {
            let committed = box_future(|| repository::commit(reader, commits)).await?;
            Ok(AnyOutput::Committed(committed))
        }
        AnyOperation::Log(operation) => {
            let page = box_future(|| repository::log(reader, operation)).await?;
            Ok(AnyOutput::Page(page))
        }
        AnyOperation::Show(operation) => {
            let snapshot = box_future(|| repository::show(reader, operation)).await?;
            Ok(AnyOutput::Snapshot(snapshot))
        }
        AnyOperation::Diff(operation) => {
            let differences = box_future(|| repository::diff(reader, operation)).await?;
            Ok(AnyOutput::Differences(differences))
        }
        AnyOperation::Rollback(operation) => {
            let head = box_future(|| repository::rollback(reader, operation)).await?;
            Ok(AnyOutput::Row(head))
        }
        AnyOperation::Revert(operation) => {
            let committed = box_future(|| repository::revert(reader, operation)).await?;
            Ok(AnyOutput::Committed(committed))
        }
        AnyOperation::Sweep(operation) => {
            let report = box_future(|| repository::sweep(reader, operation)).await?;
            Ok(AnyOutput::SweepReport(report))
        }
        AnyOperation::Carry(Carry { name, key, values }) => {
            let committed = box_future(|| repository::carry(reader, name, key, values)).await?;
            Ok(AnyOutput::Committed(committed))
        }
        AnyOperation::Purge(Purge { owner }) => {
            let purged = box_future(|| repository::purge(reader, owner)).await?;
            Ok(AnyOutput::PurgeReport(purged))
        }
        AnyOperation::Update(update) => {
            box_future(|| change_one(reader, operation, update, &options.expected)).await
        }
        AnyOperation::Create(Create { .. })
        | AnyOperation::Put(Put { .. })
        | AnyOperation::Attach(Attach { .. }) => {
            box_future(|| write_one(reader, operation, &options.expected)).await
        }
    }
}

/// One change by itself: a single request, if the row need not be read for it.
async fn change_one(
    reader: &Reader<'_>,
    operation: &AnyOperation,
    update: &Update,
    expected: &Item,
) -> Result<AnyOutput, Interrupt> {
    let entity = find_writable(reader, operation, &update.entity)?;
    let Update { key, change, .. } = update;
    match write::update_alone(reader, entity, key, change, expected).await? {
        Some(record) => Ok(AnyOutput::Row(Row::reveal(reader.compiled(), record))),
        None => box_future(|| write_one(reader, operation, expected)).await,
    }
}

/// One write by itself.
async fn write_one(
    reader: &Reader<'_>,
    operation: &AnyOperation,
    expected: &Item,
) -> Result<AnyOutput, Interrupt> {
    let mut draft = Draft::default();
    let mut gone = Vec::new();
    let planned = plan(reader, &mut draft, &mut gone, operation, expected);
    let record = planned.await?;
    token::note_answer(reader, &mut draft, [&*record])?;
    box_future(|| writer::commit(reader, &mut draft)).await?;
    Ok(AnyOutput::Row(match operation {
        AnyOperation::Create(Create { values, .. }) => {
            Row::reveal_new(reader.compiled(), record, values)
        }
        _ => Row::reveal(reader.compiled(), record),
    }))
}

/// Several writes, all or none.
async fn write_all(
    reader: &Reader<'_>,
    operations: &[AnyOperation],
) -> Result<AnyOutput, Interrupt> {
    let mut draft = Draft::default();
    let mut records = Vec::new();
    let mut rows = Vec::new();
    let mut refused = Vec::new();
    let mut gone = Vec::new();
    for operation in operations {
        let nothing = Item::new();
        let planned = plan(reader, &mut draft, &mut gone, operation, &nothing);
        match Box::pin(planned).await {
            Ok(record) => {
                records.push(Record::clone(&record));
                rows.push(match operation {
                    AnyOperation::Create(Create { values, .. }) => {
                        Row::reveal_new(reader.compiled(), record, values)
                    }
                    _ => Row::reveal(reader.compiled(), record),
                });
            }
            // Everything that is wrong is said at once.
            Err(Interrupt::Fail(error)) if error.kind() == ErrorKind::Validation => {
                refused.push(error);
            }
            Err(stop) => return Err(stop),
        }
    }
    if let Some(error) = Error::together(refused) {
        return Err(error.into());
    }
    token::note_answer(reader, &mut draft, &records)?;
    writer::commit(reader, &mut draft).await?;
    if reader.mode.writes() {
        box_future(|| write::delete_late_referrers(reader, gone, false)).await?;
    }
    Ok(AnyOutput::Rows(rows))
}

/// A pattern that compares two revisions: its parameters are the repository's key, `from` and `to`.
async fn difference(
    reader: &Reader<'_>,
    repository: RepositoryId,
    parameters: &Item,
) -> Result<AnyOutput, Interrupt> {
    let name = &reader.model().repository(repository).name.value;
    let mut key = parameters.clone();
    let mut revision = |end: &str| match key.remove(end) {
        Some(AttributeValue::S(revision)) => Ok(At::Revision(revision)),
        _ => Err(Error::validation(
            name,
            vec![FieldError::new(end, Problem::Missing)],
        )),
    };
    let (from, to) = (revision("from")?, revision("to")?);
    let repository = name.clone();
    let operation = Diff {
        repository,
        key,
        from,
        to,
    };
    let differences = repository::diff(reader, &operation).await?;
    Ok(AnyOutput::Differences(differences))
}

fn ask(query: &Query, options: &Options) -> PatternQuery {
    PatternQuery {
        pattern: query.pattern.clone(),
        parameters: query.parameters.clone(),
        limit: query.limit,
        cursor: query.after.clone(),
        descending: query.descending,
        consistent: options.consistent,
    }
}

/// The entity of an operation; one that relates two rows has two references at least.
fn find_writable(scope: &Scope, operation: &AnyOperation, name: &str) -> Result<EntityId, Error> {
    let entity = scope.entity_named(name)?;
    refuse_versioned(scope, entity)?;
    let asked = matches!(
        operation,
        AnyOperation::Attach(Attach { .. }) | AnyOperation::Detach(Detach { .. })
    );
    if asked && !relates_two_rows(scope.entity(entity)) {
        Err(Error::usage(format!("`{name}` does not relate two rows")))
    } else {
        Ok(entity)
    }
}

fn relates_two_rows(declared: &Entity) -> bool {
    let key = declared.key_attributes();
    let ends = crate::profile::references(declared)
        .filter(|(attribute, _)| key.contains(&attribute.name.value.as_str()));
    declared.relation.is_some() || ends.count() > 1
}

/// Adds one write to a draft, and the rows that it deletes to those that are gone then. A create is the smallest of them, so
/// the others have boxes of their own.
async fn plan(
    reader: &Reader<'_>,
    draft: &mut Draft,
    gone: &mut Vec<Removal>,
    operation: &AnyOperation,
    expected: &Item,
) -> Result<Allowed<Record>, Interrupt> {
    let expected = Expected(expected.clone());
    match operation {
        AnyOperation::Create(Create { entity, values })
        | AnyOperation::Attach(Attach { entity, values }) => {
            let entity = find_writable(reader, operation, entity)?;
            write::create(reader, draft, entity, values).await
        }
        AnyOperation::Put(Put { entity, values }) => {
            let entity = find_writable(reader, operation, entity)?;
            box_future(|| write::put(reader, draft, entity, values, &expected)).await
        }
        AnyOperation::Update(Update {
            entity,
            key,
            change,
        }) => {
            let entity = find_writable(reader, operation, entity)?;
            box_future(|| write::update(reader, draft, entity, key, change, &expected)).await
        }
        AnyOperation::Delete(Delete { entity, key })
        | AnyOperation::Detach(Detach { entity, key }) => {
            let entity = find_writable(reader, operation, entity)?;
            box_future(|| write::delete_into(reader, draft, gone, entity, key, &expected)).await
        }
        AnyOperation::Get(Get { .. })
        | AnyOperation::Query(_)
        | AnyOperation::CheckSecret(CheckSecret { .. })
        | AnyOperation::MoveRow(MoveRow { .. })
        | AnyOperation::Transact(_)
        | AnyOperation::Commit(_)
        | AnyOperation::CommitAll(_)
        | AnyOperation::Log(_)
        | AnyOperation::Show(_)
        | AnyOperation::Diff(_)
        | AnyOperation::Rollback(_)
        | AnyOperation::Revert(_)
        | AnyOperation::Sweep(_)
        | AnyOperation::Carry(Carry { .. })
        | AnyOperation::Purge(Purge { .. }) => Err(Error::usage(
            "a transaction is made of creates, puts, updates, deletes, attaches and detaches",
        )
        .into()),
    }
}

/// Compares a text with the hash of an attribute. Somebody who is not there takes as long as somebody who is.
async fn check_secret(
    reader: &Reader<'_>,
    entity: EntityId,
    key: &Item,
    attribute: &str,
    text: &str,
) -> Result<AnyOutput, Interrupt> {
    let declared = reader.entity(entity).attribute(attribute);
    let Some(cost) = declared.and_then(|attribute| attribute.hashed) else {
        let message = format!("`{attribute}` is not a hashed attribute");
        return Err(Error::usage(message).into());
    };
    let nothing = Draft::default();
    let address = stored_place_of_key(reader, &nothing, entity, key).await?;
    let found = reader.row(&nothing, &address).await?;
    let record = found
        .map(|(record, _)| record)
        .filter(|record| record.entity == entity);
    // Somebody whom the caller may not see is not there.
    let record = match record {
        Some(record) => Gate::new(reader).see_row(record).await?,
        None => None,
    };
    let hash = record.and_then(|record| record.values.get(attribute).cloned());
    Ok(AnyOutput::Flag(match hash {
        Some(AttributeValue::S(hash)) => hashing::verify(reader, text, &hash).await,
        _ => hashing::verify_nobody(reader, text, cost).await,
    }))
}

/// Refuses to write rows of a repository: only commits do.
fn refuse_versioned(scope: &Scope, entity: EntityId) -> Result<(), Error> {
    match scope.model().repository_of(entity) {
        None => Ok(()),
        Some(repository) => Err(Failure::Versioned {
            entity: scope.name(entity).to_owned(),
            repository: repository.name.value.clone(),
        }
        .into()),
    }
}
