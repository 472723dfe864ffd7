//! Calls that tell what they have sent and changed.

use super::explanation::{RequestLine, Total};
use super::guarded;
use crate::call::{Call, TraceParts};
use crate::json::Plain;
use crate::problem::Problem;
use crate::response::Response;
use http::StatusCode;
use monotable_store::{Store, Trace, TracedChange};
use serde::Serialize;
use serde::ser::SerializeMap;
use serde_json::value::{RawValue, to_raw_value};
use std::time::Instant;

/// The media type of an answer with its trace.
pub(crate) const TRACE: &str = "application/vnd.monotable.trace+json";

#[derive(Serialize)]
struct Document {
    answer: Box<RawValue>,
    trace: Box<RawValue>,
}

#[derive(Serialize)]
struct TraceDocument<'t> {
    took_us: u64,
    attempts: u32,
    units: Total,
    #[serde(skip_serializing_if = "Option::is_none")]
    requests: Option<Vec<RequestLine>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<ChangeLine<'t>>>,
}

struct ChangeLine<'t>(&'t TracedChange);

impl Serialize for ChangeLine<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let change = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("is", change.is)?;
        map.serialize_entry("entity", &change.entity)?;
        map.serialize_entry("address", &change.address)?;
        map.serialize_entry("cause", change.cause)?;
        map.serialize_entry("declaration", &change.declaration)?;
        map.serialize_entry("before", &change.before.as_ref().map(Plain))?;
        map.serialize_entry("after", &change.after.as_ref().map(Plain))?;
        map.end()
    }
}

/// Carries a call out and answers with its trace beside the answer, or beside the problem.
pub(super) async fn answer(
    store: &Store,
    call: Call,
    parts: TraceParts,
) -> Result<Response, Problem> {
    let begin = Instant::now();
    let expected: Vec<String> = guarded::list_expected(&call.options);
    let traced = store.trace(call.operation.clone(), call.options).await;
    let took = begin.elapsed();
    let trace = write_trace(&traced, parts, took.as_micros());
    match traced.outcome {
        Ok(output) => {
            let answer = to_raw_value(&Plain(&output));
            let (Ok(answer), Some(trace)) = (answer, trace) else {
                return Err(Problem::bad_request("the answer has no JSON"));
            };
            let body = serde_json::to_vec(&Document { answer, trace }).unwrap_or_default();
            Ok(Response::new(StatusCode::OK, TRACE, body))
        }
        Err(error) => {
            let refused = (&call.operation, &error);
            let problem = guarded::refuse_call(store, refused, &expected, &call.precondition);
            Err(problem.with_trace(trace))
        }
    }
}

fn write_trace(traced: &Trace, parts: TraceParts, took: u128) -> Option<Box<RawValue>> {
    let (read, write) = traced.total();
    let requests = traced.requests.iter().filter_map(RequestLine::new);
    let changes = traced.changes.iter().map(ChangeLine);
    let document = TraceDocument {
        took_us: u64::try_from(took).unwrap_or(u64::MAX),
        attempts: traced.attempts,
        units: Total { read, write },
        requests: parts.requests.then(|| requests.collect()),
        changes: parts.changes.then(|| changes.collect()),
    };
    to_raw_value(&document).ok()
}
