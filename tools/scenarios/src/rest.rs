//! Operations as requests of the REST API, and its answers as what scripts compare.

mod answer;
mod request;

use crate::expectation::Answer;
use monotable_item::Item;
use monotable_rest::{Body, Request, Response, Rest};
use monotable_store::{AnyOperation, Options, Store};
use std::sync::Arc;

/// A client of the REST API of one model.
#[derive(Clone)]
pub(crate) struct RestClient {
    rest: Arc<Rest>,
    store: Store,
    principal: Option<Item>,
    tenant: Option<String>,
}

impl RestClient {
    /// A client of a store that nobody has entered yet.
    pub(crate) fn new(store: Store, principal: Option<Item>, tenant: Option<String>) -> Self {
        Self {
            rest: Arc::new(Rest::new().with_store(store.clone())),
            store,
            principal,
            tenant,
        }
    }

    /// Calls an operation by its own address, if it has one that the script's values can be written in, and else by the
    /// address that takes any operation.
    pub(crate) async fn call(&self, operation: &AnyOperation, options: &Options) -> Answer {
        let model = self.store.model();
        if let Some(request) = request::address(model, operation) {
            let response = self.send(request, options).await;
            // Only what callers can do at all has an address; the store says why they cannot.
            if response.status != http::StatusCode::METHOD_NOT_ALLOWED {
                return answer::read(operation, response);
            }
        }
        let response = self.send(request::generic(model, operation), options).await;
        answer::read(operation, response)
    }

    async fn send(&self, mut request: Request, options: &Options) -> TextResponse {
        request::add_caller(
            &mut request,
            self.principal.as_ref(),
            self.tenant.as_deref(),
        );
        request::add_options(&mut request, options);
        let Response { status, body, .. } = self.rest.answer(request).await;
        let body = match body {
            Body::Whole(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Body::Lines(_) | Body::Events(_) => "a stream that nobody has asked for".to_owned(),
        };
        TextResponse { status, body }
    }
}

/// A response whose body was read.
pub(crate) struct TextResponse {
    pub(crate) status: http::StatusCode,
    pub(crate) body: String,
}
