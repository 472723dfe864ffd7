//! What is done in the background: rows of dropped tables, expired tokens and items, item counts, relaxed syncs,
//! and flushing what has been idle.

mod counting;
mod dropping;
mod expiring;
pub(crate) mod kept_counts;
mod tokens;

use crate::clock::Clock;
use crate::commit::{Committer, Published};
use crate::store::{Durability, StoreFault};
use counting::Counting;
use expiring::Expiring;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(500);
/// How often expired tokens are removed.
const TOKEN_INTERVAL: Duration = Duration::from_secs(10);
/// Data that nobody has written to for this long is flushed out of the journal.
const IDLE: Duration = Duration::from_secs(30);

/// The handle on the background thread.
#[derive(Clone)]
pub(crate) struct Housekeeper {
    wake: Sender<()>,
    closing: Arc<AtomicBool>,
}

impl Housekeeper {
    pub(crate) fn start(
        published: Arc<Published>,
        committer: Arc<Committer>,
        clock: Arc<dyn Clock>,
        durability: Durability,
    ) -> std::io::Result<(Self, JoinHandle<()>)> {
        let (wake, wakes) = channel();
        let closing = Arc::new(AtomicBool::new(false));
        let house = House {
            counting: Counting::default(),
            expiring: Expiring::default(),
            synced_group: published.group(),
            flushed_group: published.group(),
            last_group: published.group(),
            last_write: Instant::now(),
            last_tokens: Instant::now(),
            closing: Arc::clone(&closing),
            published,
            committer,
            clock,
            durability,
        };
        let handle = thread::Builder::new()
            .name("monotable-house".into())
            .spawn(move || house.run(&wakes))?;
        Ok((Self { wake, closing }, handle))
    }

    /// Asks for a round now.
    pub(crate) fn wake(&self) {
        let _ = self.wake.send(());
    }

    pub(crate) fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
        self.wake();
    }
}

struct House {
    published: Arc<Published>,
    committer: Arc<Committer>,
    clock: Arc<dyn Clock>,
    durability: Durability,
    closing: Arc<AtomicBool>,
    counting: Counting,
    expiring: Expiring,
    synced_group: u64,
    flushed_group: u64,
    last_group: u64,
    last_write: Instant,
    last_tokens: Instant,
}

impl House {
    fn run(mut self, wakes: &Receiver<()>) {
        while !self.is_closing() {
            // A fault stops the committer, which tells every writer; there is nobody to tell here.
            let _ = self.round();
            match wakes.recv_timeout(TICK) {
                Ok(()) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }

    fn round(&mut self) -> Result<(), StoreFault> {
        let group = self.published.group();
        if group != self.last_group {
            self.last_group = group;
            self.last_write = Instant::now();
        }
        if self.durability == Durability::Relaxed && group != self.synced_group {
            self.committer.submit(|group| group.sync()).wait()?;
            self.published.store.note(group);
            self.synced_group = group;
        }
        dropping::remove_rows(&self.published, &self.committer, &self.closing)?;
        if self.last_tokens.elapsed() >= TOKEN_INTERVAL {
            tokens::remove_expired(&self.published, &self.committer, self.clock.as_ref())?;
            self.last_tokens = Instant::now();
        }
        if self.last_write.elapsed() >= IDLE && group != self.flushed_group {
            self.published.store.flush()?;
            self.flushed_group = group;
        }
        self.counting.round(&self.published, &self.closing)?;
        self.expiring
            .round(&self.published, &self.committer, self.clock.as_ref())
    }
}
