//! An operation from its beginning to its end.

use crate::attempt::Attempt;
use crate::boxed_future::{BoxedFuture, box_future};
use crate::caller;
use crate::error::{Clash, Error, Failure};
use crate::hashing;
use crate::interrupt::Interrupt;
use crate::isolation::{PartitionGate, Partitions};
use crate::mechanism::times;
use crate::operate;
use crate::operation::{AnyOperation, AnyOutput, Options};
use crate::read;
use crate::reader::Reader;
use crate::replay;
use crate::scope::Scope;
use crate::steps::Steps;
use crate::token;
use crate::write;

/// How often an operation begins anew because others changed what it had read.
const ATTEMPTS: u32 = 64;

/// Runs an operation in a scope that [`admit`] has let through. One that lost a race begins anew with what is there then.
///
/// The type of its future is hidden, so that it is compiled once, in this crate: the code of a future whose type is known is
/// compiled anew in every crate that awaits it.
pub(crate) fn run<'r>(
    scope: &'r Scope,
    steps: &'r Steps,
    operation: &'r AnyOperation,
    options: &'r Options,
) -> BoxedFuture<'r, Result<AnyOutput, Error>> {
    Box::pin(run_to_end(scope, steps, operation, options))
}

async fn run_to_end(
    scope: &Scope,
    steps: &Steps,
    operation: &AnyOperation,
    options: &Options,
) -> Result<AnyOutput, Error> {
    let attempt = Attempt::default();
    let reader = Reader {
        scope,
        steps,
        attempt: &attempt,
    };
    // The call is known by what the caller gave; what is carried out has hashes in the place of texts.
    let hashed = box_future(|| hashing::hash_given(&reader, operation)).await;
    let given = hashed.as_ref().unwrap_or(operation);
    let result = attempt_until_done(&reader, given, options).await;
    let result = if scope.model().audits.is_empty() {
        result
    } else {
        box_future(|| write::note_afterwards(&reader, operation, result)).await
    };
    result
        .map(|output| read::cut_down(scope, operation, output))
        .map_err(|error| error.explain(scope.model()))
}

/// Refuses callers that the model does not know and demands that nothing would look at, and gives the call the name that its token
/// says.
pub(crate) fn admit(
    scope: &mut Scope,
    operation: &AnyOperation,
    options: &Options,
) -> Result<(), Error> {
    caller::check(scope)?;
    if !options.expected.is_empty() && !operation.is_conditional() {
        return Err(Error::usage(format!(
            "`{}` does not look at expected values: update, put, delete and detach of one row do; leave them out",
            operation.name()
        )));
    }
    if let Some(token) = &options.token {
        scope.token = Some(token::name_call(scope, token, operation, options)?);
    }
    Ok(())
}

async fn attempt_until_done(
    reader: &Reader<'_>,
    operation: &AnyOperation,
    options: &Options,
) -> Result<AnyOutput, Error> {
    guard_partitions(reader);
    let mut attempt = reader.attempt.clone();
    for count in 0..ATTEMPTS {
        if count > 0 {
            reader.steps.wait(count.min(8)).await;
        }
        if let Some(log) = &reader.changes {
            log.clear();
        }
        match answer(&reader.with_attempt(&attempt), operation, options).await {
            Ok(outcome) => return Ok(outcome),
            Err(Interrupt::Fail(error)) => {
                return Err(explain_isolation(reader, error));
            }
            Err(Interrupt::Restart) => attempt.forget_avoided(),
            Err(Interrupt::RestartAvoiding(address)) => {
                let learned = box_future(|| times::learn(reader, &mut attempt, &address));
                if let Err(Interrupt::Fail(error)) = learned.await {
                    return Err(explain_isolation(reader, error));
                }
                attempt.avoid(address);
            }
        }
    }
    Err(Error::conflict(operation.subject(), Clash::Contended))
}

/// The answer of a call that was made before under its token, in a scope that [`admit`] has let through; none if there was no
/// such call. Nothing is written, except that a delete which broke off is finished.
pub(crate) async fn find_earlier_answer(
    scope: &Scope,
    steps: &Steps,
    operation: &AnyOperation,
) -> Result<Option<AnyOutput>, Error> {
    let attempt = Attempt::default();
    let reader = Reader {
        scope,
        steps,
        attempt: &attempt,
    };
    guard_partitions(&reader);
    let found = match box_future(|| replay::find_answer(&reader, operation)).await {
        Ok(found) => Ok(found),
        Err(Interrupt::Fail(error)) => Err(explain_isolation(&reader, error)),
        Err(Interrupt::Restart | Interrupt::RestartAvoiding(_)) => {
            Err(Error::conflict(operation.subject(), Clash::Contended))
        }
    };
    found
        .map(|found| found.map(|output| read::cut_down(scope, operation, output)))
        .map_err(|error| error.explain(scope.model()))
}

/// Keeps a caller to the partitions that the model gives it.
fn guard_partitions(reader: &Reader<'_>) {
    let isolation = reader.model().isolation.as_ref();
    if let Some(isolation) = isolation.filter(|_| reader.asks_rights()) {
        let partitions = Partitions::new(reader.model(), isolation, &reader.circumstances);
        reader.steps.guard(PartitionGate::new(partitions));
    }
}

/// A request that was not sent is not the service's refusal.
fn explain_isolation(reader: &Reader<'_>, error: Error) -> Error {
    match reader.steps.refused() {
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
    reader: &Reader<'_>,
    operation: &AnyOperation,
    options: &Options,
) -> Result<AnyOutput, Interrupt> {
    if reader.token.is_none() {
        return operate::run_once(reader, operation, options).await;
    }
    box_future(|| answer_once(reader, operation, options)).await
}

/// One attempt at a call with a token.
async fn answer_once(
    reader: &Reader<'_>,
    operation: &AnyOperation,
    options: &Options,
) -> Result<AnyOutput, Interrupt> {
    if let Some(answer) = box_future(|| replay::find_answer(reader, operation)).await? {
        return Ok(answer);
    }
    match operate::run_once(reader, operation, options).await {
        Err(Interrupt::Fail(error)) => {
            box_future(|| replay::answer_again(reader, operation, error)).await
        }
        result => result,
    }
}
