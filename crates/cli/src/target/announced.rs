//! A server that lets a command wait is named at once, and not only when the command gives up.

use crate::exit::note;
use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long an answer may take before the user is told.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the sender does about a request that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AfterFailure {
    SendsAgain,
    GivesUp,
}

/// Passes requests on, and says once that the server does not answer.
pub(super) struct Announced {
    inner: Arc<dyn Dynamo>,
    url: String,
    after_failure: AfterFailure,
    is_told: AtomicBool,
}

impl Announced {
    pub(super) const fn new(
        inner: Arc<dyn Dynamo>,
        url: String,
        after_failure: AfterFailure,
    ) -> Self {
        Self {
            inner,
            url,
            after_failure,
            is_told: AtomicBool::new(false),
        }
    }

    fn tell(&self, what: &str) {
        if !self.is_told.swap(true, Ordering::Relaxed) {
            note(format_args!("{what}; Ctrl-C ends the command"));
        }
    }
}

impl Dynamo for Announced {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            let mut answer = self.inner.call(request);
            let answer = match tokio::time::timeout(PATIENCE, &mut answer).await {
                Ok(answer) => answer,
                Err(_) => {
                    self.tell(&format!("{} has not answered yet", self.url));
                    answer.await
                }
            };
            if let (AfterFailure::SendsAgain, Err(Error::ServiceUnavailable { message })) =
                (self.after_failure, &answer)
            {
                self.tell(&format!("{message}; trying again"));
            }
            answer
        })
    }
}
