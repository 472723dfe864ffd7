//! What a page over a DynamoDB that costs money has used so far: asked of the DynamoDB itself, beside every request.

use crate::meter::capacity;
use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use std::sync::{Arc, Mutex, PoisonError};

/// Units that were used since the server began. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bill {
    units: Arc<Mutex<Units>>,
}

/// Units of reads and writes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Units {
    pub(crate) read: f64,
    pub(crate) write: f64,
}

impl Bill {
    pub(crate) fn total(&self) -> Units {
        *self.units.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, read: f64, write: f64) {
        let mut units = self.units.lock().unwrap_or_else(PoisonError::into_inner);
        units.read += read;
        units.write += write;
    }
}

/// A DynamoDB whose requests are put on a bill.
pub(crate) struct Billed {
    inner: Arc<dyn Dynamo>,
    bill: Bill,
}

impl Billed {
    pub(crate) const fn new(inner: Arc<dyn Dynamo>, bill: Bill) -> Self {
        Self { inner, bill }
    }
}

impl Dynamo for Billed {
    fn call(&self, mut request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        let asked = capacity::ask(&mut request);
        let operation = request.operation().as_str();
        Box::pin(async move {
            let mut answer = self.inner.call(request).await?;
            for units in capacity::read(operation, &mut answer) {
                self.bill.add(units.read, units.write);
            }
            capacity::give_back(&mut answer, asked);
            Ok(answer)
        })
    }
}
