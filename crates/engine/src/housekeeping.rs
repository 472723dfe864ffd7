//! What is done in the background: rows of dropped tables, expired tokens and items, old records of streams, item counts,
//! backups, restored tables, exports, imports and bulk puts, relaxed syncs, flushing what has been idle, and looking for damage.

mod backfilling;
mod bulk_putting;
mod copying;
mod counting;
mod dropping;
mod expiring;
mod exporting;
mod importing;
pub(crate) mod kept_counts;
mod recovering;
mod restoring;
mod scrubbing;
mod tokens;
mod trimming;

use crate::clock::Clock;
use crate::commit::{Committer, Published};
use crate::moment::Moment;
use crate::options::Threads;
use crate::store::{Durability, StoreFault};
use bulk_putting::BulkPutting;
use copying::Copying;
use counting::Counting;
use expiring::Expiring;
use importing::Importing;
use recovering::Recovering;
use scrubbing::Scrubbing;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

pub(crate) use bulk_putting::LISTED as BULK_OPERATIONS_LISTED;

const TICK: Duration = Duration::from_millis(500);
/// How often expired tokens are removed.
const TOKEN_INTERVAL: Duration = Duration::from_secs(10);
/// Data that nobody has written to for this long is flushed out of the journal.
const IDLE: Duration = Duration::from_secs(30);

/// What the background is told.
pub(crate) struct HouseOptions {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) durability: Durability,
    /// The region that ARNs name.
    pub(crate) region: String,
    /// How much of the store's files is read a second, to find damage.
    pub(crate) scrub_bytes: u64,
    pub(crate) threads: Threads,
}

/// The handle on the background thread.
#[derive(Clone)]
pub(crate) struct Housekeeper {
    wake: Sender<()>,
    closing: Arc<AtomicBool>,
}

/// The background work of a store that was opened, and who does it.
pub(crate) struct StartedHouse {
    pub(crate) keeper: Housekeeper,
    pub(crate) house: Arc<Mutex<House>>,
    /// The thread that calls its steps; none if the program does.
    pub(crate) thread: Option<JoinHandle<()>>,
}

impl Housekeeper {
    pub(crate) fn start(
        published: Arc<Published>,
        committer: Arc<Committer>,
        options: HouseOptions,
    ) -> std::io::Result<StartedHouse> {
        let (wake, wakes) = channel();
        let closing = Arc::new(AtomicBool::new(false));
        let now = Moment::now(&*options.clock);
        let house = House {
            counting: Counting::default(),
            expiring: Expiring::default(),
            copying: Copying::default(),
            importing: Importing::default(),
            bulk_putting: BulkPutting::default(),
            recovering: Recovering::default(),
            scrubbing: Scrubbing::new(options.scrub_bytes, now),
            synced_group: published.group(),
            flushed_group: published.group(),
            last_group: published.group(),
            last_write: now,
            last_tokens: now,
            closing: Arc::clone(&closing),
            published,
            committer,
            clock: options.clock,
            durability: options.durability,
            region: options.region,
        };
        let house = Arc::new(Mutex::new(house));
        let keeper = Self { wake, closing };
        if options.threads == Threads::None {
            let thread = None;
            return Ok(StartedHouse {
                keeper,
                house,
                thread,
            });
        }
        let (worked, closing) = (Arc::clone(&house), Arc::clone(&keeper.closing));
        let thread = thread::Builder::new()
            .name("monotable-house".into())
            .spawn(move || run(&worked, &closing, &wakes))?;
        Ok(StartedHouse {
            keeper,
            house,
            thread: Some(thread),
        })
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

/// What the background has to do. The thread asks for one step after another; so may anybody else.
pub(crate) struct House {
    published: Arc<Published>,
    committer: Arc<Committer>,
    clock: Arc<dyn Clock>,
    durability: Durability,
    /// The region that ARNs name.
    region: String,
    closing: Arc<AtomicBool>,
    counting: Counting,
    expiring: Expiring,
    copying: Copying,
    importing: Importing,
    bulk_putting: BulkPutting,
    recovering: Recovering,
    scrubbing: Scrubbing,
    synced_group: u64,
    flushed_group: u64,
    last_group: u64,
    last_write: Moment,
    last_tokens: Moment,
}

/// When there is something to do again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    Now,
    Later,
}

impl Due {
    /// When there is something to do for either of two.
    const fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Later, Self::Later) => Self::Later,
            _ => Self::Now,
        }
    }
}

fn run(house: &Mutex<House>, closing: &AtomicBool, wakes: &Receiver<()>) {
    while !closing.load(Ordering::Relaxed) {
        // A fault stops the committer, which tells every writer; there is nobody to tell here.
        if matches!(House::lock(house).step(), Ok(Due::Now)) {
            continue;
        }
        match wakes.recv_timeout(TICK) {
            Ok(()) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

impl House {
    pub(crate) fn lock(house: &Mutex<Self>) -> MutexGuard<'_, Self> {
        house.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does what is due now, or a part of it.
    pub(crate) fn step(&mut self) -> Result<Due, StoreFault> {
        // First, because what follows may fail for good once a file is damaged.
        let now = Moment::now(&*self.clock);
        self.scrubbing.round(&self.published, &*self.clock);
        if let Err(fault) = self.published.store.check_background() {
            self.published.stop(&fault);
            return Err(fault);
        }
        let group = self.published.group();
        if group != self.last_group {
            self.last_group = group;
            self.last_write = now;
        }
        if self.durability == Durability::Relaxed && group != self.synced_group {
            self.committer.submit(|group| group.sync()).wait()?;
            self.published.store.note(group);
            self.synced_group = group;
        }
        dropping::remove_rows(&self.published, &self.committer, &self.closing)?;
        if now.since(self.last_tokens) >= TOKEN_INTERVAL {
            tokens::remove_expired(&self.published, &self.committer, self.clock.as_ref())?;
            self.last_tokens = Moment::now(&*self.clock);
        }
        if now.since(self.last_write) >= IDLE && group != self.flushed_group {
            self.published.store.flush()?;
            self.flushed_group = group;
        }
        trimming::round(
            &self.published,
            &self.committer,
            self.clock.as_ref(),
            &self.closing,
        )?;
        self.counting
            .round(&self.published, self.clock.as_ref(), &self.closing)?;
        self.expiring
            .round(&self.published, &self.committer, self.clock.as_ref())?;
        self.recovering.round(
            &self.published,
            &self.committer,
            self.clock.as_ref(),
            &self.closing,
        )?;
        let copied = self.copying.round(&self.published, &self.committer)?;
        let restored = restoring::round(&self.published, &self.committer)?;
        let filled = backfilling::round(&self.published, &self.committer)?;
        let exported = exporting::round(
            &self.published,
            &self.committer,
            self.clock.as_ref(),
            &self.region,
        )?;
        let imported =
            self.importing
                .round(&self.published, &self.committer, self.clock.as_ref())?;
        let put = self
            .bulk_putting
            .round(&self.published, &self.committer, self.clock.as_ref())?;
        let transferred = exported.or(imported).or(put);
        Ok(copied.or(restored).or(filled).or(transferred))
    }
}
