//! The executor: sends what an operation asks for, and tries again what may succeed later.

mod unprocessed;

use crate::error::Error;
use crate::steps::{Answer, Machine, Step};
use futures_util::stream::{self, StreamExt};
use monotable_api::{Dynamo, Error as ServiceError, Request, Response};
use std::time::Duration;

/// How often, and how fast, requests are tried again.
#[derive(Clone, Copy, Debug)]
pub struct Retry {
    /// Attempts in all.
    pub attempts: u32,
    /// The longest first pause.
    pub base: Duration,
    /// The longest pause.
    pub cap: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            attempts: 10,
            base: Duration::from_millis(25),
            cap: Duration::from_secs(5),
        }
    }
}

impl Retry {
    /// A pause before the next attempt: anything up to a limit that doubles. Chance keeps callers that met once from
    /// meeting again.
    fn pause(&self, attempt: u32) -> Duration {
        let limit = self.base.saturating_mul(1 << attempt.min(16)).min(self.cap);
        limit.mul_f64(fastrand::f64())
    }
}

/// How many requests are under way at once.
const PARALLEL: usize = 16;

/// Runs an operation to its end.
pub(crate) async fn run<T>(
    dynamo: &(dyn Dynamo + 'static),
    retry: &Retry,
    mut machine: Machine<T>,
) -> Result<T, Error> {
    let mut answers = Vec::new();
    loop {
        answers = match machine.step(std::mem::take(&mut answers)) {
            Step::Done(result) => return result,
            Step::Wait(attempt) => {
                tokio::time::sleep(retry.pause(attempt)).await;
                Vec::new()
            }
            Step::Send(requests) => send(dynamo, retry, requests).await,
        };
    }
}

/// Sends requests side by side; the answers are in their order.
async fn send(
    dynamo: &(dyn Dynamo + 'static),
    retry: &Retry,
    requests: Vec<Request>,
) -> Vec<Answer> {
    // The usual case, without the machinery.
    if requests.len() == 1 {
        let mut answers = Vec::with_capacity(1);
        for request in requests {
            answers.push(answer(dynamo, retry, request).await);
        }
        return answers;
    }
    stream::iter(requests)
        .map(|request| answer(dynamo, retry, request))
        .buffered(PARALLEL)
        .collect()
        .await
}

/// One request, with everything that was left unprocessed.
pub(crate) async fn answer(
    dynamo: &(dyn Dynamo + 'static),
    retry: &Retry,
    request: Request,
) -> Answer {
    let mut answer = attempts(dynamo, retry, request).await;
    let mut round = 0;
    while let Ok(response) = &mut answer.result
        && let Some(rest) = unprocessed::rest(response)
    {
        round += 1;
        if round > retry.attempts {
            answer.result = Err(ServiceError::ThrottlingException {
                message: "items of a batch stayed unprocessed".to_owned(),
            });
            return answer;
        }
        tokio::time::sleep(retry.pause(round)).await;
        let more = attempts(dynamo, retry, rest).await;
        answer.result = match (answer.result, more.result) {
            (Ok(first), Ok(more)) => Ok(unprocessed::joined(first, more)),
            (_, Err(error)) | (Err(error), _) => Err(error),
        };
    }
    answer
}

async fn attempts(dynamo: &(dyn Dynamo + 'static), retry: &Retry, request: Request) -> Answer {
    let mut unsure = false;
    let mut attempt = 0;
    loop {
        attempt += 1;
        let result = dynamo.call(request.clone()).await;
        match &result {
            Err(error) if error.retryable() && attempt < retry.attempts => {
                unsure |= may_have_happened(error);
            }
            _ => return Answer { result, unsure },
        }
        tokio::time::sleep(retry.pause(attempt)).await;
    }
}

/// Whether a request with this answer may have been carried out all the same.
const fn may_have_happened(error: &ServiceError) -> bool {
    matches!(
        error,
        ServiceError::InternalServerError { .. } | ServiceError::ServiceUnavailable { .. }
    )
}

/// What a wrong kind of answer is.
pub(crate) fn unexpected(response: &Response) -> Error {
    let kind = response.operation();
    let message = format!("the service answered another operation: {kind:?}");
    Error::service(ServiceError::internal(message))
}
