//! The store in memory: persistent maps behind an atomic pointer.
//!
//! A snapshot is the pointer; a commit makes the next version and swaps it in. Readers never wait.

use super::{Batch, Direction, KeyRange, Row, Space, StoreFault};
use arc_swap::ArcSwap;
use bytes::Bytes;
use rpds::RedBlackTreeMapSync;
use std::sync::Arc;

type Map = RedBlackTreeMapSync<Bytes, Bytes>;

#[derive(Clone, Default)]
struct Spaces {
    meta: Map,
    items: Map,
    indexes: Map,
}

impl Spaces {
    const fn space(&self, space: Space) -> &Map {
        match space {
            Space::Meta => &self.meta,
            Space::Items => &self.items,
            Space::Indexes => &self.indexes,
        }
    }

    const fn space_mut(&mut self, space: Space) -> &mut Map {
        match space {
            Space::Meta => &mut self.meta,
            Space::Items => &mut self.items,
            Space::Indexes => &mut self.indexes,
        }
    }
}

#[derive(Default)]
pub(crate) struct MemoryStore {
    current: ArcSwap<Spaces>,
}

impl MemoryStore {
    pub(super) fn snapshot(&self) -> MemorySnapshot {
        MemorySnapshot(self.current.load_full())
    }

    /// INVARIANT: only one thread commits, so no other version can come between load and store.
    pub(crate) fn commit(&self, batch: Batch) {
        let mut next = Spaces::clone(&self.current.load());
        for change in batch.into_changes() {
            let map = next.space_mut(change.space);
            match change.value {
                Some(value) => map.insert_mut(change.key, value),
                None => drop(map.remove_mut(&change.key)),
            }
        }
        self.current.store(Arc::new(next));
    }
}

#[derive(Clone)]
pub(crate) struct MemorySnapshot(Arc<Spaces>);

impl MemorySnapshot {
    pub(super) fn get(&self, space: Space, key: &[u8]) -> Option<Bytes> {
        self.0.space(space).get(key).cloned()
    }

    pub(super) fn range(
        &self,
        space: Space,
        range: KeyRange,
        direction: Direction,
    ) -> Box<dyn Iterator<Item = Result<Row, StoreFault>> + '_> {
        let rows = self
            .0
            .space(space)
            .range(range.bounds())
            .map(|(key, value)| Ok((key.clone(), value.clone())));
        match direction {
            Direction::Forwards => Box::new(rows),
            Direction::Backwards => Box::new(rows.rev()),
        }
    }
}
