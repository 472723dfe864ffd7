//! An engine that notes what is asked of it.

use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use monotable_engine::Engine;
use std::sync::{Arc, Mutex};

/// The names of requests, each with how many items it read.
pub(crate) type SeenRequests = Arc<Mutex<Vec<(String, u64)>>>;

/// An engine, and the requests that it was asked.
pub(crate) struct Noted {
    engine: Engine,
    seen: SeenRequests,
}

impl Noted {
    /// A way to an engine that notes what goes through it.
    pub(crate) fn new(engine: Engine) -> (Arc<Self>, SeenRequests) {
        let seen = SeenRequests::default();
        let noted = Self {
            engine,
            seen: Arc::clone(&seen),
        };
        (Arc::new(noted), seen)
    }
}

impl Dynamo for Noted {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            let name = request.operation().as_str().to_owned();
            let answer = self.engine.call(request).await;
            let read = match &answer {
                Ok(Response::Query(page)) => page.scanned_count,
                Ok(Response::Scan(page)) => page.scanned_count,
                Ok(Response::GetItem(found)) => u64::from(found.item.is_some()),
                _ => 0,
            };
            self.seen.lock().unwrap().push((name, read));
            answer
        })
    }
}

/// The requests since the last time that somebody looked.
pub(crate) fn take(seen: &SeenRequests) -> Vec<(String, u64)> {
    std::mem::take(&mut *seen.lock().unwrap())
}
