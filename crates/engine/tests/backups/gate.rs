//! Holds up commits, so that a test can look at what is between them.

use monotable_engine::{CommitStage, StallInjector};
use std::sync::{Arc, Condvar, Mutex};

#[derive(Default)]
struct State {
    /// How many commits may begin; none for all.
    left: Option<u32>,
    /// Whether one waits.
    is_stopped: bool,
}

#[derive(Clone, Default)]
pub struct Gate(Arc<(Mutex<State>, Condvar)>);

impl Gate {
    pub fn injector(&self) -> StallInjector {
        let gate = self.clone();
        Arc::new(move |stage| {
            if stage == CommitStage::Waiting {
                gate.pass();
            }
        })
    }

    fn pass(&self) {
        let (state, changed) = &*self.0;
        let mut state = state.lock().unwrap();
        while state.left == Some(0) {
            state.is_stopped = true;
            changed.notify_all();
            state = changed.wait(state).unwrap();
        }
        state.is_stopped = false;
        state.left = state.left.map(|left| left - 1);
    }

    /// Lets only so many more commits begin.
    pub fn let_pass(&self, commits: u32) {
        self.0.0.lock().unwrap().left = Some(commits);
        self.0.1.notify_all();
    }

    /// Waits until a commit waits that may not begin.
    pub fn await_stop(&self) {
        let (state, changed) = &*self.0;
        let mut state = state.lock().unwrap();
        while !state.is_stopped {
            state = changed.wait(state).unwrap();
        }
    }

    /// Lets all commits begin.
    pub fn open(&self) {
        self.0.0.lock().unwrap().left = None;
        self.0.1.notify_all();
    }
}
