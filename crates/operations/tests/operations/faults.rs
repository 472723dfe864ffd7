//! A DynamoDB that stops answering at a request.

use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Passes requests on, until the one with this number: it and all later ones fail, as if the process had been killed there.
#[derive(Clone)]
pub(crate) struct Dying {
    inner: Arc<dyn Dynamo>,
    left: Arc<AtomicUsize>,
    /// The last request that gets through is carried out, and its answer is lost.
    is_lost: bool,
}

impl Dying {
    pub(crate) fn new(inner: impl Dynamo + 'static, requests: usize, is_lost: bool) -> Self {
        Self {
            inner: Arc::new(inner),
            left: Arc::new(AtomicUsize::new(requests)),
            is_lost,
        }
    }
}

fn killed() -> Error {
    Error::AccessDeniedException {
        message: "killed".to_owned(),
    }
}

impl Dynamo for Dying {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            let left = self
                .left
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
                    left.checked_sub(1)
                });
            match left {
                Err(_) => Err(killed()),
                Ok(1) if self.is_lost => {
                    let _ = self.inner.call(request).await;
                    Err(killed())
                }
                Ok(_) => self.inner.call(request).await,
            }
        })
    }
}
