//! Calls that were answered: a ring in memory, recorded only while there is a page to show it.

use crate::ledger::{Deed, Ledger, PlaceUnits, RequestRecord, WrittenItem, cut_text};
use crate::meter::Meter;
use crate::pace::Pace;
use crate::rates::{PassedCalls, Rates, Second, find_second};
use jiff::Timestamp;
use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use monotable_store::Trace;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So many calls are kept.
const MOST_CALLS: usize = 10_000;
/// So many of them are kept with everything that they sent.
const MOST_DETAILED: usize = 1000;

/// Whether a call may change something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    /// It only reads.
    Read,
    /// It may write.
    Write,
}

/// A call that was answered.
#[derive(Clone, Debug)]
pub struct CallRecord {
    pub(crate) at: Timestamp,
    /// The model; none for a request of the DynamoDB API.
    pub(crate) model: Option<String>,
    /// What it asks for: an operation of a model or of DynamoDB.
    pub(crate) operation: String,
    /// What it is about: a pattern, an entity, a table.
    pub(crate) subject: String,
    /// Which row it is about.
    pub(crate) row: String,
    pub(crate) caller: String,
    pub(crate) took: Duration,
    /// What came of it; none if all went well.
    pub(crate) refused: Option<String>,
    pub(crate) kind: CallKind,
    pub(crate) read: f64,
    pub(crate) write: f64,
    /// How many requests it sent.
    pub(crate) sent: usize,
    /// The requests; empty if the call is one of the older ones.
    pub(crate) requests: Vec<RequestRecord>,
}

impl CallRecord {
    /// A call that begins now, of a model or of the DynamoDB API.
    #[must_use]
    pub fn new(model: Option<&str>, kind: CallKind) -> Self {
        Self {
            at: Timestamp::now(),
            model: model.map(cut_text),
            operation: String::new(),
            subject: String::new(),
            row: String::new(),
            caller: String::new(),
            took: Duration::ZERO,
            refused: None,
            kind,
            read: 0.0,
            write: 0.0,
            sent: 0,
            requests: Vec::new(),
        }
    }

    /// What it asks for, and what that is about.
    #[must_use]
    pub fn with_operation(mut self, operation: &str, subject: &str) -> Self {
        self.operation = cut_text(operation);
        self.subject = cut_text(subject);
        self
    }

    /// Which row it is about.
    #[must_use]
    pub fn with_row(mut self, row: &str) -> Self {
        self.row = cut_text(row);
        self
    }

    /// Who called, as far as the request says.
    #[must_use]
    pub fn with_caller(mut self, caller: &str) -> Self {
        self.caller = cut_text(caller);
        self
    }

    /// What came of it, if it was refused.
    #[must_use]
    pub fn with_refusal(mut self, refused: Option<&str>) -> Self {
        self.refused = refused.map(cut_text);
        self
    }

    /// How long it took.
    #[must_use]
    pub(crate) const fn with_time(mut self, took: Duration) -> Self {
        self.took = took;
        self
    }

    /// What a traced call has sent and changed.
    #[must_use]
    pub(crate) fn with_trace(self, trace: &Trace) -> Self {
        let mut requests: Vec<RequestRecord> = trace
            .requests
            .iter()
            .map(|request| RequestRecord {
                operation: request.operation.as_str(),
                units: request
                    .units
                    .iter()
                    .map(|units| PlaceUnits {
                        of: units.of.clone(),
                        read: units.read,
                        write: units.write,
                    })
                    .collect(),
                written: Vec::new(),
                further: 0,
                is_refused: false,
            })
            .collect();
        if let Some(last) = requests.pop() {
            let written = trace.changes.iter().map(|change| WrittenItem {
                table: Arc::from(""),
                partition: change
                    .address
                    .first()
                    .map(|key| cut_text(key))
                    .unwrap_or_default(),
                sort: change.address.get(1).map(|key| cut_text(key)),
                deed: match change.is {
                    "created" => Deed::Put,
                    "deleted" => Deed::Delete,
                    _ => Deed::Update,
                },
            });
            requests.push(last.with_written(written.collect()));
        }
        self.with_requests(requests)
    }

    fn with_requests(mut self, requests: Vec<RequestRecord>) -> Self {
        let units = requests.iter().flat_map(|request| &request.units);
        for units in units {
            self.read += units.read;
            self.write += units.write;
        }
        self.sent = requests.len();
        self.requests = requests;
        self
    }
}

#[derive(Debug, Default)]
struct Ring {
    calls: VecDeque<(u64, Arc<CallRecord>)>,
    last: u64,
    writes: u64,
    rates: Rates,
}

/// The calls of a server.
#[derive(Clone, Debug, Default)]
pub struct Activity {
    ring: Arc<Mutex<Ring>>,
    pace: Arc<Pace>,
    passed: Arc<PassedCalls>,
    pub(crate) meter: Meter,
}

