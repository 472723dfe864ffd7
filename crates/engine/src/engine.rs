//! The handle on an embedded DynamoDB.

use crate::backup;
use crate::bucket::Buckets;
use crate::catalog::CatalogRows;
use crate::clock::{Clock, Entropy};
use crate::commit::{CommitOptions, Committer, Published};
use crate::housekeeping::{House, HouseOptions, Housekeeper, kept_counts};
use crate::item_cache::ItemCache;
use crate::keys::ItemKey;
use crate::options::{ConflictInjector, EngineOptions};
use crate::pool::ReadPool;
use crate::region_name::RegionName;
use crate::resource_scope::ResourceScope;
use crate::statistics::{Statistics, statistics};
use crate::store::{OpenError, SEQUENCE_KEY, ScrubProgress, ScrubStep, Space, Store, StoreFault};
use crate::verify::{Verification, verify};
use crate::wording;
use monotable_api::Error;
use monotable_item::{EncodedItem, ItemView};
#[cfg(feature = "disk")]
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// The part of the cache that holds items; blocks of the disk have the rest.
pub(crate) const ITEM_CACHE_PART: u64 = 2;

/// An embedded DynamoDB. Cheap to clone; all clones are the same database, which closes with the last
/// one.
///
/// ```
/// use monotable_api::*;
/// use monotable_engine::Engine;
/// use monotable_item::Item;
///
/// let engine = Engine::in_memory()?;
/// engine.create_table(
///     CreateTableInput::new("Music", "Artist", ScalarAttributeType::S)
///         .range("Song", ScalarAttributeType::S),
/// )?;
/// let song = Item::new().with("Artist", "Nina Simone").with("Song", "Feeling Good").with("Year", 1965);
/// engine.put_item(PutItemInput::new("Music", song).condition("attribute_not_exists(Artist)"))?;
///
/// let page = engine.query(QueryInput::new("Music", "Artist = :artist").value(":artist", "Nina Simone"))?;
/// assert_eq!(page.count, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Engine {
    core: Arc<Core>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

/// What all clones of a handle share.
pub(crate) struct Core {
    pub(crate) published: Arc<Published>,
    pub(crate) committer: Arc<Committer>,
    pub(crate) pool: ReadPool,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) region: String,
    pub(crate) scope: ResourceScope,
    conflicts: Option<ConflictInjector>,
    pub(crate) housekeeper: Housekeeper,
    house: Arc<Mutex<House>>,
    /// Joined when the engine closes; none once it is closed.
    threads: Mutex<Option<Running>>,
}

struct Running {
    housekeeping: Option<JoinHandle<()>>,
    commit: Option<JoinHandle<()>>,
}

