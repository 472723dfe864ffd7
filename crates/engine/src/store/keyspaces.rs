//! fjall's database and its keyspaces, one for each space.

use super::Space;
use super::damage::DamageLog;
use fjall::compaction::Leveled;
use fjall::config::{PartitioningPolicy, PinningPolicy};
use fjall::{Database, Keyspace, KeyspaceCreateOptions};
use std::path::Path;
use std::sync::Arc;

/// Journals that together outgrow this make fjall flush what keeps them, in bytes. A bound on what must
/// be replayed at open.
const JOURNALS_BYTES: u64 = 256 * 1024 * 1024;

/// How a database is opened. Sizes of memtables and table files hold for keyspaces that are made.
#[derive(Clone)]
pub(crate) struct DiskOptions {
    pub(crate) cache_bytes: u64,
    /// A memtable that outgrows this is written to a table file, in bytes.
    pub(crate) memtable_bytes: u64,
    /// Compactions begin another table file when one has outgrown this, in bytes.
    pub(crate) table_bytes: u64,
    /// fjall's background threads. The first one never compacts: with only two, it takes and returns the
    /// same message for as long as the other compacts, and keeps a core busy with it.
    pub(crate) workers: usize,
    /// Sees every row that a compaction writes.
    #[cfg(test)]
    pub(crate) filter: Option<Arc<dyn fjall::compaction::filter::Factory>>,
}

impl DiskOptions {
    pub(crate) const fn new(cache_bytes: u64) -> Self {
        Self {
            cache_bytes,
            memtable_bytes: 16 * 1024 * 1024,
            table_bytes: 64 * 1024 * 1024,
            workers: 4,
            #[cfg(test)]
            filter: None,
        }
    }

    /// fjall keeps these as they were when the keyspace was made.
    fn keyspace_options(&self) -> KeyspaceCreateOptions {
        // A whole index or filter of a table file is a block of up to some megabytes. It is kept in memory for as long as the
        // file is open, and then costs a get no read; as a block of the cache it would drive much else out of it. All of them
        // together take about a twentieth of the files. From level 4 on, counted from 0, they are cut up, so that they are read in
        // part and memory does not grow with the store any more.
        // Cutting up goes by the levels in use. Pinning goes by fjall's seven levels when a store is opened, and small stores
        // use the last of them, so everything is pinned that is whole; of what is cut up, only the first part is.
        KeyspaceCreateOptions::default()
            .max_memtable_size(self.memtable_bytes)
            .compaction_strategy(Arc::new(
                Leveled::default().with_table_target_size(self.table_bytes),
            ))
            .index_block_pinning_policy(PinningPolicy::all(true))
            .index_block_partitioning_policy(cut_up_below())
            .filter_block_pinning_policy(PinningPolicy::all(true))
            .filter_block_partitioning_policy(cut_up_below())
    }
}

/// Indexes and filters are whole in the levels 0 to 3, and cut up below.
fn cut_up_below() -> PartitioningPolicy {
    PartitioningPolicy::new([false, false, false, false, true])
}

pub(super) struct Keyspaces {
    pub(super) meta: Keyspace,
    pub(super) items: Keyspace,
    pub(super) indexes: Keyspace,
    /// Files that are known to be damaged. It stands here because every reader has the keyspaces.
    pub(super) damage: DamageLog,
}

impl Keyspaces {
    pub(super) const fn of(&self, space: Space) -> &Keyspace {
        match space {
            Space::Meta => &self.meta,
            Space::Items => &self.items,
            Space::Indexes => &self.indexes,
        }
    }
}

/// Opens the database under `path`, or makes it.
pub(super) fn open_database(
    path: &Path,
    options: &DiskOptions,
    damage: DamageLog,
) -> fjall::Result<(Database, Keyspaces)> {
    // Without threads fjall flushes and compacts nothing, and so leaves a damaged file alone.
    let workers = if damage.is_empty() {
        options.workers
    } else {
        0
    };
    let builder = Database::builder(path)
        .cache_size(options.cache_bytes)
        .max_journaling_size(JOURNALS_BYTES)
        .worker_threads_unchecked(workers);
    #[cfg(test)]
    let builder = match options.filter.clone() {
        Some(filter) => {
            builder.with_compaction_filter_factories(Arc::new(move |_| Some(Arc::clone(&filter))))
        }
        None => builder,
    };
    let database = builder.open()?;
    let keyspace = |space: Space| database.keyspace(space.name(), || options.keyspace_options());
    let keyspaces = Keyspaces {
        meta: keyspace(Space::Meta)?,
        items: keyspace(Space::Items)?,
        indexes: keyspace(Space::Indexes)?,
        damage,
    };
    Ok((database, keyspaces))
}
