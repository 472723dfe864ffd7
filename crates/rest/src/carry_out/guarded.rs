//! Calls that depend on what a row is: entity tags, and objects that are merged.
//!
//! A tag is made of everything that the row says. So a write that demands one reads the row, compares, and is then made on
//! the condition that the row still says all of that. What changes in between is found by the store, in the very request
//! that writes.

use super::refuse;
use crate::call::{Call, CallMode};
use crate::etag;
use crate::precondition::{Precondition, Tags};
use crate::problem::Problem;
use crate::response::Response;
use monotable_item::Item;
use monotable_store::{
    AnyOperation, AnyOutput, Attach, CallIdentity, Clash, Create, Error, ErrorKind, Failure, Get,
    Options, Put, Row, Store,
};

/// How often a merge begins anew because the row has changed meanwhile.
const MERGES: usize = 8;

/// A call that is ready to be made, or what is answered without making it.
pub(super) enum Prepared {
    Call(Box<Call>),
    Answer(Response),
    /// The call was made before under its token, and this is its answer.
    Repetition(Box<Call>, AnyOutput),
}

/// Reads the row if the call depends on it, and adds to the call what must still be so when it writes.
pub(super) async fn prepare(store: &Store, mut call: Call) -> Result<Prepared, Problem> {
    identify(&mut call);
    if call.precondition.matches.is_none() && call.precondition.differs == Some(Tags::Any) {
        create_instead(&mut call);
    }
    match merge(store, &mut call).await {
        Ok(None) => {}
        Ok(Some(response)) => return Ok(Prepared::Answer(response)),
        Err(problem) => return repeat(store, call, problem).await,
    }
    let Some(get) = find_compared(store, &call)? else {
        return Ok(Prepared::Call(Box::new(call)));
    };
    match read_row(store, &get).await {
        Ok(row) => compare(store, call, (&get, &row)).await,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            compare_nothing(store, call, &error).await
        }
        Err(error) => Err(refuse(store.model(), &call.operation, &error)),
    }
}

/// A put that demands that there is no row creates one, unless it also demands what the row has.
fn create_instead(call: &mut Call) {
    if !call.options.expected.is_empty() {
        return;
    }
    if let AnyOperation::Put(Put { entity, values }) = &call.operation {
        let (entity, values) = (entity.clone(), values.clone());
        call.operation = AnyOperation::Create(Create { entity, values });
    }
}

/// The row whose tag decides about a call; none if no tag does. Readers that have the row already are told so when it was read.
fn find_compared(store: &Store, call: &Call) -> Result<Option<Get>, Problem> {
    let Precondition { matches, differs } = &call.precondition;
    let header = match (matches, differs) {
        (Some(_), _) => "If-Match",
        (None, Some(_)) if writes(&call.operation) => "If-None-Match",
        _ => return Ok(None),
    };
    if let (None, AnyOperation::Create(_) | AnyOperation::Attach(_)) = (matches, &call.operation) {
        // The store refuses to create a row where there is one: only its tag has to be known before.
        let is_list = *differs != Some(Tags::Any);
        return Ok(find_created(store, &call.operation).filter(|_| is_list));
    }
    match find_row(store, &call.operation) {
        Some(get) => Ok(Some(get)),
        None => Err(Problem::bad_request(format!(
            "the header `{header}` is about the row at an address, and this call is about no such row; leave the header out"
        ))),
    }
}

/// Holds the tag of a row against what the caller demands, and keeps the call to this very row.
async fn compare(
    store: &Store,
    mut call: Call,
    (get, row): (&Get, &Row),
) -> Result<Prepared, Problem> {
    let tag = etag::tag_row(store.model(), row);
    let Precondition { matches, differs } = &call.precondition;
    if matches.as_ref().is_some_and(|tags| !tags.has_strong(&tag)) {
        return repeat(store, call, changed()).await;
    }
    let differs = differs.as_ref().filter(|_| writes(&call.operation));
    if differs.is_some_and(|tags| tags.has(&tag)) {
        return repeat(store, call, known()).await;
    }
    let demands_this_row = [matches.as_ref(), differs]
        .into_iter()
        .flatten()
        .any(|tags| *tags != Tags::Any);
    if demands_this_row
        && call.operation.is_conditional()
        && let Some((_, entity)) = store.model().entity_named(&get.entity)
    {
        add_expected(&mut call.options, etag::expect_row(entity, row));
    }
    Ok(Prepared::Call(Box::new(call)))
}

