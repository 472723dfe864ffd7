//! One request from its first attempt to its answer.

use super::{Delivery, Retry};
use crate::driver::sending::unprocessed::{join_answers, take_rest};
use crate::host::Host;
use crate::steps::Answer;
use monotable_api::{Error as ServiceError, Request, Response};
use std::time::Duration;

mod unprocessed;

/// A request under way.
pub(crate) struct Sending {
    request: Request,
    /// Attempts of the request as it is now.
    attempts: u32,
    /// An attempt may have been carried out without its answer arriving.
    unsure: bool,
    /// What parts of a batch were answered with.
    answered: Option<Response>,
    /// How often the rest of a batch was asked for.
    rounds: u32,
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
    pub(crate) const fn new(request: Request) -> Self {
        Self {
            request,
            attempts: 0,
            unsure: false,
            answered: None,
            rounds: 0,
        }
    }

    /// What is sent next.
    pub(crate) fn request(&self) -> Request {
        self.request.clone()
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
        let result = match delivery {
            Delivery::Answered(result) => result,
            Delivery::Lost(message) => Err(ServiceError::ServiceUnavailable { message }),
            Delivery::Unsent(message) => {
                return self.try_again(ServiceError::ServiceUnavailable { message }, retry, host);
            }
            Delivery::Again if self.attempts < retry.attempts => {
                let after = Duration::ZERO;
                return Next::Send { after };
            }
            Delivery::Again | Delivery::Paused => {
                Err(ServiceError::internal("the host did not send the request"))
            }
        };
        match result {
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
        self.request = rest;
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
