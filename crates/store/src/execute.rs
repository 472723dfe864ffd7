//! The executor: sends requests to a [`Dynamo`], and again, and sleeps on a [`Host`].

use crate::boxed_future::box_future;
use crate::errands::{Awaiting, Errands, Hashing};
use crate::error::Error;
use crate::host::Host;
use crate::sending::{Answer, Delivery, Next, Retry, Sending, is_whole};
use futures_util::stream::{self, StreamExt};
use monotable_api::{BoxFuture, Dynamo, Error as ServiceError, Request, Response};
use std::sync::Arc;
use std::time::Duration;

/// How many requests of one operation are under way at once.
pub(crate) const PARALLEL: usize = 16;

/// What requests are sent with.
#[derive(Clone)]
pub(crate) struct Executor {
    pub(crate) carrier: Carrier,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) retry: Retry,
}

/// Who sends requests.
#[derive(Clone)]
pub(crate) enum Carrier {
    /// This process.
    Dynamo(Arc<dyn Dynamo>),
    /// A host that is told to.
    Errands(Arc<Errands>),
}

/// A request that was sent, on its way.
enum Sent<'e> {
    Dynamo(BoxFuture<'e, Result<Response, ServiceError>>),
    Errand(Awaiting<'e>),
}

impl Carrier {
    fn send(&self, request: Request) -> Sent<'_> {
        match self {
            Self::Dynamo(dynamo) => Sent::Dynamo(dynamo.call(request)),
            Self::Errands(errands) => Sent::Errand(errands.deliver(Duration::ZERO, Some(request))),
        }
    }
}

impl Executor {
    /// The service itself, for requests that are not tried again.
    pub(crate) fn dynamo(&self) -> &dyn Dynamo {
        match &self.carrier {
            Carrier::Dynamo(dynamo) => dynamo,
            Carrier::Errands(errands) => &**errands,
        }
    }

    /// One request, with its retries and what a batch left undone.
    pub(crate) async fn answer(&self, request: Request) -> Answer {
        let request = Box::new(request);
        let first = Request::clone(&request);
        let again = move || Request::clone(&request);
        self.answer_made(first, again, |answer| answer).await
    }

    /// One request that `again` makes anew when it is sent again, and of whose answer `read` is given. The usual case is one
    /// attempt, so the future has no room for more.
    pub(crate) fn answer_made<'e, T: 'e>(
        &'e self,
        request: Request,
        again: impl Fn() -> Request + Send + Sync + 'e,
        read: impl FnOnce(Answer) -> T + Send + 'e,
    ) -> impl Future<Output = T> + Send + 'e {
        let sent = self.carrier.send(request);
        async move {
            // What was answered goes out of scope before anything else is awaited: the future has no room for it.
            let rest = match sent {
                Sent::Dynamo(sent) => match sent.await {
                    Ok(response) if is_whole(&response) => {
                        return read(Answer::first(Ok(response)));
                    }
                    result => box_future(|| self.go_on(Delivery::Answered(result), false, again)),
                },
                Sent::Errand(sent) => {
                    let report = sent.await;
                    box_future(|| self.go_on(report.delivery, report.unsure, again))
                }
            };
            read(rest.await)
        }
    }

    /// Whatever follows from what happened to the first attempt.
    async fn go_on(
        &self,
        mut delivery: Delivery,
        mut unsure: bool,
        again: impl Fn() -> Request + Send + Sync,
    ) -> Answer {
        let mut sending = Sending::default();
        loop {
            let after = match sending.take(delivery, unsure, &self.retry, &*self.host) {
                Next::Answered(answer) => return answer,
                Next::Send { after } => after,
            };
            let request = sending.request(&again);
            (delivery, unsure) = self.send_after(after, request).await;
        }
    }

    /// One more attempt, after a pause: what happened to it, and whether the host has sent it more than once.
    async fn send_after(&self, after: Duration, request: Request) -> (Delivery, bool) {
        match &self.carrier {
            Carrier::Dynamo(dynamo) => {
                self.pause(after).await;
                (Delivery::Answered(dynamo.call(request).await), false)
            }
            Carrier::Errands(errands) => {
                let report = errands.deliver(after, Some(request)).await;
                (report.delivery, report.unsure)
            }
        }
    }

    /// Many requests side by side; their answers in their order.
    pub(crate) async fn answer_all(&self, requests: impl Iterator<Item = Request>) -> Vec<Answer> {
        let numbered = requests.enumerate();
        let sent = numbered.map(async |(position, request)| (position, self.answer(request).await));
        let sent: Vec<_> = sent.collect();
        let mut answers: Vec<_> = stream::iter(sent)
            .buffer_unordered(PARALLEL)
            .collect()
            .await;
        answers.sort_by_key(|(position, _)| *position);
        answers.into_iter().map(|(_, answer)| answer).collect()
    }

    /// Whether a host is told what to do, and may be told to hash.
    pub(crate) const fn hands_out(&self) -> bool {
        matches!(self.carrier, Carrier::Errands(_))
    }

    /// The hash that a host makes of a text; none if it makes none.
    pub(crate) async fn hash(&self, hashing: Hashing) -> Option<String> {
        let Carrier::Errands(errands) = &self.carrier else {
            return None;
        };
        match errands.hash(hashing).await.delivery {
            Delivery::Hashed(hash) => Some(hash),
            _ => None,
        }
    }

    /// Waits before an operation begins anew for the so-many-th time.
    pub(crate) async fn pause_before(&self, attempt: u32) {
        self.pause(self.retry.pause(attempt, &*self.host)).await;
    }

    /// Waits.
    pub(crate) async fn pause(&self, time: Duration) {
        if !time.is_zero() {
            self.host.sleep(time).await;
        }
    }
}

/// What a wrong kind of answer is.
pub(crate) fn unexpected(response: &Response) -> Error {
    let kind = response.operation();
    let message = format!("the service answered another operation: {kind:?}");
    Error::service(ServiceError::internal(message))
}
