//! The requests of a call that is only explained, as JSON.

use super::{EXPLANATION, refuse};
use crate::json::Plain;
use crate::problem::Problem;
use crate::response::Response;
use http::StatusCode;
use monotable_model::model::Model;
use monotable_store::{AnyOperation, Explained, Explanation, Units};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// What would be sent, what it would cost, and what would come of it.
#[derive(Serialize)]
struct Document {
    requests: Vec<RequestLine>,
    units: Total,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Box<RawValue>>,
}

/// One request.
#[derive(Serialize)]
pub(crate) struct RequestLine {
    round: usize,
    operation: String,
    body: Box<RawValue>,
    units: Vec<UnitsLine>,
}

#[derive(Serialize)]
struct UnitsLine {
    of: String,
    read: f64,
    write: f64,
}

/// All units together.
#[derive(Serialize)]
pub(crate) struct Total {
    pub(crate) read: f64,
    pub(crate) write: f64,
}

impl RequestLine {
    /// A request as the store shows it to this caller.
    pub(crate) fn new(explained: &Explained) -> Option<Self> {
        let units = explained.units.iter();
        let units = units.map(|Units { of, read, write }| UnitsLine {
            of: of.clone(),
            read: *read,
            write: *write,
        });
        Some(Self {
            round: explained.round,
            operation: explained.operation.to_string(),
            body: RawValue::from_string(explained.body.clone()).ok()?,
            units: units.collect(),
        })
    }
}

/// The response to a call that is explained. A call that would be refused is explained, too.
pub(super) fn write(
    model: &Model,
    operation: &AnyOperation,
    explanation: &Explanation,
) -> Result<Response, Problem> {
    let requests = explanation.requests.iter();
    let (read, write) = explanation.total();
    let (answer, problem) = match &explanation.outcome {
        Ok(output) => (to_raw_value(&Plain(output)).ok(), None),
        Err(error) => {
            let problem = refuse(model, operation, error).to_json();
            let problem = String::from_utf8(problem).ok();
            (
                None,
                problem.and_then(|text| RawValue::from_string(text).ok()),
            )
        }
    };
    let document = Document {
        requests: requests.filter_map(RequestLine::new).collect(),
        units: Total { read, write },
        answer,
        problem,
    };
    let body = serde_json::to_vec(&document)
        .map_err(|error| Problem::bad_request(format!("the explanation has no JSON: {error}")))?;
    Ok(Response::new(StatusCode::OK, EXPLANATION, body))
}
