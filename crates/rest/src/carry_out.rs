//! Calls, carried out on a store.

pub(crate) mod explanation;
mod guarded;
mod trace;

use crate::call::{AnswerForm, Call, CallMode};
use crate::etag;
use crate::json::write_output;
use crate::lines;
use crate::problem::{Problem, Refused};
use crate::response::{Body, JSON, Response};
use crate::rest::ROOT;
use crate::surface::list_key;
use http::StatusCode;
use http::header::{ETAG, LOCATION};
use monotable_item::AttributeValue;
use monotable_model::model::Model;
use monotable_store::{AnyOperation, AnyOutput, Row, Store};

pub(crate) use trace::TRACE;

/// The media type of what a call would send.
pub(crate) const EXPLANATION: &str = "application/vnd.monotable.explanation+json";

/// Carries a call out on the store as its caller sees it.
pub(crate) async fn carry_out(store: Store, call: Call) -> Result<Response, Problem> {
    if call.form == AnswerForm::Lines && call.mode == CallMode::Run {
        return Box::pin(lines::stream(store, call)).await;
    }
    let call = match guarded::prepare(&store, call).await? {
        guarded::Prepared::Call(call) => *call,
        guarded::Prepared::Answer(response) => return Ok(response),
        guarded::Prepared::Repetition(call, output) => return respond(&store, &call, &output),
    };
    if call.mode == CallMode::Explain {
        let explanation = Box::pin(store.explain(call.operation.clone(), call.options)).await;
        return explanation::write(store.model(), &call.operation, &explanation);
    }
    if let Some(parts) = call.trace {
        return Box::pin(trace::answer(&store, call, parts)).await;
    }
    let output = guarded::run(&store, &call).await?;
    respond(&store, &call, &output)
}

/// The response to a call, with the headers that tell of its row.
fn respond(store: &Store, call: &Call, output: &AnyOutput) -> Result<Response, Problem> {
    let Call {
        operation,
        options,
        precondition,
        form,
        ..
    } = call;
    let is_read = matches!(operation, AnyOperation::Get(_));
    let is_made = *form == AnswerForm::Created && !options.dry_run;
    let mut response = write_answer(store.model(), output)?;
    if let AnyOutput::Row(row) = output {
        let tag = match &response.body {
            Body::Whole(json) => etag::tag_written(store.model(), row, json),
            Body::Lines(_) | Body::Events(_) => etag::tag_row(store.model(), row),
        };
        if let (true, Some(known)) = (is_read, &precondition.differs)
            && known.has(&tag)
        {
            response = Response::empty(StatusCode::NOT_MODIFIED);
        }
        let is_gone = matches!(operation, AnyOperation::Delete(_) | AnyOperation::Detach(_));
        if !is_gone {
            response = response.with_header(ETAG, &etag::quote(&tag));
        }
        if is_made {
            response.status = StatusCode::CREATED;
            if let Some(address) = find_address(store.model(), row) {
                response = response.with_header(LOCATION, &address);
            }
        }
    }
    Ok(response)
}

/// An answer as one JSON document.
pub(crate) fn write_answer(model: &Model, output: &AnyOutput) -> Result<Response, Problem> {
    match write_output(output) {
        Ok(body) => Ok(Response::new(StatusCode::OK, JSON, body)),
        Err(error) => Err(Problem::bad_request(format!(
            "an answer of the model `{}` has no JSON: {error}",
            model.name
        ))),
    }
}

/// The problem of an operation that the store refused.
pub(crate) fn refuse(
    model: &Model,
    operation: &AnyOperation,
    error: &monotable_store::Error,
) -> Problem {
    Problem::from(Refused {
        model,
        operation: Some(operation),
        error,
    })
}

/// Where a row can be read again; none if a part of its key is not shown, or cannot be a segment of a path.
fn find_address(model: &Model, row: &Row) -> Option<String> {
    let (_, entity) = model.entity_named(&row.entity)?;
    let mut address = format!("{ROOT}/{}/entities/{}", model.name, row.entity);
    for segment in list_key(entity) {
        let is_secret = segment
            .attribute
            .is_some_and(|known| known.secret.is_some());
        let text = match row.values.get(segment.name) {
            _ if is_secret => return None,
            None => String::new(),
            // An empty segment stands for an absent attribute, and clients take dots away.
            Some(AttributeValue::S(text)) if matches!(text.as_str(), "" | "." | "..") => {
                return None;
            }
            Some(AttributeValue::S(text)) => text.clone(),
            Some(AttributeValue::N(number)) => number.to_string(),
            Some(AttributeValue::Bool(flag)) => flag.to_string(),
            Some(_) => return None,
        };
        address.push('/');
        address.push_str(&crate::percent::encode(&text));
    }
    Some(address)
}
