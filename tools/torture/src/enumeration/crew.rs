//! Threads that open states, each in a folder of its own.

use super::Promise;
use super::disk::Image;
use crate::numbered;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// What a power cut has left, and what must be in it.
#[derive(Debug)]
pub(super) struct State {
    pub(super) image: Image,
    pub(super) promise: Promise,
}

#[derive(Debug)]
pub(super) struct Crew {
    /// None once everything was handed out.
    states: Option<SyncSender<State>>,
    violations: Receiver<String>,
    threads: Vec<JoinHandle<()>>,
}

impl Crew {
    pub(super) fn start(folder: &Path, threads: usize) -> io::Result<Self> {
        let (states, queue) = sync_channel(threads.max(1) * 2);
        let queue = Arc::new(Mutex::new(queue));
        let (told, violations) = channel();
        let mut crew = Self {
            states: Some(states),
            violations,
            threads: Vec::new(),
        };
        for number in 0..threads.max(1) {
            let member = Member {
                folder: folder.join(format!("state-{number}")),
                queue: Arc::clone(&queue),
                told: told.clone(),
            };
            crew.threads
                .push(thread::Builder::new().spawn(move || member.work())?);
        }
        Ok(crew)
    }

    /// Hands a state out; waits while all are busy.
    pub(super) fn open(&self, state: State) {
        if let Some(states) = &self.states {
            // A crew that has ended has told why.
            let _ = states.send(state);
        }
    }

    /// What was found since the last time.
    pub(super) fn take_violations(&self) -> Vec<String> {
        self.violations.try_iter().collect()
    }

    /// Waits until everything is opened: the rest of what was found.
    pub(super) fn finish(&mut self) -> Vec<String> {
        drop(self.states.take());
        for thread in self.threads.drain(..) {
            // A panic was printed where it happened, and is told below.
            let _ = thread.join();
        }
        self.violations.try_iter().collect()
    }
}

struct Member {
    folder: PathBuf,
    queue: Arc<Mutex<Receiver<State>>>,
    told: Sender<String>,
}

impl Member {
    fn work(&self) {
        let mut kept = 0;
        loop {
            let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
            let Ok(state) = queue.recv() else { return };
            drop(queue);
            if let Some(violation) = self.find_violation(&state) {
                let folder = self.folder.with_extension(format!("violation-{kept}"));
                kept += 1;
                let _ = state.image.write(&folder);
                let _ = self.told.send(format!("{}: {violation}", folder.display()));
            }
        }
    }

    fn find_violation(&self, State { image, promise }: &State) -> Option<String> {
        if let Err(error) = image.write(&self.folder) {
            return Some(format!("the state cannot be made: {error}"));
        }
        let store = self.folder.join("store");
        let opened = std::panic::catch_unwind(|| {
            numbered::find_violation(&store, promise.acknowledged, promise.sent)
        });
        opened.unwrap_or_else(|_| Some("a panic".into()))
    }
}
