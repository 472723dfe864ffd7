//! Stores and calls by their handles: JSON goes in, JSON comes out.
//!
//! A host opens a store with the model's bytes, starts a call of it, carries out the errands that it is told, and steps the
//! call with what happened, until there is a result. Every reply has exactly one of these members:
//!
//! ```text
//! {"handle": 1, "model": "..", "hash": "..", "tables": [..]}     a store
//! {"handle": 2, "do": [{"id": 0, "after": 20, "send": "GetItem", "input": {..}, "write": true}]}
//! {"done": ..}, {"failed": {"kind": "Conflict", ..}}     the end of a call
//! {"broken": ".."}                                       the host has made a mistake
//! ```

mod body;
mod failure;
mod machine;
mod number;
mod opened;
mod output;
mod task;
#[cfg(feature = "whole")]
mod whole;

use machine::Machine;
use monotable_store::Host;
use opened::OpenStore;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The stores and calls of one instance of the module.
pub struct Calls {
    host: Arc<dyn Host>,
    last: u32,
    stores: BTreeMap<u32, Arc<OpenStore>>,
    machines: BTreeMap<u32, Machine>,
}

impl std::fmt::Debug for Calls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Calls")
            .field("stores", &self.stores.len())
            .field("machines", &self.machines.len())
            .finish_non_exhaustive()
    }
}

/// The end of something, as JSON.
pub(crate) enum Ended {
    Done(String),
    Failed(Value),
}

impl Calls {
    /// None so far, with time and chance from a host.
    #[must_use]
    pub fn new(host: Arc<dyn Host>) -> Self {
        Self {
            host,
            last: 0,
            stores: BTreeMap::new(),
            machines: BTreeMap::new(),
        }
    }

    /// Opens a store: `{"model", "tables", "settings", "cursorKey", "retry", "bigint"}`.
    pub fn open(&mut self, body: &[u8]) -> Vec<u8> {
        let body = match body::read::<body::OpenBody>(body) {
            Ok(body) => body,
            Err(problem) => return broken(&problem),
        };
        match OpenStore::open(body, Arc::clone(&self.host)) {
            Ok(opened) => {
                let handle = self.next();
                let tables = opened.store.model().tables.iter();
                let reply = json!({
                    "handle": handle,
                    "model": opened.store.model().name,
                    "hash": opened.hash,
                    "tables": tables.map(|table| &table.name.value).collect::<Vec<_>>(),
                });
                self.stores.insert(handle, Arc::new(opened));
                reply.to_string().into_bytes()
            }
            Err(message) => json!({ "failed": failure::usage(&message) })
                .to_string()
                .into_bytes(),
        }
    }

    /// Begins a call: `{"store", "operation", "options", "context"}`.
    pub fn start(&mut self, body: &[u8]) -> Vec<u8> {
        let body = match body::read::<body::StartBody<'_>>(body) {
            Ok(body) => body,
            Err(problem) => return broken(&problem),
        };
        let Some(opened) = self.stores.get(&body.store) else {
            return broken(&format!("there is no store {}", body.store));
        };
        let machine = match Machine::new(opened, body) {
            Ok(machine) => machine,
            Err(message) => {
                return json!({ "failed": failure::usage(&message) })
                    .to_string()
                    .into_bytes();
            }
        };
        let handle = self.next();
        self.advance(handle, machine, Vec::new())
    }

    /// Goes on with a call: a list of answers.
    pub fn step(&mut self, handle: u32, body: &[u8]) -> Vec<u8> {
        let Some(mut machine) = self.machines.remove(&handle) else {
            return broken(&format!("there is no call {handle}"));
        };
        let answers = body::read::<Vec<body::AnswerBody<'_>>>(body);
        let reports = answers.and_then(|answers| machine.read_answers(answers));
        match reports {
            Ok(reports) => self.advance(handle, machine, reports),
            Err(problem) => broken(&problem),
        }
    }

    /// Ends a call or a store. A handle that is not known is nothing.
    pub fn close(&mut self, handle: u32) {
        self.stores.remove(&handle);
        self.machines.remove(&handle);
    }

    fn advance(
        &mut self,
        handle: u32,
        mut machine: Machine,
        reports: Vec<monotable_store::Report>,
    ) -> Vec<u8> {
        match machine.step(reports) {
            machine::Next::Do(errands) => {
                self.machines.insert(handle, machine);
                let head = format!(r#"{{"handle":{handle},"do":["#);
                [head.as_bytes(), &errands, b"]}"].concat()
            }
            machine::Next::Ended(Ended::Done(done)) => format!(r#"{{"done":{done}}}"#).into_bytes(),
            machine::Next::Ended(Ended::Failed(failed)) => {
                json!({ "failed": failed }).to_string().into_bytes()
            }
            machine::Next::Broken(problem) => broken(&problem),
        }
    }

    fn next(&mut self) -> u32 {
        self.last = self.last.wrapping_add(1);
        while self.stores.contains_key(&self.last) || self.machines.contains_key(&self.last) {
            self.last = self.last.wrapping_add(1);
        }
        self.last
    }
}

fn broken(problem: &str) -> Vec<u8> {
    json!({ "broken": problem }).to_string().into_bytes()
}