impl Activity {
    /// Whether a call that begins now is to be followed. Where there are too many in a second, the others are counted only.
    #[must_use]
    pub fn admits(&self) -> bool {
        self.pace.admits()
    }

    /// Counts a call that was not followed.
    pub fn pass(&self, kind: CallKind) {
        self.passed.note(find_second());
        match kind {
            CallKind::Read => self.pace.pass(),
            CallKind::Write => self.pace.pass_write(),
        }
    }

    /// What happened in each of the last seconds, the oldest first.
    pub(crate) fn list_seconds(&self) -> Vec<Second> {
        let ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        ring.rates.list(find_second(), &self.passed)
    }

    /// How many calls were counted only.
    pub(crate) fn passed(&self) -> u64 {
        self.pace.passed()
    }

    /// Carries a call out, and gives its record back with the time that it took and with what it sent.
    pub async fn follow<F: Future>(&self, record: CallRecord, call: F) -> (F::Output, CallRecord) {
        let ledger = Ledger::default();
        let begin = Instant::now();
        let output = ledger.follow(call).await;
        let record = record.with_time(begin.elapsed());
        (output, record.with_requests(ledger.take()))
    }

    /// Notes a call.
    pub fn note(&self, call: CallRecord) {
        let mut ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        ring.last += 1;
        ring.rates.note(find_second(), &call);
        if call.kind == CallKind::Write && call.refused.is_none() {
            ring.writes += 1;
        }
        if ring.calls.len() >= MOST_CALLS {
            ring.calls.pop_front();
        }
        let number = ring.last;
        ring.calls.push_back((number, Arc::new(call)));
        let old = ring.calls.len().checked_sub(MOST_DETAILED + 1);
        if let Some((_, call)) = old.and_then(|old| ring.calls.get_mut(old)) {
            Arc::make_mut(call).requests = Vec::new();
        }
    }

    /// The number of the last call, and how many of all calls have written.
    pub(crate) fn count(&self) -> (u64, u64) {
        let ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        (
            ring.last + self.pace.passed(),
            ring.writes + self.pace.passed_writes(),
        )
    }

    /// The last calls that somebody wants to see, the newest first.
    pub(crate) fn list(
        &self,
        most: usize,
        wanted: impl Fn(&CallRecord) -> bool,
    ) -> Vec<(u64, Arc<CallRecord>)> {
        let ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = ring.calls.iter().rev();
        calls
            .filter(|(_, call)| wanted(call))
            .take(most)
            .cloned()
            .collect()
    }
}

/// A DynamoDB whose requests are calls by themselves.
pub(crate) struct Watched {
    inner: Arc<dyn Dynamo>,
    activity: Activity,
}

impl Watched {
    pub(crate) const fn new(inner: Arc<dyn Dynamo>, activity: Activity) -> Self {
        Self { inner, activity }
    }
}

impl Dynamo for Watched {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        let kind = if request.operation().is_read() {
            CallKind::Read
        } else {
            CallKind::Write
        };
        if !self.activity.admits() {
            self.activity.pass(kind);
            return self.inner.call(request);
        }
        let record = CallRecord::new(None, kind)
            .with_operation(request.operation().as_str(), &name_table(&request))
            .with_caller("DynamoDB API");
        Box::pin(async move {
            let begin = Instant::now();
            let (answer, sent) = self.activity.meter.send(&*self.inner, request).await;
            let record = record.with_time(begin.elapsed()).with_requests(vec![sent]);
            let refused = answer.as_ref().err().map(Error::code);
            self.activity.note(record.with_refusal(refused));
            answer
        })
    }
}

/// The tables that a request names, where it is about items.
fn name_table(request: &Request) -> String {
    crate::meter::list_tables(request).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_calls_lose_their_requests_and_the_oldest_are_forgotten() {
        let activity = Activity::default();
        let request = RequestRecord {
            operation: "PutItem",
            units: Vec::new(),
            written: Vec::new(),
            further: 0,
            is_refused: false,
        };
        for _ in 0..MOST_CALLS + 5 {
            let call = CallRecord::new(None, CallKind::Write);
            activity.note(call.with_requests(vec![request.clone()]));
        }
        let calls = activity.list(usize::MAX, |_| true);
        assert_eq!(calls.len(), MOST_CALLS);
        let detailed = calls.iter().filter(|(_, call)| !call.requests.is_empty());
        assert_eq!(detailed.count(), MOST_DETAILED);
        assert!(calls.iter().all(|(_, call)| call.sent == 1));
    }

    #[test]
    fn what_callers_send_is_kept_short() {
        let long = "x".repeat(100_000);
        let call = CallRecord::new(Some(&long), CallKind::Read)
            .with_operation(&long, &long)
            .with_row(&long)
            .with_caller(&long)
            .with_refusal(Some(&long));
        let kept = format!("{call:?}");
        assert!(kept.len() < 2500, "{}", kept.len());
    }
}
