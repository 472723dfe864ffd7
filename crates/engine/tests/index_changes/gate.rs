//! Holds up commits, so that a test can look at what is between them.

use monotable_engine::{CommitStage, StallInjector};
use std::sync::{Arc, Condvar, Mutex};

/// How many commits may begin.
#[derive(Clone, Default)]
pub struct Gate(Arc<(Mutex<Option<u32>>, Condvar)>);

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
        let (left, changed) = &*self.0;
        let mut left = left.lock().unwrap();
        while *left == Some(0) {
            left = changed.wait(left).unwrap();
        }
        *left = left.map(|left| left - 1);
    }

    /// Lets only so many more commits begin.
    pub fn let_pass(&self, commits: u32) {
        *self.0.0.lock().unwrap() = Some(commits);
        self.0.1.notify_all();
    }

    /// Lets all commits begin.
    pub fn open(&self) {
        *self.0.0.lock().unwrap() = None;
        self.0.1.notify_all();
    }
}
