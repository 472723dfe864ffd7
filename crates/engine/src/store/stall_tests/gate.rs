//! A gate in fjall's compactions: the first one into the last level that comes after it was shut waits
//! there until the gate is opened.

use fjall::compaction::filter::{
    CompactionFilter, CompactionFilterResult, Context, Factory, ItemAccessor, Verdict,
};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// How long a test waits for what must come. A test that waits longer has failed.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    Shut,
    /// A compaction waits at it.
    Held,
}

#[derive(Clone)]
pub(super) struct Gate(Arc<(Mutex<State>, Condvar)>);

impl Gate {
    pub(super) fn open() -> Self {
        Self(Arc::new((Mutex::new(State::Open), Condvar::new())))
    }

    pub(super) fn shut(&self) {
        self.set(State::Shut);
    }

    pub(super) fn release(&self) {
        self.set(State::Open);
    }

    pub(super) fn is_holding(&self) -> bool {
        *self.0.0.lock().unwrap() == State::Held
    }

    fn set(&self, state: State) {
        *self.0.0.lock().unwrap() = state;
        self.0.1.notify_all();
    }

    /// The first to come waits; all others pass.
    fn pass(&self) {
        let (state, changed) = &*self.0;
        let mut state = state.lock().unwrap();
        if *state == State::Shut {
            *state = State::Held;
            let held = changed.wait_timeout_while(state, PATIENCE, |state| *state == State::Held);
            drop(held.unwrap());
        }
    }
}

impl Factory for Gate {
    fn name(&self) -> &str {
        "gate"
    }

    fn make_filter(&self, context: &Context) -> Box<dyn CompactionFilter> {
        Box::new(GateFilter {
            gate: context.is_last_level.then(|| self.clone()),
        })
    }
}

/// Waits at the first row, where fjall holds no lock.
struct GateFilter {
    gate: Option<Gate>,
}

impl CompactionFilter for GateFilter {
    fn filter_item(&mut self, _: ItemAccessor<'_>, _: &Context) -> CompactionFilterResult {
        if let Some(gate) = self.gate.take() {
            gate.pass();
        }
        Ok(Verdict::Keep)
    }
}
