//! DynamoDB's protocol: a POST whose header names the operation.

use crate::answer::{AMZ_JSON, Answer, JSON};
use crate::authorization::{Caller, authorize};
use crate::body;
use crate::coding;
use crate::connection::{Phase, Watch};
use crate::denied_statements::{self, DeniedStatements};
use crate::exchange::Record;
use crate::refusal::Refusal;
use crate::shared::Shared;
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HOST, HeaderMap, HeaderName};
use hyper::http::request::Parts;
use hyper::{Request, StatusCode};
use monotable_api::{Error, OperationName, Request as Operation};

const TARGET: HeaderName = HeaderName::from_static("x-amz-target");

/// Most answers fit without growing.
const USUAL_ANSWER: usize = 2048;

/// Carries out a request. What is learned on the way goes to the record.
pub(crate) async fn call(
    shared: &Shared,
    watch: &Watch,
    request: Request<Incoming>,
    record: &mut Record,
) -> Result<Answer, Refusal> {
    let (parts, incoming) = request.into_parts();
    let received = body::read(incoming, &parts.headers, shared, watch).await?;
    watch.enter(Phase::Work);
    record.bytes_in = received.bytes.len();
    let content_type = content_type(&parts.headers, received.bytes.is_empty())?;
    record.content_type = content_type;
    let operation = operation(&parts.headers)?;
    record.operation = Some(operation);
    let (claim, key) = shared.verifier.verify(&parts, &received.bytes)?;
    let limit = shared.limits.body_bytes;
    let body = coding::unpack(&parts.headers, received.bytes, limit).await?;
    let input = Operation::decode(operation, &body)?;
    drop(body);
    let dynamo = shared.data_sets.find(&claim).await?;
    let mut denied = DeniedStatements::new();
    if let Some(key) = key {
        let caller = Caller {
            key: &key,
            peer: record.peer,
            scope: shared.data_sets.scope(&shared.scope, &claim)?,
        };
        denied = authorize(shared, &*dynamo, &caller, &input).await?;
    }
    let mut output = denied_statements::call(&*dynamo, input, denied).await?;
    if let Some(host) = host(&parts) {
        output.answer_from(host);
    }
    // The memory of the request is free from here on.
    drop(received.share);
    let mut body = Vec::with_capacity(USUAL_ANSWER);
    output.write_json(&mut body).map_err(Error::internal)?;
    Ok(Answer::new(StatusCode::OK, content_type, body))
}

/// The type of the answer. As Amazon's service does it: a body of another type is not for DynamoDB.
fn content_type(headers: &HeaderMap, is_empty: bool) -> Result<&'static str, Refusal> {
    let named = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let named = named.and_then(|named| named.split(';').next());
    match named.map(str::trim) {
        Some(name) if name.eq_ignore_ascii_case(AMZ_JSON) => Ok(AMZ_JSON),
        Some(name) if name.eq_ignore_ascii_case(JSON) => Ok(JSON),
        Some(_) | None if is_empty => Ok(JSON),
        Some(_) | None => Err(Refusal::ContentType),
    }
}

fn operation(headers: &HeaderMap) -> Result<OperationName, Error> {
    let target = headers.get(TARGET).and_then(|value| value.to_str().ok());
    OperationName::from_target(target.unwrap_or_default())
}

/// The address at which the client found this server.
fn host(parts: &Parts) -> Option<&str> {
    let named = parts.headers.get(HOST).and_then(|host| host.to_str().ok());
    named.or_else(|| parts.uri.authority().map(|authority| authority.as_str()))
}
