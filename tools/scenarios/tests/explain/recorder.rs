//! A DynamoDB that keeps what it is asked.

use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use monotable_engine::Engine;
use serde_json::Value;
use std::sync::{Arc, Mutex};

/// A request that was sent: its operation and its body.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) operation: String,
    pub(crate) body: Value,
}

/// An engine in memory, and the requests that it was sent.
#[derive(Clone)]
pub(crate) struct Recorder {
    engine: Arc<Engine>,
    sent: Arc<Mutex<Vec<Sent>>>,
}

impl Recorder {
    pub(crate) fn new() -> Self {
        Self {
            engine: Arc::new(super::samples::engine_at(1_763_467_200)),
            sent: Arc::default(),
        }
    }

    /// What was sent since this was last asked.
    pub(crate) fn take(&self) -> Vec<Sent> {
        std::mem::take(&mut self.sent.lock().unwrap())
    }
}

impl Dynamo for Recorder {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        let mut body = Vec::new();
        request.write_json(&mut body).unwrap();
        self.sent.lock().unwrap().push(Sent {
            operation: request.operation().to_string(),
            body: serde_json::from_slice(&body).unwrap(),
        });
        self.engine.call(request)
    }
}
