//! What requests cost, and which partitions they use: asked of the DynamoDB itself, beside every request of a call.
//!
//! A request is sent with the wish to be told its consumed capacity, and its answer is given back as it was asked for. Nothing is
//! read twice, and nothing is noted of requests that belong to no call, such as those of the page itself.

pub(crate) mod capacity;
mod key_names;
mod touched;

use crate::heat::{Heat, HotPartition, Load, WINDOW};
use crate::ledger::{self, PlaceUnits, RequestRecord};
use key_names::KnownTables;
pub(crate) use key_names::list_tables;
use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use touched::{TouchedPartition, Usage};

/// Measures requests. Clones share what they know.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meter {
    heat: Arc<Mutex<Heat>>,
    tables: Arc<KnownTables>,
}

impl Meter {
    /// Sends a request, and notes what it cost.
    pub(crate) async fn send(
        &self,
        dynamo: &dyn Dynamo,
        mut request: Request,
    ) -> (Result<Response, Error>, RequestRecord) {
        let asked = capacity::ask(&mut request);
        self.tables.learn(dynamo, &request).await;
        let Usage { touched, written } = Usage::of_request(&self.tables, &request);
        let operation = request.operation().as_str();
        let mut answer = dynamo.call(request).await;
        let mut units = Vec::new();
        if let Ok(answer) = &mut answer {
            units = capacity::read(operation, answer);
            capacity::give_back(answer, asked);
            self.note_heat(&touched, &units);
        }
        let record = RequestRecord {
            operation,
            units,
            written: Vec::new(),
            further: 0,
            is_refused: answer.is_err(),
        };
        (answer, record.with_written(written))
    }

    /// Divides the units of each place among the partitions that the request uses there: DynamoDB tells only their sum.
    fn note_heat(&self, touched: &[TouchedPartition], units: &[PlaceUnits]) {
        let window = find_window();
        let mut heat = self.heat.lock().unwrap_or_else(PoisonError::into_inner);
        for place in units {
            let here = || touched.iter().filter(|touched| *touched.of == *place.of);
            let parts = u32::try_from(here().count()).map_or(1.0, f64::from);
            let load = Load {
                read: place.read / parts,
                write: place.write / parts,
            };
            for touched in here() {
                heat.note(window, &touched.of, &touched.key, load);
            }
        }
    }

    /// The partitions that were used most in the last five minutes.
    pub(crate) fn list_hottest(&self, most: usize) -> Vec<HotPartition> {
        let heat = self.heat.lock().unwrap_or_else(PoisonError::into_inner);
        heat.list(find_window(), most)
    }
}

fn find_window() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs() / WINDOW.as_secs())
}

/// A DynamoDB whose requests are noted in the ledger of the call that sends them.
pub(crate) struct Metered {
    inner: Arc<dyn Dynamo>,
    meter: Meter,
}

impl Metered {
    pub(crate) const fn new(inner: Arc<dyn Dynamo>, meter: Meter) -> Self {
        Self { inner, meter }
    }
}

impl Dynamo for Metered {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        if !ledger::is_followed() {
            return self.inner.call(request);
        }
        Box::pin(async move {
            let (answer, record) = self.meter.send(&*self.inner, request).await;
            ledger::note(record);
            answer
        })
    }
}
