//! Problem details (RFC 9457): what was refused, which declaration of the model refused it, and what to do.

pub(crate) mod clash;
pub(crate) mod field;
mod store_error;

pub(crate) use store_error::Refused;

use crate::response::{PROBLEM, Response};
use field::FieldProblem;
use http::StatusCode;
use http::header::{ALLOW, HeaderName, RETRY_AFTER, WWW_AUTHENTICATE};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// What was refused, and why.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    document: Box<Document>,
    headers: Vec<(HeaderName, String)>,
}

/// The JSON of a problem.
#[derive(Clone, Debug, Serialize)]
struct Document {
    r#type: String,
    title: &'static str,
    status: u16,
    detail: String,
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entity: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    declaration: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clash: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<FieldProblem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Box<RawValue>>,
}

/// Every code that a problem can have, with its title: kinds of errors of the store, and what only HTTP knows.
pub(crate) const CODES: &[(&str, &str)] = &[
    ("BadRequest", "The request is not what the API wants"),
    (
        "Conflict",
        "Another row is in the way, or the row has changed",
    ),
    ("Fatal", "The database refused the request"),
    ("Forbidden", "The caller may not do this"),
    ("Immutable", "The model says that this never changes"),
    ("Integrity", "What is stored contradicts the model"),
    ("MethodNotAllowed", "The resource has no such method"),
    ("NotFound", "There is no such row or address"),
    (
        "PreconditionFailed",
        "The row is not the one that the caller has seen",
    ),
    ("Retryable", "The database could not do it now"),
    ("TooManyRequests", "The caller has made too many requests"),
    ("Unauthorized", "The caller has not proved who it is"),
    (
        "UnsupportedMediaType",
        "The body is of a type that is not read here",
    ),
    ("Usage", "The call cannot be made as it is written"),
    ("Validation", "Values are not what the model says"),
];

fn find_title(code: &str) -> &'static str {
    let known = CODES.iter().find(|(known, _)| *known == code);
    known.map_or("The request was refused", |(_, title)| title)
}

impl Problem {
    fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        let document = Document {
            r#type: format!("urn:monotable:problem:{code}"),
            title: find_title(code),
            status: status.as_u16(),
            detail: detail.into(),
            code,
            message: None,
            entity: None,
            declaration: None,
            clash: None,
            errors: Vec::new(),
            trace: None,
        };
        Self {
            status,
            document: Box::new(document),
            headers: Vec::new(),
        }
    }

    /// A request that was refused before anything of it was understood.
    pub(crate) fn from_status(status: StatusCode, detail: &str) -> Self {
        let code = match status {
            StatusCode::UNAUTHORIZED => "Unauthorized",
            StatusCode::FORBIDDEN => "Forbidden",
            StatusCode::NOT_FOUND => "NotFound",
            StatusCode::METHOD_NOT_ALLOWED => "MethodNotAllowed",
            StatusCode::UNSUPPORTED_MEDIA_TYPE => "UnsupportedMediaType",
            StatusCode::SERVICE_UNAVAILABLE => "Retryable",
            status if status.is_server_error() => "Fatal",
            _ => "BadRequest",
        };
        let problem = Self::new(status, code, detail);
        if status == StatusCode::SERVICE_UNAVAILABLE {
            return problem.with_header(RETRY_AFTER, "1");
        }
        problem
    }

    /// The request itself cannot be read.
    pub(crate) fn bad_request(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "BadRequest", detail)
    }

    /// There is nothing at this address.
    pub(crate) fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "NotFound", detail)
    }

    /// The resource is there and has no such method.
    pub(crate) fn method_not_allowed(methods: &str) -> Self {
        let detail = format!("the methods of this resource are {methods}");
        let problem = Self::new(StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed", detail);
        problem.with_header(ALLOW, methods)
    }

    /// The body is of a type that is not read here.
    pub(crate) fn unsupported_media_type(given: Option<&str>, wanted: &str) -> Self {
        let given = given.unwrap_or("not said");
        let detail = format!("the type of the body is {given}; wanted is {wanted}");
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        Self::new(status, "UnsupportedMediaType", detail)
    }

    /// The row is not the one whose tag the caller has.
    pub(crate) fn precondition_failed(detail: impl Into<String>) -> Self {
        let status = StatusCode::PRECONDITION_FAILED;
        Self::new(status, "PreconditionFailed", detail)
    }

    /// The caller has not proved who it is. The challenge says what is wanted.
    pub(crate) fn unauthorized(detail: impl Into<String>, challenge: &str) -> Self {
        let problem = Self::new(StatusCode::UNAUTHORIZED, "Unauthorized", detail);
        problem.with_header(WWW_AUTHENTICATE, challenge)
    }

    /// The caller is known, and may not do this.
    pub(crate) fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "Forbidden", detail)
    }

    /// The caller has made too many requests, and may make the next in so many seconds.
    pub(crate) fn too_many_requests(seconds: u64) -> Self {
        let detail =
            format!("too many requests of this caller; the next is answered in {seconds} s");
        let problem = Self::new(StatusCode::TOO_MANY_REQUESTS, "TooManyRequests", detail);
        problem.with_header(RETRY_AFTER, &seconds.to_string())
    }

    /// Its code.
    pub(crate) const fn code(&self) -> &'static str {
        self.document.code
    }

    fn with_header(mut self, name: HeaderName, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// With what the call has sent before it was refused.
    pub(crate) fn with_trace(mut self, trace: Option<Box<RawValue>>) -> Self {
        self.document.trace = trace;
        self
    }

    /// The JSON of the problem, for an answer that has other parts, too.
    pub(crate) fn to_json(&self) -> Vec<u8> {
        // Texts and numbers always have a JSON.
        serde_json::to_vec(&self.document).unwrap_or_default()
    }
}

impl From<Problem> for Response {
    fn from(problem: Problem) -> Self {
        let response = Self::new(problem.status, PROBLEM, problem.to_json());
        let headers = problem.headers.into_iter();
        headers.fold(response, |response, (name, value)| {
            response.with_header(name, &value)
        })
    }
}
