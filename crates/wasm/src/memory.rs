//! Requests of DynamoDB, answered by the engine in memory and without threads.

use monotable_api::{Dynamo, Error, OperationName, Request};
use monotable_engine::{Clock, Engine, EngineOptions, Entropy};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// Where the time comes from.
pub type HostClock = Arc<dyn Clock>;
/// Where chance comes from.
pub type HostEntropy = Arc<dyn Entropy>;

/// How often the background is given its turn while only items are read and written.
const TICK: Duration = Duration::from_millis(500);

/// A DynamoDB in memory.
pub struct Memory {
    engine: Result<Engine, String>,
    clock: HostClock,
    /// When the background last had its turn, in milliseconds.
    last_turn: AtomicU64,
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CallBody<'a> {
    operation: String,
    #[serde(borrow)]
    input: &'a RawValue,
}

impl Memory {
    /// An empty one.
    pub fn new(clock: HostClock, entropy: HostEntropy) -> Self {
        let engine = EngineOptions::new()
            .clock(Arc::clone(&clock))
            .entropy(entropy)
            .without_threads()
            .in_memory();
        Self {
            engine: engine.map_err(|error| error.to_string()),
            clock,
            last_turn: AtomicU64::new(0),
        }
    }

    /// Answers `{"operation": "GetItem", "input": {..}}` with `{"ok": {..}}`, `{"error": {..}, "status": 400}`, or `{"broken": ".."}`
    /// if that was no request at all.
    pub fn call(&self, body: &[u8]) -> Vec<u8> {
        let body: CallBody<'_> = match serde_json::from_slice(body) {
            Ok(body) => body,
            Err(problem) => return broken(&problem.to_string()),
        };
        let engine = match &self.engine {
            Ok(engine) => engine,
            Err(problem) => return broken(problem),
        };
        let operation = body.operation.parse::<OperationName>();
        let request = operation.and_then(|name| Request::decode(name, body.input.get().as_bytes()));
        let answer = match request {
            Ok(request) => self.carry_out(engine, request),
            Err(error) => Err(error),
        };
        match answer {
            Ok(body) => [br#"{"ok":"#.as_slice(), &body, b"}"].concat(),
            Err(error) => {
                let status = format!(r#","status":{}}}"#, error.status());
                [
                    br#"{"error":"#.as_slice(),
                    &error.to_body(),
                    status.as_bytes(),
                ]
                .concat()
            }
        }
    }

    fn carry_out(&self, engine: &Engine, request: Request) -> Result<Vec<u8>, Error> {
        let operation = request.operation();
        let mut answer = engine.call(request);
        let mut context = Context::from_waker(Waker::noop());
        // Without threads everything is done when it is asked for.
        let answered = match answer.as_mut().poll(&mut context) {
            Poll::Ready(answered) => answered,
            Poll::Pending => Err(Error::internal("the engine waits for a thread")),
        };
        drop(answer);
        self.take_turn(engine, operation)?;
        answered?.encode()
    }

    /// Lets the background work: after everything that is not about items, and a few times a second.
    fn take_turn(&self, engine: &Engine, operation: OperationName) -> Result<(), Error> {
        let now = u64::try_from(self.clock.now().as_millis()).unwrap_or_default();
        let last = self.last_turn.load(Ordering::Relaxed);
        let is_due = now.abs_diff(last) >= TICK.as_millis() as u64;
        if is_about_items(operation) && !is_due {
            return Ok(());
        }
        self.last_turn.store(now, Ordering::Relaxed);
        engine.background_step()
    }
}

const fn is_about_items(operation: OperationName) -> bool {
    matches!(
        operation,
        OperationName::GetItem
            | OperationName::PutItem
            | OperationName::UpdateItem
            | OperationName::DeleteItem
            | OperationName::Query
            | OperationName::Scan
            | OperationName::BatchGetItem
            | OperationName::BatchWriteItem
            | OperationName::TransactGetItems
            | OperationName::TransactWriteItems
    )
}

fn broken(problem: &str) -> Vec<u8> {
    let problem = serde_json::json!({ "broken": problem });
    problem.to_string().into_bytes()
}
