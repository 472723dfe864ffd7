//! An operation from its beginning to its end.

use crate::allowed::Allowed;
use crate::caller;
use crate::draft::Draft;
use crate::error::{Clash, Error, ErrorKind, Failure};
use crate::field_error::{FieldError, Problem};
use crate::isolation::{PartitionGate, Partitions};
use crate::operation::{
    AnyOperation, AnyOutput, Attach, Carry, CheckSecret, CommitAll, Create, Delete, Detach, Diff,
    Get, MoveRow, Options, Purge, Put, Query, Transact, Update,
};
use crate::read::{self, PatternQuery};
use crate::record::Record;
use crate::repository::{self, At};

use crate::rights::Gate;
use crate::row::Row;
use crate::runnable;
use crate::secret;
use crate::session::{Interrupt, Session};
use crate::token::{self, Token};
use crate::write::{self, Expected, Removal};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{EntityId, RepositoryId, Way};
use std::sync::Arc;

/// How often an operation begins anew because others changed what it had read.
const ATTEMPTS: u32 = 64;

/// Runs an operation. One that lost a race begins anew with what is there then.
pub(crate) async fn run(
    session: Session,
    operation: AnyOperation,
    options: Options,
) -> Result<AnyOutput, Error> {
    caller::check(&session)?;
    let session = name_call(session, &operation, &options)?;
    let result = attempted(&session, &operation, &options).await;
    match session.model().audits.is_empty() {
        true => result,
        false => Box::pin(write::note_afterwards(&session, &operation, result)).await,
    }
}

/// The same session, in which the call has the name that its token gives it.
fn name_call(
    mut session: Session,
    operation: &AnyOperation,
    options: &Options,
) -> Result<Session, Error> {
    if let Some(token) = &options.token {
        session.token = Some(Token::new(&session, token, operation, options)?);
    }
    Ok(session)
}

async fn attempted(
    session: &Session,
    operation: &AnyOperation,
    options: &Options,
) -> Result<AnyOutput, Error> {
    if let Some(isolation) = session
        .model()
        .isolation
        .as_ref()
        .filter(|_| session.guarded)
    {
        let partitions = Partitions::of(session.model(), isolation, &session.around);
        session
            .steps
            .guard(PartitionGate::new(partitions, Arc::clone(&session.bound)));
    }
    for attempt in 0..ATTEMPTS {
        if attempt > 0 {
            session.steps.wait(attempt.min(8)).await;
        }
        match answer(session, operation, options).await {
            Ok(outcome) => return Ok(outcome),
            Err(Interrupt::Fail(error)) => {
                return Err(isolated(session, error).about(session.model()));
            }
            Err(Interrupt::Restart) => session.forget(),
            Err(Interrupt::RestartAvoiding(address)) => {
                if let Err(Interrupt::Fail(error)) = write::learn_taken(session, &address).await {
                    return Err(isolated(session, error));
                }
                session.avoid(address);
            }
        }
    }
    Err(Error::conflict(operation.subject(), Clash::Contended))
}

/// A request that was not sent is not the service's refusal.
fn isolated(session: &Session, error: Error) -> Error {
    match session.steps.refused() {
        Some(partition) => Failure::Forbidden {
            entity: partition,
            action: "touch",
        }
        .into(),
        None => error,
    }
}

/// One attempt. A call that was made before under the same token is answered and not made again.
async fn answer(
    session: &Session,
    operation: &AnyOperation,
    options: &Options,
) -> Result<AnyOutput, Interrupt> {
    if session.token.is_none() {
        return once(session, operation, options).await;
    }
    if let Some(answer) = Box::pin(token::find_answer(session, operation)).await? {
        return Ok(answer);
    }
    match once(session, operation, options).await {
        Err(Interrupt::Fail(error)) => {
            Box::pin(token::answer_again(session, operation, error)).await
        }
        result => result,
    }
}

