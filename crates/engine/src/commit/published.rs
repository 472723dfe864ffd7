//! What readers see of the committer's work.

use crate::backup::BackupSources;
use crate::bucket::Buckets;
use crate::catalog::Catalog;
use crate::item_cache::ItemCache;
use crate::statistics::{CommitCounts, GroupCounts};
use crate::store::{Batch, Snapshot, Space, Store, StoreFault};
use arc_swap::ArcSwap;
use bytes::Bytes;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) struct Published {
    pub(crate) store: Store,
    pub(crate) catalog: ArcSwap<Catalog>,
    /// The last group that is committed.
    group: AtomicU64,
    pub(crate) groups: GroupCounts,
    pub(crate) commits: CommitCounts,
    /// Backups that are to be filled.
    pub(crate) backups: BackupSources,
    /// What stands for S3, if anything does.
    pub(crate) buckets: Option<Buckets>,
    /// None if the store itself is in memory.
    items: Option<ItemCache>,
    /// Why nothing is written any more.
    stopped: OnceLock<StoreFault>,
}

impl Published {
    pub(crate) fn new(
        store: Store,
        catalog: Catalog,
        group: u64,
        items: Option<ItemCache>,
        buckets: Option<Buckets>,
    ) -> Self {
        Self {
            store,
            items,
            buckets,
            catalog: ArcSwap::from_pointee(catalog),
            group: AtomicU64::new(group),
            groups: GroupCounts::default(),
            commits: CommitCounts::default(),
            backups: BackupSources::default(),
            stopped: OnceLock::new(),
        }
    }

    /// Why nothing is written any more, once that is so.
    pub(crate) fn stopped(&self) -> Option<&StoreFault> {
        self.stopped.get()
    }

    /// Says that nothing is written any more. The first reason stays.
    pub(crate) fn stop(&self, fault: &StoreFault) {
        if self.stopped.set(fault.for_later_callers()).is_ok() {
            tracing::error!(%fault, "no more writes are taken");
        }
    }

    /// The last committed group.
    pub(crate) fn group(&self) -> u64 {
        self.group.load(Ordering::Acquire)
    }

    /// Shows readers the next group. INVARIANT: one thread commits.
    pub(super) fn publish(&self, group: u64) {
        self.group.store(group, Ordering::Release);
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        self.store.snapshot()
    }

    /// The item of this key in the present state.
    pub(crate) fn read_item(&self, key: &[u8]) -> Result<Option<Bytes>, StoreFault> {
        // The number first: the snapshot then holds that group or more.
        self.read_item_since(self.group(), key, || self.snapshot())
    }

    /// The item of this key as of `group`, which is published, or as of a later one.
    pub(super) fn read_item_since(
        &self,
        group: u64,
        key: &[u8],
        snapshot: impl FnOnce() -> Snapshot,
    ) -> Result<Option<Bytes>, StoreFault> {
        let Some(items) = &self.items else {
            return snapshot().get(Space::Items, key);
        };
        if let Some(item) = items.get(key, group) {
            return Ok(Some(item));
        }
        // A plain get of the store can see half a commit; a snapshot cannot.
        let item = snapshot().get(Space::Items, key)?;
        if let Some(item) = &item {
            items.remember(key, group, item);
        }
        Ok(item)
    }

    /// Tells the cache, before the commit, what is about to change.
    pub(super) fn note_writes(&self, batch: &Batch, group: u64) {
        let Some(items) = &self.items else { return };
        for change in batch.changes(Space::Items) {
            items.note_write(&change.key, group, change.value.as_ref());
        }
    }
}
