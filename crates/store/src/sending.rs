//! One request from its first attempt to its answer: what decides about retries, without sending anything.

mod unprocessed;

use crate::host::Host;
use monotable_api::{Error as ServiceError, Request, Response};
use std::time::Duration;
use unprocessed::{join_answers, take_rest};

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
    pub(crate) fn pause(&self, attempt: u32, host: &dyn Host) -> Duration {
        let limit = self.base.saturating_mul(1 << attempt.min(16)).min(self.cap);
        let mut bytes = [0; 4];
        // A host without chance waits for the whole of it.
        match host.fill(&mut bytes) {
            Ok(()) => limit.mul_f64(f64::from(u32::from_be_bytes(bytes)) / f64::from(u32::MAX)),
            Err(_) => limit,
        }
    }
}

/// What was answered to a request.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The answer.
    pub result: Result<Response, ServiceError>,
    /// An earlier attempt may have been carried out without its answer arriving.
    pub unsure: bool,
}

impl Answer {
    /// An answer to the first attempt.
    #[must_use]
    pub const fn first(result: Result<Response, ServiceError>) -> Self {
        let unsure = false;
        Self { result, unsure }
    }
}

/// What happened to a request.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "it lives for a moment, and a box would be one allocation for each request"
)]
pub enum Delivery {
    /// The service answered.
    Answered(Result<Response, ServiceError>),
    /// It was sent, and no answer came.
    Lost(String),
    /// It could not be sent.
    Unsent(String),
    /// The host has put right what was wrong, such as its clock: it is sent again at once.
    Again,
    /// There was nothing to send; the pause is over, or a hash was not made.
    Paused,
    /// The hash that was asked for.
    Hashed(String),
}

impl Delivery {
    /// What a request that is not tried again was answered with.
    pub(crate) fn into_result(self) -> Result<Response, ServiceError> {
        match self {
            Self::Answered(result) => result,
            Self::Lost(message) | Self::Unsent(message) => {
                Err(ServiceError::ServiceUnavailable { message })
            }
            Self::Again | Self::Paused | Self::Hashed(_) => {
                Err(ServiceError::internal("the host did not send the request"))
            }
        }
    }
}

/// A request under way. Whoever sends it keeps what it is made of: a request is made anew only where it is sent again.
#[derive(Default)]
pub(crate) struct Sending {
    /// What is left of a batch.
    rest: Option<Request>,
    /// Attempts of the request as it is now.
    attempts: u32,
    /// An attempt may have been carried out without its answer arriving.
    unsure: bool,
    /// What parts of a batch were answered with.
    answered: Option<Response>,
    /// How often the rest of a batch was asked for.
    rounds: u32,
}

/// Whether a response is the whole answer to the request. Of a batch, what is left of it may have to be asked for.
pub(crate) const fn is_whole(response: &Response) -> bool {
    !matches!(
        response,
        Response::BatchGetItem(_) | Response::BatchWriteItem(_)
    )
}

/// What follows from a report.
#[expect(
    clippy::large_enum_variant,
    reason = "it lives for a moment, and a box would be one allocation for each request"
)]
pub(crate) enum Next {
    /// The request, as it is now, is sent after a pause.
    Send {
        /// The pause.
        after: Duration,
    },
    /// There is an answer.
    Answered(Answer),
}

impl Sending {
    /// What is sent next: the whole request, or what is left of it.
    pub(crate) fn request(&self, whole: impl FnOnce() -> Request) -> Request {
        self.rest.clone().unwrap_or_else(whole)
    }

    /// What follows from what happened to an attempt.
    pub(crate) fn take(
        &mut self,
        delivery: Delivery,
        unsure: bool,
        retry: &Retry,
        host: &dyn Host,
    ) -> Next {
        self.unsure |= unsure;
        self.attempts += 1;
        match delivery {
            Delivery::Unsent(message) => {
                return self.try_again(ServiceError::ServiceUnavailable { message }, retry, host);
            }
            Delivery::Again if self.attempts < retry.attempts => {
                let after = Duration::ZERO;
                return Next::Send { after };
            }
            _ => {}
        }
        match delivery.into_result() {
            Ok(response) => self.take_response(response, retry, host),
            Err(error) if error.retryable() => {
                // The last attempt's own answer says what it says.
                let tries_again = self.attempts < retry.attempts;
                self.unsure |= tries_again && may_have_happened(&error);
                self.try_again(error, retry, host)
            }
            Err(error) => self.answer(Err(error)),
        }
    }

    fn try_again(&mut self, error: ServiceError, retry: &Retry, host: &dyn Host) -> Next {
        if self.attempts >= retry.attempts {
            return self.answer(Err(error));
        }
        Next::Send {
            after: retry.pause(self.attempts, host),
        }
    }

    /// A response: the answer, or a part of one, and then the rest of the batch is asked for.
    fn take_response(&mut self, mut response: Response, retry: &Retry, host: &dyn Host) -> Next {
        let rest = take_rest(&mut response);
        let response = match self.answered.take() {
            Some(before) => join_answers(before, response),
            None => response,
        };
        let Some(rest) = rest else {
            return self.answer(Ok(response));
        };
        self.rounds += 1;
        if self.rounds > retry.attempts {
            let message = "items of a batch stayed unprocessed".to_owned();
            return self.answer(Err(ServiceError::ThrottlingException { message }));
        }
        self.answered = Some(response);
        self.rest = Some(rest);
        self.attempts = 0;
        Next::Send {
            after: retry.pause(self.rounds, host),
        }
    }

    const fn answer(&self, result: Result<Response, ServiceError>) -> Next {
        Next::Answered(Answer {
            result,
            unsure: self.unsure,
        })
    }
}

/// Whether a request with this answer may have been carried out all the same.
const fn may_have_happened(error: &ServiceError) -> bool {
    matches!(
        error,
        ServiceError::InternalServerError { .. } | ServiceError::ServiceUnavailable { .. }
    )
}
