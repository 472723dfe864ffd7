//! Calls that depend on what a row is: entity tags, and objects that are merged.
//!
//! A tag is made of everything that the row says. So a write that demands one reads the row, compares, and is then made on
//! the condition that the row still says all of that. What changes in between is found by the store, in the very request
//! that writes.

use super::refuse;
use crate::call::Call;
use crate::etag;
use crate::precondition::{Precondition, Tags};
use crate::problem::Problem;
use crate::response::Response;
use monotable_item::Item;
use monotable_store::{
    AnyOperation, AnyOutput, Clash, Create, Error, ErrorKind, Failure, Get, Options, Put, Row,
    Store,
};

/// How often a merge begins anew because the row has changed meanwhile.
const MERGES: usize = 8;

/// A call that is ready to be made, or what is answered without making it.
pub(super) enum Prepared {
    Call(Box<Call>),
    Answer(Response),
}

/// Reads the row if the call depends on it, and adds to the call what must still be so when it writes.
pub(super) async fn prepare(store: &Store, mut call: Call) -> Result<Prepared, Problem> {
    if call.precondition.differs == Some(Tags::Any)
        && let AnyOperation::Put(Put { entity, values }) = &call.operation
    {
        let (entity, values) = (entity.clone(), values.clone());
        call.operation = AnyOperation::Create(Create { entity, values });
    }
    if let Some(response) = merge(store, &mut call).await? {
        return Ok(Prepared::Answer(response));
    }
    let Some(wanted) = &call.precondition.matches else {
        return Ok(Prepared::Call(Box::new(call)));
    };
    let Some(get) = find_row(store, &call.operation) else {
        return Ok(Prepared::Call(Box::new(call)));
    };
    let row = match read_row(store, &get).await {
        Ok(row) => row,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(Problem::precondition_failed(format!(
                "there is no such row: {error}"
            )));
        }
        Err(error) => return Err(refuse(store.model(), &call.operation, &error)),
    };
    if !wanted.has_strong(&etag::tag_row(store.model(), &row)) {
        return Err(changed());
    }
    if *wanted != Tags::Any
        && let Some((_, entity)) = store.model().entity_named(&get.entity)
    {
        let expected = etag::expect_row(entity, &row);
        add_expected(&mut call.options, expected);
    }
    Ok(Prepared::Call(Box::new(call)))
}

fn changed() -> Problem {
    Problem::precondition_failed(
        "the row is not the one that the tag stands for: read it again and decide anew",
    )
}

/// Makes a call. A row that is not what a tag stands for, or that is there although none may be, is a failed precondition.
pub(super) async fn run(
    store: &Store,
    operation: &AnyOperation,
    options: Options,
    precondition: &Precondition,
) -> Result<AnyOutput, Problem> {
    let expected = list_expected(&options);
    let result = store.run(operation.clone(), options).await;
    result.map_err(|error| refuse_call(store, (operation, &error), &expected, precondition))
}

/// The attributes whose values a call demands.
pub(super) fn list_expected(options: &Options) -> Vec<String> {
    let expected = options.expected.iter();
    expected.map(|(name, _)| name.clone()).collect()
}

/// The problem of a call that the store refused.
pub(super) fn refuse_call(
    store: &Store,
    (operation, error): (&AnyOperation, &Error),
    expected: &[String],
    precondition: &Precondition,
) -> Problem {
    let clash = match error.failure() {
        Failure::Conflict { clash, .. } => Some(clash),
        _ => None,
    };
    match clash {
        Some(Clash::Expected { attribute })
            if precondition.matches.is_some() && expected.contains(attribute) =>
        {
            changed()
        }
        Some(Clash::Key { .. }) if precondition.differs == Some(Tags::Any) => {
            Problem::precondition_failed("there is such a row already")
        }
        _ => refuse(store.model(), operation, error),
    }
}

/// Merges the objects of a patch into what the row has. While others change the same, that is done anew.
async fn merge(store: &Store, call: &mut Call) -> Result<Option<Response>, Problem> {
    let Some(patch) = call.patch.take() else {
        return Ok(None);
    };
    let Some(get) = find_row(store, &call.operation) else {
        return Ok(None);
    };
    for attempt in 0..MERGES {
        let row = read_row(store, &get).await;
        let row = row.map_err(|error| refuse(store.model(), &call.operation, &error))?;
        let (set, expected) = patch.merge(&row.values);
        let AnyOperation::Update(update) = &mut call.operation else {
            return Ok(None);
        };
        for (name, value) in set.iter() {
            update.change.set.insert(name.clone(), value.clone());
        }
        // Another caller may write the same attribute between this read and the write. Then the merge begins anew; the last
        // attempt runs like any other call and answers with the conflict.
        let mut options = call.options.clone();
        add_expected(&mut options, expected.clone());
        let is_last = attempt + 1 == MERGES;
        let is_usual = is_last
            || call.options.dry_run
            || call.trace.is_some()
            || call.precondition.matches.is_some();
        if is_usual || call.mode == crate::call::CallMode::Explain {
            call.options = options;
            return Ok(None);
        }
        match store.run(call.operation.clone(), options).await {
            Err(error) if is_about(&error, &expected) => {}
            Err(error) => return Err(refuse(store.model(), &call.operation, &error)),
            Ok(output) => {
                let mut response = super::write_answer(store.model(), &output)?;
                if let AnyOutput::Row(row) = &output {
                    let tag = etag::tag_row(store.model(), row);
                    response = response.with_header(http::header::ETAG, &etag::quote(&tag));
                }
                return Ok(Some(response));
            }
        }
    }
    Ok(None)
}

/// Whether an error says that one of these values was not what was expected.
fn is_about(error: &Error, expected: &Item) -> bool {
    match error.failure() {
        Failure::Conflict {
            clash: Clash::Expected { attribute },
            ..
        } => expected.get(attribute).is_some(),
        _ => false,
    }
}

fn add_expected(options: &mut Options, expected: Item) {
    for (name, value) in expected.iter() {
        if options.expected.get(name).is_none() {
            options.expected.insert(name.clone(), value.clone());
        }
    }
}

/// The row that an operation is about, if it is about one that may be there.
fn find_row(store: &Store, operation: &AnyOperation) -> Option<Get> {
    let (entity, key) = match operation {
        AnyOperation::Get(get) => (&get.entity, get.key.clone()),
        AnyOperation::Update(update) => (&update.entity, update.key.clone()),
        AnyOperation::Delete(delete) => (&delete.entity, delete.key.clone()),
        AnyOperation::Detach(detach) => (&detach.entity, detach.key.clone()),
        AnyOperation::Put(put) => {
            let (_, entity) = store.model().entity_named(&put.entity)?;
            let names = entity.key_attributes().into_iter();
            let key =
                names.filter_map(|name| Some((name.to_owned(), put.values.get(name)?.clone())));
            (&put.entity, key.collect())
        }
        _ => return None,
    };
    Some(Get {
        entity: entity.clone(),
        key,
    })
}

async fn read_row(store: &Store, get: &Get) -> Result<Row, Error> {
    let key = get.key.clone();
    store.get(&get.entity, key).consistent().await
}
