//! DynamoDB's protocol: a POST whose header names the operation.

use crate::access_log::{AccessKeyUse, name_tables};
use crate::answer::{AMZ_JSON, Answer, JSON};
use crate::authorization::{Caller, authorize};
use crate::body::{self, Received};
use crate::connection::{Phase, Watch};
use crate::denied_statements::{self, DeniedStatements};
use crate::encoded_answer;
use crate::exchange::Record;
use crate::memory::{Share, forecast};
use crate::refusal::Refusal;
use crate::shared::Shared;
use crate::signature::Claim;
use hyper::body::{Body, Incoming};
use hyper::header::{CONTENT_TYPE, HOST, HeaderMap, HeaderName};
use hyper::http::request::Parts;
use hyper::{Request, StatusCode};
use monotable_api::{Dynamo, Error, OperationName, Request as Operation, Response};
use std::sync::Arc;

/// An answer from this size on is not kept in the memory for small requests.
const LARGE: usize = 64 << 10;

const TARGET: HeaderName = HeaderName::from_static("x-amz-target");

/// Carries out a request. What is learned on the way goes to the record.
pub(crate) async fn call(
    shared: &Shared,
    watch: &Watch,
    request: Request<Incoming>,
    record: &mut Record,
) -> Result<Answer, Refusal> {
    let (parts, incoming) = request.into_parts();
    let (operation, claim) = match check_head(shared, &parts, &incoming, record) {
        Ok(checked) => checked,
        Err(refusal) => {
            body::discard(incoming, &parts.headers, shared, watch).await;
            return Err(refusal);
        }
    };
    let received = body::read(incoming, &parts.headers, shared, watch).await?;
    watch.enter(Phase::Work);
    record.bytes_in = received.bytes.len();
    let key = shared.verifier.verify(&claim, &parts, &received.bytes)?;
    if let Some(used) = &mut record.key {
        used.is_verified = key.is_some();
    }
    let Received { bytes, share } = body::unpack(received, &parts.headers, shared).await?;
    let input = Operation::decode(operation, &bytes)?;
    drop(bytes);
    if shared.access_log.is_some() {
        record.tables = name_tables(&input);
    }
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
    let expected = forecast(&input);
    let mut answer_share = shared.set_aside(expected).await?;
    let is_of_reserve = answer_share.as_ref().is_some_and(Share::is_of_reserve);
    let repeatable = (is_of_reserve && encoded_answer::is_read(operation)).then(|| input.clone());
    let host = host(&parts);
    let output = carry_out(shared, &dynamo, input, denied, host).await?;
    // The memory of the request is free from here on.
    drop(share);
    let mut body = encoded_answer::encode(&output, operation, &mut answer_share)?;
    drop(output);
    // How large an item is shows when it is read. A large one does not stay in what is kept for small requests, where it
    // would be until its client has read it: it is read again when there is other memory.
    if let Some(input) = repeatable.filter(|_| body.len() > LARGE) {
        drop((body, answer_share));
        answer_share = shared.set_aside_large(expected).await?;
        let output = carry_out(shared, &dynamo, input, DeniedStatements::new(), host).await?;
        body = encoded_answer::encode(&output, operation, &mut answer_share)?;
    }
    let mut answer = Answer::new(StatusCode::OK, record.content_type, body);
    answer.share = answer_share;
    Ok(answer)
}

/// What the access log says in the place of an id that is no key of this server.
const UNKNOWN_KEY: &str = "(unknown)";

/// Carries a request out. Addresses in the answer are those that the client used.
async fn carry_out(
    shared: &Shared,
    dynamo: &Arc<dyn Dynamo>,
    request: Operation,
    denied: DeniedStatements,
    host: Option<&str>,
) -> Result<Response, Refusal> {
    let mut output = if may_take_long(request.operation()) {
        let dynamo = Arc::clone(dynamo);
        let calling = async move { denied_statements::call(&*dynamo, request, denied).await };
        shared.aside.work(calling).await??
    } else {
        denied_statements::call(&**dynamo, request, denied).await?
    };
    if let Some(host) = host {
        output.answer_from(host);
    }
    Ok(output)
}

/// Whether one request may compute for long before it waits for anything: those that look at more items than they answer with.
const fn may_take_long(operation: OperationName) -> bool {
    matches!(
        operation,
        OperationName::Scan
            | OperationName::SearchVectors
            | OperationName::ExecuteStatement
            | OperationName::BatchExecuteStatement
            | OperationName::ExecuteTransaction
            | OperationName::GetRecords
    )
}

/// Checks everything that the head tells, before the body is given memory.
fn check_head<'a>(
    shared: &Shared,
    parts: &'a Parts,
    incoming: &Incoming,
    record: &mut Record,
) -> Result<(OperationName, Claim<'a>), Refusal> {
    record.content_type = content_type(&parts.headers, incoming.is_end_stream())?;
    let operation = operation(&parts.headers)?;
    record.operation = Some(operation);
    let found = Claim::find(parts);
    if shared.access_log.is_some() {
        let id = found.as_ref().ok().and_then(Claim::key_id);
        let id = id.map(|id| {
            if shared.verifier.may_tell(id) {
                id
            } else {
                UNKNOWN_KEY
            }
        });
        record.key = id.map(AccessKeyUse::claimed);
    }
    let claim = shared.verifier.check_head(found?, parts)?;
    Ok((operation, claim))
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
