//! A DynamoDB that gives way to Ctrl-C between requests, and says how far long work is.

use crate::progress::Progress;
use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use std::sync::{Arc, Mutex, PoisonError};

/// Passes requests on.
pub(super) struct Watched {
    inner: Arc<dyn Dynamo>,
    watch: Mutex<Watch>,
}

struct Watch {
    progress: Option<Progress>,
    read: u64,
    written: u64,
}

impl Watched {
    /// Long work, of which the line on the terminal tells.
    pub(super) fn long(inner: Arc<dyn Dynamo>) -> Self {
        Self::new(inner, Some(Progress::new()))
    }

    /// Work that is done before anybody asks how far it is.
    pub(super) fn short(inner: Arc<dyn Dynamo>) -> Self {
        Self::new(inner, None)
    }

    const fn new(inner: Arc<dyn Dynamo>, progress: Option<Progress>) -> Self {
        let watch = Watch {
            progress,
            read: 0,
            written: 0,
        };
        Self {
            inner,
            watch: Mutex::new(watch),
        }
    }
}

impl Dynamo for Watched {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            // An answer may be there before anybody waits for it; this is where Ctrl-C always comes in.
            tokio::task::yield_now().await;
            let writes = writes(&request);
            let answer = self.inner.call(request).await;
            if let Ok(response) = &answer {
                let mut watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
                watch.take(response, writes);
            }
            answer
        })
    }
}

impl Watch {
    fn take(&mut self, response: &Response, writes: u64) {
        self.written += writes;
        if let Response::Scan(output) = response {
            self.read += output.items.as_ref().map_or(0, |items| items.len() as u64);
        }
        let Some(progress) = &mut self.progress else {
            return;
        };
        match self.written {
            0 => progress.at(format_args!("{} items read", self.read)),
            written => progress.at(format_args!("{written} items written")),
        }
    }
}

/// How many items a request writes.
fn writes(request: &Request) -> u64 {
    match request {
        Request::BatchWriteItem(batch) => {
            let tables = batch.request_items.iter().flatten();
            tables.map(|(_, writes)| writes.len() as u64).sum()
        }
        Request::TransactWriteItems(transaction) => {
            let actions = transaction.transact_items.iter().flatten();
            let writes = actions.filter(|action| action.condition_check.is_none());
            writes.count() as u64
        }
        Request::PutItem(_) | Request::UpdateItem(_) | Request::DeleteItem(_) => 1,
        _ => 0,
    }
}