/// Each kind of operation in its own box: a get should not carry the room that a delete needs.
async fn once(
    session: &Session,
    operation: &AnyOperation,
    options: &Options,
) -> Result<AnyOutput, Interrupt> {
    let shown = |record: Allowed<Record>| Row::reveal(session.model(), record);
    match operation {
        AnyOperation::Get(Get { entity, key }) => {
            let entity = session.entity_named(entity)?;
            let record = read::get(session, entity, key, options.consistent).await?;
            Ok(AnyOutput::Row(shown(record)))
        }
        AnyOperation::Query(query) => {
            if let Way::Diff(repository) = read::named(session, &query.pattern)?.way {
                return Box::pin(difference(session, repository, &query.parameters)).await;
            }
            let page = Box::pin(read::query(session, &ask(query, options))).await?;
            Ok(AnyOutput::Page(page))
        }
        AnyOperation::CheckSecret(CheckSecret {
            entity,
            key,
            attribute,
            text,
        }) => {
            let entity = session.entity_named(entity)?;
            Box::pin(check_secret(session, entity, key, attribute, text)).await
        }
        AnyOperation::Delete(Delete { entity, key })
        | AnyOperation::Detach(Detach { entity, key }) => {
            let entity = named(session, operation, entity)?;
            let expected = Expected(options.expected.clone());
            let record = Box::pin(write::delete(session, entity, key, &expected)).await?;
            Ok(AnyOutput::Row(shown(record)))
        }
        AnyOperation::MoveRow(MoveRow { name, key, set }) => {
            let record = Box::pin(write::move_row(session, name, key, set)).await?;
            Ok(AnyOutput::Row(shown(record)))
        }
        AnyOperation::Transact(Transact { operations }) => {
            let mut draft = Draft::default();
            let mut records = Vec::new();
            let mut rows = Vec::new();
            let mut refused = Vec::new();
            let mut gone = Vec::new();
            for operation in operations {
                let nothing = Item::new();
                let planned = planned(session, &mut draft, &mut gone, operation, &nothing);
                match Box::pin(planned).await {
                    Ok(record) => {
                        records.push(Record::clone(&record));
                        rows.push(match operation {
                            AnyOperation::Create(Create { values, .. }) => {
                                Row::reveal_new(session.model(), record, values)
                            }
                            _ => shown(record),
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
            token::note_answer(session, &mut draft, &records)?;
            session.commit(&mut draft).await?;
            if !session.pretend {
                Box::pin(write::delete_late_referrers(session, gone, false)).await?;
            }
            Ok(AnyOutput::Rows(rows))
        }
        AnyOperation::Commit(commit) => {
            let commits = std::slice::from_ref(commit);
            let committed = Box::pin(repository::commit(session, commits)).await?;
            Ok(AnyOutput::Committed(committed))
        }
        AnyOperation::CommitAll(CommitAll { commits }) => {
            let committed = Box::pin(repository::commit(session, commits)).await?;
            Ok(AnyOutput::Committed(committed))
        }
        AnyOperation::Log(operation) => {
            let page = Box::pin(repository::log(session, operation)).await?;
            Ok(AnyOutput::Page(page))
        }
        AnyOperation::Show(operation) => {
            let snapshot = Box::pin(repository::show(session, operation)).await?;
            Ok(AnyOutput::Snapshot(snapshot))
        }
        AnyOperation::Diff(operation) => {
            let differences = Box::pin(repository::diff(session, operation)).await?;
            Ok(AnyOutput::Differences(differences))
        }
        AnyOperation::Rollback(operation) => {
            let head = Box::pin(repository::rollback(session, operation)).await?;
            Ok(AnyOutput::Row(head))
        }
        AnyOperation::Revert(operation) => {
            let committed = Box::pin(repository::revert(session, operation)).await?;
            Ok(AnyOutput::Committed(committed))
        }
        AnyOperation::Sweep(operation) => {
            let report = Box::pin(repository::sweep(session, operation)).await?;
            Ok(AnyOutput::SweepReport(report))
        }
        AnyOperation::Carry(Carry { name, key, values }) => {
            let committed = Box::pin(repository::carry(session, name, key, values)).await?;
            Ok(AnyOutput::Committed(committed))
        }
        AnyOperation::Purge(Purge { owner }) => {
            let purged = Box::pin(repository::purge(session, owner)).await?;
            Ok(AnyOutput::PurgeReport(purged))
        }
        AnyOperation::Create(Create { .. })
        | AnyOperation::Update(Update { .. })
        | AnyOperation::Put(Put { .. })
        | AnyOperation::Attach(Attach { .. }) => {
            let mut draft = Draft::default();
            let mut gone = Vec::new();
            let planned = planned(session, &mut draft, &mut gone, operation, &options.expected);
            let record = Box::pin(planned).await?;
            token::note_answer(session, &mut draft, [&*record])?;
            session.commit(&mut draft).await?;
            Ok(AnyOutput::Row(match operation {
                AnyOperation::Create(Create { values, .. }) => {
                    Row::reveal_new(session.model(), record, values)
                }
                _ => shown(record),
            }))
        }
    }
}

/// A pattern that compares two revisions: its parameters are the repository's key, `from` and `to`.
async fn difference(
    session: &Session,
    repository: RepositoryId,
    parameters: &Item,
) -> Result<AnyOutput, Interrupt> {
    let name = &session.model().repository(repository).name.value;
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
    let differences = repository::diff(session, &operation).await?;
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
fn named(session: &Session, operation: &AnyOperation, name: &str) -> Result<EntityId, Error> {
    let entity = session.entity_named(name)?;
    runnable::refuse_versioned(session, entity)?;
    let declared = session.entity(entity);
    let key = declared.key_attributes();
    let ends = crate::profile::references(declared)
        .filter(|(attribute, _)| key.contains(&attribute.name.value.as_str()));
    let relates = declared.relation.is_some() || ends.count() > 1;
    let asked = matches!(
        operation,
        AnyOperation::Attach(Attach { .. }) | AnyOperation::Detach(Detach { .. })
    );
    match asked && !relates {
        true => Err(Error::usage(format!("`{name}` does not relate two rows"))),
        false => Ok(entity),
    }
}

/// Adds one write to a draft, and the rows that it deletes to those that are gone then.
async fn planned(
    session: &Session,
    draft: &mut Draft,
    gone: &mut Vec<Removal>,
    operation: &AnyOperation,
    expected: &Item,
) -> Result<Allowed<Record>, Interrupt> {
    let expected = Expected(expected.clone());
    match operation {
        AnyOperation::Create(Create { entity, values })
        | AnyOperation::Attach(Attach { entity, values }) => {
            let entity = named(session, operation, entity)?;
            write::create(session, draft, entity, values.clone()).await
        }
        AnyOperation::Put(Put { entity, values }) => {
            let entity = named(session, operation, entity)?;
            write::put(session, draft, entity, values.clone(), &expected).await
        }
        AnyOperation::Update(Update {
            entity,
            key,
            change,
        }) => {
            let entity = named(session, operation, entity)?;
            write::update(session, draft, entity, key, change, &expected).await
        }
        AnyOperation::Delete(Delete { entity, key })
        | AnyOperation::Detach(Detach { entity, key }) => {
            let entity = named(session, operation, entity)?;
            write::delete_into(session, draft, gone, entity, key, &expected).await
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
    session: &Session,
    entity: EntityId,
    key: &Item,
    attribute: &str,
    text: &str,
) -> Result<AnyOutput, Interrupt> {
    let declared = session.entity(entity).attribute(attribute);
    let Some(cost) = declared.and_then(|attribute| attribute.hashed) else {
        let message = format!("`{attribute}` is not a hashed attribute");
        return Err(Error::usage(message).into());
    };
    let address = session.address(entity, key)?;
    let found = session.row(&Draft::default(), &address).await?;
    let record = found
        .map(|(record, _)| record)
        .filter(|record| record.entity == entity);
    // Somebody whom the caller may not see is not there.
    let record = match record {
        Some(record) => Gate::new(session).see_row(record).await?,
        None => None,
    };
    let hash = record.and_then(|record| record.values.get(attribute).cloned());
    Ok(AnyOutput::Flag(match hash {
        Some(AttributeValue::S(hash)) => secret::verify(text, &hash),
        _ => secret::verify_nobody(text, cost),
    }))
}