/// There is no row: none that a tag stands for, and all that `If-None-Match` demands is so.
async fn compare_nothing(
    store: &Store,
    mut call: Call,
    error: &Error,
) -> Result<Prepared, Problem> {
    if call.precondition.matches.is_some() {
        let problem = Problem::precondition_failed(format!("there is no such row: {error}"));
        return repeat(store, call, problem).await;
    }
    if let AnyOperation::Put(_) = &call.operation {
        // A row that comes meanwhile may be the one that the caller does not want to replace.
        create_instead(&mut call);
    }
    if let AnyOperation::Create(_) | AnyOperation::Attach(_) = &call.operation {
        return Ok(Prepared::Call(Box::new(call)));
    }
    let problem = refuse(store.model(), &call.operation, error);
    repeat(store, call, problem).await
}

/// Says what makes the call the same when it comes again: what it is made into here depends on what the row is now.
fn identify(call: &mut Call) {
    let Precondition { matches, differs } = &call.precondition;
    let differs = differs.as_ref().filter(|tags| **tags != Tags::Any);
    let is_derived = call.patch.is_some() || matches.is_some() || differs.is_some();
    if !is_derived || call.options.token.is_none() {
        return;
    }
    let mut operation = call.operation.clone();
    if let (AnyOperation::Update(update), Some(patch)) = (&mut operation, &call.patch) {
        for (name, value) in patch.objects().iter() {
            update.change.set.insert(name.clone(), value.clone());
        }
    }
    let mut condition = matches.as_ref().map(Tags::to_string).unwrap_or_default();
    if let Some(tags) = differs {
        condition.push_str(&format!("\nIf-None-Match: {tags}"));
    }
    call.options.identity = Some(Box::new(CallIdentity {
        operation,
        expected: call.options.expected.clone(),
        condition,
    }));
}

/// A row that is not what the caller has seen may be the work of this very call, sent again: then its answer is given again.
async fn repeat(store: &Store, call: Call, problem: Problem) -> Result<Prepared, Problem> {
    // An explanation writes nothing, and the answer of a delete that broke off finishes it.
    if call.mode == CallMode::Explain {
        return Err(problem);
    }
    let found = Box::pin(store.find_earlier_answer(&call.operation, &call.options)).await;
    match found {
        // The store finds the answer again while it is traced.
        Ok(Some(_)) if call.trace.is_some() => Ok(Prepared::Call(Box::new(call))),
        Ok(Some(output)) => Ok(Prepared::Repetition(Box::new(call), output)),
        Ok(None) => Err(problem),
        Err(error) => Err(refuse(store.model(), &call.operation, &error)),
    }
}

fn changed() -> Problem {
    Problem::precondition_failed(
        "the row is not the one that the tag stands for: read it again and decide anew",
    )
}

fn known() -> Problem {
    Problem::precondition_failed(
        "there is such a row, and `If-None-Match` demands that none is there that it names: leave the header out to go on all \
         the same",
    )
}

/// Makes a call. A row that is not what a tag stands for, or that is there although none may be, is a failed precondition.
pub(super) async fn run(store: &Store, call: &Call) -> Result<AnyOutput, Problem> {
    let Call {
        operation,
        options,
        precondition,
        ..
    } = call;
    let result = store.carry_out(operation, options).await;
    result.map_err(|error| {
        let expected = list_expected(options);
        refuse_call(store, (operation, &error), &expected, precondition)
    })
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
            if precondition.has_tags() && expected.contains(attribute) =>
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
        let is_usual =
            is_last || call.options.dry_run || call.trace.is_some() || call.precondition.has_tags();
        if is_usual || call.mode == CallMode::Explain {
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

/// The row that a call would create, if the caller says all of its key.
fn find_created(store: &Store, operation: &AnyOperation) -> Option<Get> {
    let (AnyOperation::Create(Create { entity, values })
    | AnyOperation::Attach(Attach { entity, values })) = operation
    else {
        return None;
    };
    let (_, declared) = store.model().entity_named(entity)?;
    let names = declared.key_attributes().into_iter();
    let key: Option<Item> = names
        .map(|name| Some((name.to_owned(), values.get(name)?.clone())))
        .collect();
    Some(Get {
        entity: entity.clone(),
        key: key?,
    })
}

/// Whether an operation is more than a question.
const fn writes(operation: &AnyOperation) -> bool {
    !matches!(
        operation,
        AnyOperation::Get(_)
            | AnyOperation::Query(_)
            | AnyOperation::CheckSecret(_)
            | AnyOperation::Log(_)
            | AnyOperation::Show(_)
            | AnyOperation::Diff(_)
    )
}

async fn read_row(store: &Store, get: &Get) -> Result<Row, Error> {
    let key = get.key.clone();
    store.get(&get.entity, key).consistent().await
}