impl Engine {
    /// Opens a directory with the default options; makes it if there is none.
    #[cfg(feature = "disk")]
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        EngineOptions::new().open(path)
    }

    /// An empty database in memory.
    pub fn in_memory() -> Result<Self, OpenError> {
        EngineOptions::new().in_memory()
    }

    pub(crate) fn start(store: Store, options: EngineOptions) -> Result<Self, StoreFault> {
        let snapshot = store.snapshot();
        let catalog = CatalogRows::load(&snapshot)?;
        let group = read_sequence(snapshot.get(Space::Meta, SEQUENCE_KEY)?.as_deref());
        drop(snapshot);
        let items = match &store {
            Store::Disk(_) => Some(ItemCache::new(options.cache_bytes / ITEM_CACHE_PART)),
            Store::Memory(_) => None,
        };
        let buckets = options.buckets.map(Buckets::new);
        let published = Published::new(store, catalog, group, items, buckets);
        let published = Arc::new(published);
        let spawn_failed = StoreFault::from_io;
        let commit_options = CommitOptions {
            durability: options.durability,
            stalls: options.stalls,
            injector: options.stall_injector,
            clock: Arc::clone(&options.clock),
            threads: options.threads,
        };
        let (committer, commit_thread) =
            Committer::start(Arc::clone(&published), commit_options).map_err(spawn_failed)?;
        let committer = Arc::new(committer);
        let prepared = kept_counts::load(&published, &committer)
            .and_then(|()| backup::remove_unfinished(&published, &committer));
        match prepared {
            // It is opened to be read.
            Ok(()) | Err(StoreFault::DamagedFile(_)) => {}
            Err(fault) => return Err(fault),
        }
        let region = options.region.clone();
        let region = region.unwrap_or_else(|| RegionName::LOCAL.to_owned());
        let started = Housekeeper::start(
            Arc::clone(&published),
            Arc::clone(&committer),
            HouseOptions {
                clock: Arc::clone(&options.clock),
                durability: options.durability,
                region: region.clone(),
                scrub_bytes: options.scrub_bytes,
                threads: options.threads,
            },
        )
        .map_err(spawn_failed)?;
        let core = Core {
            published,
            committer,
            pool: ReadPool::new(options.threads),
            clock: options.clock,
            entropy: options.entropy,
            region,
            scope: ResourceScope::new(options.region),
            conflicts: options.conflicts,
            housekeeper: started.keeper,
            house: started.house,
            threads: Mutex::new(Some(Running {
                housekeeping: started.thread,
                commit: commit_thread,
            })),
        };
        Ok(Self {
            core: Arc::new(core),
        })
    }

    pub(crate) const fn core(&self) -> &Arc<Core> {
        &self.core
    }

    /// Reads everything in the store, checks every checksum, and compares every index with its table.
    pub fn verify(&self) -> Result<Verification, Error> {
        verify(&self.core.published.snapshot()).map_err(|fault| wording::internal(&fault))
    }

    /// How the engine has worked since it was opened, and what it holds.
    pub fn statistics(&self) -> Result<Statistics, Error> {
        statistics(&self.core.published).map_err(|fault| wording::internal(&fault))
    }

    /// Does what the background has to do by now, or a part of it, on the calling thread: removes expired items and old
    /// records of streams, rows of dropped tables and expired tokens, fills indexes, backups and restored tables, exports and imports,
    /// and counts items.
    /// The engine's own thread does so twice a second.
    pub fn background_step(&self) -> Result<(), Error> {
        let stepped = House::lock(&self.core.house).step();
        stepped.map(drop).map_err(|fault| wording::internal(&fault))
    }

    /// Reads all table files once, on the calling thread, and compares them with their checksums. What is damaged is in
    /// [`Engine::health`] afterwards. The background does so by itself, slowly.
    pub fn scrub(&self) -> ScrubProgress {
        let store = &self.core.published.store;
        // The pass that is going on may have begun before a file was written.
        for _ in 0..2 {
            while store.scrub(u64::MAX, self.core.clock.now()) == ScrubStep::More {}
        }
        store.scrub_progress().unwrap_or_default()
    }

    /// Waits until everything written is in its place on disk and compaction has come to rest.
    pub fn settle(&self) -> Result<(), Error> {
        let settled = self.core.published.store.settle();
        settled.map_err(|fault| wording::internal(&fault))
    }

    /// Closes the engine: finishes what was requested before and syncs. Writes get errors from then on;
    /// the directory is free when the last clone of the handle is gone.
    pub fn close(&self) {
        self.core.close();
    }
}

fn read_sequence(row: Option<&[u8]>) -> u64 {
    row.and_then(|bytes| bytes.try_into().ok())
        .map_or(0, u64::from_be_bytes)
}

impl Core {
    /// Whether a test wants this item to be in another transaction.
    pub(crate) fn conflicts(&self, table: &str, item: ItemView<'_>) -> bool {
        self.conflicts
            .as_ref()
            .is_some_and(|injected| injected(table, item))
    }

    /// Milliseconds since 1970.
    pub(crate) fn now_millis(&self) -> u64 {
        self.clock.now().as_millis() as u64
    }

    /// The item with this key in the present state.
    pub(crate) fn read_item(
        snapshot: &crate::store::Snapshot,
        key: &ItemKey,
    ) -> Result<Option<EncodedItem>, Error> {
        let value = snapshot.get(Space::Items, &key.0);
        let value = value.map_err(|fault| wording::internal(&fault))?;
        Ok(value.map(EncodedItem::from_stored))
    }

    fn close(&self) {
        let threads = self.threads.lock();
        let Some(threads) = threads.unwrap_or_else(PoisonError::into_inner).take() else {
            return;
        };
        self.housekeeper.close();
        // A panic of a thread was reported where it happened.
        let _ = threads.housekeeping.map(JoinHandle::join);
        // A store that has failed cannot be closed cleanly; its writers were told.
        let _ = kept_counts::save(&self.published, &self.committer);
        self.committer.close();
        let _ = threads.commit.map(JoinHandle::join);
        let _ = self.published.store.close(self.published.group());
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        self.close();
    }
}
