//! The executor: carries out what drivers ask for, on a [`Dynamo`] and a [`Host`].

use crate::driver::{Delivery, Driver, Errand, Next, Reply, Report, Retry, Sending};
use crate::error::Error;
use crate::host::Host;
use crate::steps::{Answer, Machine};
use futures_util::FutureExt;
use futures_util::stream::{FuturesUnordered, StreamExt};
use monotable_api::{Dynamo, Error as ServiceError, Request, Response};
use std::sync::Arc;
use std::time::Duration;

/// What requests are sent with.
#[derive(Clone)]
pub(crate) struct Executor {
    pub(crate) dynamo: Arc<dyn Dynamo>,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) retry: Retry,
}

impl Executor {
    /// Runs an operation to its end.
    pub(crate) async fn run<T>(&self, machine: Machine<T>) -> Result<T, Error> {
        let mut driver = Driver::new(machine, self.retry, Arc::clone(&self.host));
        let mut under_way = FuturesUnordered::new();
        let mut reply = driver.start();
        loop {
            let mut errands = match reply {
                Reply::Done(result) => return result,
                Reply::Do(errands) => errands,
            };
            // The usual case, without the machinery.
            if under_way.is_empty()
                && errands.len() == 1
                && let Some(errand) = errands.pop()
            {
                reply = driver.step(vec![self.carry_out(errand).await]);
                continue;
            }
            under_way.extend(errands.into_iter().map(|errand| self.carry_out(errand)));
            let Some(first) = under_way.next().await else {
                return Err(Error::service(ServiceError::internal(
                    "an operation waits for nothing",
                )));
            };
            // Whatever has come so far goes in at once: nobody waits for the slowest.
            let mut reports = vec![first];
            while let Some(Some(report)) = under_way.next().now_or_never() {
                reports.push(report);
            }
            reply = driver.step(reports);
        }
    }

    /// One request of a whole-table operation, with its retries and what a batch left undone.
    pub(crate) async fn answer(&self, request: Request) -> Answer {
        let mut sending = Sending::new(request);
        loop {
            let result = self.dynamo.call(sending.request()).await;
            let delivery = Delivery::Answered(result);
            match sending.take(delivery, false, &self.retry, &*self.host) {
                Next::Answered(answer) => return answer,
                Next::Send { after } => self.pause(after).await,
            }
        }
    }

    /// Waits.
    pub(crate) async fn pause(&self, time: Duration) {
        if !time.is_zero() {
            self.host.sleep(time).await;
        }
    }

    async fn carry_out(&self, errand: Errand) -> Report {
        let Errand { id, after, request } = errand;
        self.pause(after).await;
        let delivery = match request {
            Some(request) => Delivery::Answered(self.dynamo.call(request).await),
            None => Delivery::Paused,
        };
        let unsure = false;
        Report {
            id,
            delivery,
            unsure,
        }
    }
}

/// What a wrong kind of answer is.
pub(crate) fn unexpected(response: &Response) -> Error {
    let kind = response.operation();
    let message = format!("the service answered another operation: {kind:?}");
    Error::service(ServiceError::internal(message))
}
