//! The DynamoDB of a store, for requests that the store does not make itself.

use super::Store;
use crate::execute::Executor;
use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use std::sync::Arc;

/// Sends requests to the DynamoDB of a store, and sends them again as the store does: when the service is throttled or does not answer,
/// and for what it has left unprocessed.
#[derive(Clone)]
pub struct Sender {
    executor: Arc<Executor>,
}

impl std::fmt::Debug for Sender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sender").finish_non_exhaustive()
    }
}

impl Store {
    /// Sends requests of the program's own, with the retries of this store.
    #[must_use]
    pub fn sender(&self) -> Sender {
        Sender {
            executor: Arc::clone(&self.executor),
        }
    }
}

impl Dynamo for Sender {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(async move { self.executor.answer(request).await.result })
    }
}
