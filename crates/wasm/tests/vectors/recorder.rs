//! A program that writes down everything that it says to the core, and everything that the core says.

use monotable_engine::{ManualClock, SeededEntropy};
use monotable_store::{Host, NoEntropy, Pause};
use monotable_wasm::data::Calls;
use monotable_wasm::memory::Memory;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

/// 2025-11-18T12:00:00Z, in seconds.
const NOW: u64 = 1_763_467_200;

/// A clock that stands, and chance that counts: the bytes 0, 1, 2 and so on, again and again.
struct Still(AtomicU8);

impl Host for Still {
    fn now_micros(&self) -> i64 {
        i64::try_from(NOW).unwrap() * 1_000_000
    }

    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoEntropy> {
        bytes.fill_with(|| self.0.fetch_add(1, Ordering::Relaxed));
        Ok(())
    }

    fn sleep(&self, _: Duration) -> Pause<'_> {
        panic!("the host of a module makes the pauses")
    }
}

pub(crate) struct Recorder {
    calls: Calls,
    memory: Memory,
    store: u64,
    lines: String,
    /// Answers in the place of the next ones; a write is carried out before its answer is replaced by `lost`.
    faults: VecDeque<Value>,
    /// What follows the salts in the next hashes that the host makes; it makes no others.
    hashes: VecDeque<String>,
}

impl Recorder {
    /// A store of the model with its tables made.
    pub(crate) fn open(settings: Value) -> Self {
        let clock = ManualClock::at(Duration::from_secs(NOW));
        let mut recorder = Self {
            calls: Calls::new(Arc::new(Still(AtomicU8::new(0)))),
            memory: Memory::new(Arc::new(clock), Arc::new(SeededEntropy::new(7))),
            store: 0,
            lines: String::new(),
            faults: VecDeque::new(),
            hashes: VecDeque::new(),
        };
        let mut body = settings;
        body["model"] = super::compile().into();
        body["cursorKey"] = "a key of more than thirty-two characters".into();
        let given = body.to_string();
        let reply = text(recorder.calls.open(given.as_bytes()));
        // The model has a file of its own.
        let shown = given.replace(&super::compile(), "$MODEL");
        recorder.write(&json!({ "call": "open" }), &shown, &reply);
        recorder.store = parse(&reply)["handle"]
            .as_u64()
            .unwrap_or_else(|| panic!("no handle: {reply}"));
        recorder.call(json!({ "setup": {} }));
        recorder
    }

    pub(crate) fn fail(&mut self, answers: &[Value]) {
        self.faults.extend(answers.iter().cloned());
    }

    /// The host hashes, so wrongly that it is seen.
    pub(crate) fn hash(&mut self, digest: &str) {
        self.hashes.push_back(digest.to_owned());
    }

    pub(crate) fn call(&mut self, operation: Value) -> Value {
        self.call_with(operation, json!({}))
    }

    /// Makes a call to its end, with more members of what it begins with.
    pub(crate) fn call_with(&mut self, operation: Value, more: Value) -> Value {
        let mut body = json!({ "store": self.store, "operation": operation });
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        let mut reply = self.start(&body.to_string());
        while let Some(errands) = reply["do"].as_array() {
            let answers: Vec<Value> = errands.iter().map(|errand| self.answer(errand)).collect();
            let handle = reply["handle"].as_u64().unwrap();
            reply = self.step(handle, &Value::Array(answers).to_string());
        }
        reply
    }

    pub(crate) fn start(&mut self, given: &str) -> Value {
        let reply = text(self.calls.start(given.as_bytes()));
        self.write(&json!({ "call": "start" }), given, &reply);
        parse(&reply)
    }

    pub(crate) fn step(&mut self, handle: u64, given: &str) -> Value {
        let known = u32::try_from(handle).unwrap();
        let reply = text(self.calls.step(known, given.as_bytes()));
        let call = json!({ "call": "step", "handle": handle });
        self.write(&call, given, &reply);
        parse(&reply)
    }

    pub(crate) fn finish(self) -> String {
        self.lines
    }

    fn answer(&mut self, errand: &Value) -> Value {
        let mut answer = json!({});
        if errand.get("send").is_some() {
            let fault = self.faults.pop_front().filter(|fault| !fault.is_null());
            let is_refused = fault
                .as_ref()
                .is_some_and(|fault| fault.get("lost").is_none());
            let body = json!({ "operation": errand["send"], "input": errand["input"] });
            if !is_refused {
                answer = parse(&text(self.memory.call(body.to_string().as_bytes())));
            }
            answer = fault.unwrap_or(answer);
        }
        if let Some(hash) = errand.get("hash") {
            let salt = hash["salt"].as_str().unwrap();
            let made = self.hashes.pop_front();
            answer["hash"] = made.map(|digest| format!("{salt}{digest}")).into();
        }
        answer["id"] = errand["id"].clone();
        answer
    }

    /// One line: what was called, what was given, and what was said, both as texts.
    fn write(&mut self, call: &Value, given: &str, reply: &str) {
        let mut line = call.clone();
        line["given"] = given.into();
        line["reply"] = reply.into();
        self.lines.push_str(&format!("{line}\n"));
    }
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}
