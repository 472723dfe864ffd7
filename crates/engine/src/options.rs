//! How an engine is opened.

#[cfg(feature = "disk")]
use crate::catalog::CatalogRows;
use crate::clock::{Clock, Entropy, SystemClock, SystemEntropy};
use crate::commit::StallBounds;
use crate::engine::Engine;
#[cfg(feature = "disk")]
use crate::engine::ITEM_CACHE_PART;
#[cfg(feature = "disk")]
use crate::placement;
use crate::store::{CommitStage, Durability, MemoryStore, OpenError, Store};
#[cfg(feature = "disk")]
use crate::store::{DiskOptions, DiskStore};
use monotable_item::ItemView;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Decides whether a write or transactional read of an item meets another transaction: given the table
/// and the item's key, or for a put the whole item.
pub type ConflictInjector = Arc<dyn Fn(&str, ItemView<'_>) -> bool + Send + Sync>;

/// Called by the committing thread when a commit comes to a stage: the commit takes as long as the call.
pub type StallInjector = Arc<dyn Fn(CommitStage) + Send + Sync>;

/// Who commits and does the work of the background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Threads {
    /// Threads of the engine.
    Own,
    /// Whoever asks for something.
    None,
}

/// Default bounds of the time that a commit takes.
const STALLS: StallBounds = StallBounds {
    notice: Duration::from_secs(3),
    limit: Duration::from_secs(60),
};

/// Default pace of the scrub, in bytes a second.
const SCRUB_BYTES: u64 = 8 * 1024 * 1024;

/// Default size of the cache, in bytes.
const CACHE_BYTES: u64 = 64 * 1024 * 1024;

/// Settings of an engine.
///
/// ```
/// use monotable_engine::{Durability, EngineOptions};
///
/// let directory = std::env::temp_dir().join(format!("monotable-options-{}", std::process::id()));
/// let engine = EngineOptions::new()
///     .durability(Durability::Relaxed)
///     .cache_bytes(16 << 20)
///     .open(&directory)?;
/// engine.close();
/// # std::fs::remove_dir_all(directory)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct EngineOptions {
    pub(crate) durability: Durability,
    pub(crate) cache_bytes: u64,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) region: Option<String>,
    pub(crate) buckets: Option<PathBuf>,
    pub(crate) conflicts: Option<ConflictInjector>,
    pub(crate) stalls: StallBounds,
    pub(crate) stall_injector: Option<StallInjector>,
    pub(crate) scrub_bytes: u64,
    pub(crate) threads: Threads,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            durability: Durability::Sync,
            cache_bytes: CACHE_BYTES,
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy),
            region: None,
            buckets: None,
            conflicts: None,
            stalls: STALLS,
            stall_injector: None,
            scrub_bytes: SCRUB_BYTES,
            threads: Threads::Own,
        }
    }
}

impl fmt::Debug for EngineOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineOptions")
            .field("durability", &self.durability)
            .field("cache_bytes", &self.cache_bytes)
            .field("region", &self.region)
            .field("buckets", &self.buckets)
            .field("stalls", &self.stalls)
            .field("scrub_bytes", &self.scrub_bytes)
            .finish_non_exhaustive()
    }
}

impl EngineOptions {
    /// The defaults: every acknowledged write is synced, 64 MB of cache, the machine's clock.
    pub fn new() -> Self {
        Self::default()
    }

    /// How durable an acknowledged write is.
    #[must_use]
    pub const fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// The size of the cache, in bytes: half for blocks of the disk, half for items.
    #[must_use]
    pub const fn cache_bytes(mut self, bytes: u64) -> Self {
        self.cache_bytes = bytes;
        self
    }

    /// Where the time comes from.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Where randomness comes from.
    #[must_use]
    pub fn entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.entropy = entropy;
        self
    }

    /// The region that ARNs name: tables of other regions are refused. Without one ARNs name the region `local`, and a
    /// request may name a table in any region.
    #[must_use]
    pub fn region(mut self, region: impl Into<String>) -> Self {
        self.region = Some(region.into());
        self
    }

    /// The folder that stands for S3, for exports and imports: each folder in it is a bucket. Without it they are refused.
    #[must_use]
    pub fn buckets(mut self, folder: impl Into<PathBuf>) -> Self {
        self.buckets = Some(folder.into());
        self
    }

    /// Makes writes and transactional reads fail with TransactionConflict, for tests: commits are
    /// serial here, so that AWS's conflict never comes by itself.
    #[must_use]
    pub fn conflicts(mut self, injector: ConflictInjector) -> Self {
        self.conflicts = Some(injector);
        self
    }

    /// How long a commit may take before the store is nudged, and the log and the statistics tell of it;
    /// 3 seconds by default.
    #[must_use]
    pub const fn stall_notice(mut self, notice: Duration) -> Self {
        self.stalls.notice = notice;
        self
    }

    /// How long a commit may take before the callers of its writes, and of those behind it, get an error
    /// that says so; 60 seconds by default. Writes are taken again as soon as the store goes on.
    #[must_use]
    pub const fn stall_limit(mut self, limit: Duration) -> Self {
        self.stalls.limit = limit;
        self
    }

    /// How many bytes of the store's files are read a second in the background, to find damage before it is needed; 8 MB by
    /// default, nothing with 0. All files are read once an hour at most.
    #[must_use]
    pub const fn scrub_bytes_per_second(mut self, bytes: u64) -> Self {
        self.scrub_bytes = bytes;
        self
    }

    /// Holds up commits, for tests: what a store does that is stuck.
    #[must_use]
    pub fn stalls(mut self, injector: StallInjector) -> Self {
        self.stall_injector = Some(injector);
        self
    }

    /// Starts no thread: whoever writes commits, and [`Engine::background_step`] is called by the program. It is for places
    /// that have no threads, such as WebAssembly.
    #[must_use]
    pub const fn without_threads(mut self) -> Self {
        self.threads = Threads::None;
        self
    }

    /// Opens a directory; makes it if there is none.
    #[cfg(feature = "disk")]
    pub fn open(self, path: impl AsRef<Path>) -> Result<Engine, OpenError> {
        let path = path.as_ref();
        let block_bytes = self.cache_bytes - self.cache_bytes / ITEM_CACHE_PART;
        let store = DiskStore::open(path, &DiskOptions::new(block_bytes))?;
        let store = Store::Disk(store);
        let catalog = CatalogRows::load(&store.snapshot());
        let checked = catalog.and_then(|catalog| placement::check(&store, path, &catalog));
        checked.map_err(|fault| fault.at_open(path))?;
        Engine::start(store, self).map_err(|fault| fault.at_open(path))
    }

    /// Opens an empty engine in memory.
    pub fn in_memory(self) -> Result<Engine, OpenError> {
        let store = Store::Memory(MemoryStore::default());
        Engine::start(store, self).map_err(|fault| fault.at_open(Path::new("memory")))
    }
}
