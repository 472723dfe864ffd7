//! Items read or written lately, so that they cost no search of the store.
//!
//! An entry is an item and a group whose state it shows: the one that was published when the item was read, or
//! the one that wrote it. Before the committer commits a group, it notes the group's number in the *stripe* of
//! each row the group writes, and enters the new item; a stripe is shared by all rows whose keys hash to it. An
//! entry of group `e` serves a reader at group `s` if the stripe's number is at most both: then no write came
//! after the entry, and none that the reader must not see.
//!
//! The note comes before the commit because a commit can be seen, by another reader's snapshot, before its
//! group is published: from then on no reader may be served with what was there before. A reader that was slow
//! to remember what it read does no harm: its entry is of a group before the note.

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::{Cache, DefaultLifecycle};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, Ordering};

/// A write makes the other entries of its stripe useless until they are read again: many stripes for few items.
/// A power of two.
const STRIPES: usize = 1 << 20;

/// What an entry costs beside its key and its item, in bytes: two counted buffers and a slot.
const ENTRY_BYTES: usize = 160;

/// To size the cache's tables; items are usually larger than this.
const TYPICAL_ITEM_BYTES: u64 = 512;

#[derive(Clone)]
struct Entry {
    /// A group whose state it shows.
    group: u64,
    item: Bytes,
}

#[derive(Clone)]
struct EntryBytes;

impl Weighter<Bytes, Entry> for EntryBytes {
    fn weight(&self, key: &Bytes, entry: &Entry) -> u64 {
        (key.len() + entry.item.len() + ENTRY_BYTES) as u64
    }
}

pub(crate) struct ItemCache {
    entries: Cache<Bytes, Entry, EntryBytes, FxBuildHasher>,
    /// For each stripe, the last group that wrote, or is about to write, one of its rows.
    stripes: Box<[AtomicU64]>,
}

impl ItemCache {
    pub(crate) fn new(bytes: u64) -> Self {
        Self {
            entries: Cache::with(
                (bytes / TYPICAL_ITEM_BYTES) as usize,
                bytes,
                EntryBytes,
                FxBuildHasher,
                DefaultLifecycle::default(),
            ),
            stripes: (0..STRIPES).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// The item of this key as of `group`, if it is known.
    pub(crate) fn get(&self, key: &[u8], group: u64) -> Option<Bytes> {
        let entry = self.entries.get(key)?;
        (self.last_write(key) <= entry.group.min(group)).then_some(entry.item)
    }

    /// Remembers an item read from a snapshot that was taken when `group`, or a later one, was published.
    pub(crate) fn remember(&self, key: &[u8], group: u64, item: &[u8]) {
        // Copied: what the store gives is part of a larger block, which would be kept with it.
        let entry = Entry {
            group,
            item: Bytes::copy_from_slice(item),
        };
        self.entries.insert(Bytes::copy_from_slice(key), entry);
    }

    /// Notes that `group` is about to be committed and writes this row: the new item is served from when
    /// the group is published.
    pub(crate) fn note_write(&self, key: &Bytes, group: u64, item: Option<&Bytes>) {
        if let Some(stripe) = self.stripe(key) {
            stripe.store(group, Ordering::Release);
        }
        if let Some(item) = item {
            let entry = Entry {
                group,
                item: item.clone(),
            };
            self.entries.insert(key.clone(), entry);
        }
    }

    fn last_write(&self, key: &[u8]) -> u64 {
        self.stripe(key)
            .map_or(u64::MAX, |stripe| stripe.load(Ordering::Acquire))
    }

    fn stripe(&self, key: &[u8]) -> Option<&AtomicU64> {
        // The high bits: the cache itself uses the low ones.
        let hash = FxBuildHasher.hash_one(key) >> 44;
        self.stripes.get(hash as usize % STRIPES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Bytes = Bytes::from_static(b"table 1, item 1");

    fn cache() -> ItemCache {
        ItemCache::new(1 << 20)
    }

    #[test]
    fn an_entry_serves_readers_of_its_group_and_later_ones() {
        let cache = cache();
        cache.note_write(&KEY, 3, None);
        cache.remember(&KEY, 5, b"five");
        for group in 3..9 {
            assert_eq!(cache.get(&KEY, group).as_deref(), Some(&b"five"[..]));
        }
        // A reader of before the last write must not see it.
        assert_eq!(cache.get(&KEY, 2), None);
    }

    #[test]
    fn from_the_note_of_a_write_on_an_entry_serves_nobody() {
        let cache = cache();
        cache.remember(&KEY, 5, b"five");
        cache.note_write(&KEY, 6, None);
        assert_eq!(cache.get(&KEY, 5), None);
        assert_eq!(cache.get(&KEY, 6), None);
        // What a slow reader brings from before the write is no news.
        cache.remember(&KEY, 5, b"five");
        assert_eq!(cache.get(&KEY, 6), None);
        cache.remember(&KEY, 6, b"six");
        assert_eq!(cache.get(&KEY, 6).as_deref(), Some(&b"six"[..]));
    }

    #[test]
    fn what_a_group_writes_is_served_once_it_is_published() {
        let cache = cache();
        cache.note_write(&KEY, 7, Some(&Bytes::from_static(b"seven")));
        assert_eq!(cache.get(&KEY, 6), None);
        assert_eq!(cache.get(&KEY, 7).as_deref(), Some(&b"seven"[..]));
        cache.note_write(&KEY, 8, None);
        assert_eq!(cache.get(&KEY, 8), None);
    }

    #[test]
    fn the_cache_is_bounded() {
        let cache = ItemCache::new(64 * 1024);
        for number in 0..1000_u64 {
            let key = Bytes::copy_from_slice(&number.to_be_bytes());
            cache.remember(&key, 1, &[0; 1024]);
        }
        assert!(cache.entries.weight() <= 64 * 1024);
    }
}
