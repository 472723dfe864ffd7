//! What the committer is about to write together.

use super::evaluate::{ReadRows, RowChange};
use super::recent::RecentWrites;
use super::{Evaluation, WriteRequest, evaluate};
use crate::catalog::Catalog;
use crate::store::{Batch, Snapshot, Space, Store, StoreFault};
use bytes::Bytes;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::sync::Arc;

/// A result that the calling thread worked out on a snapshot.
pub(crate) struct Speculation {
    /// The last group that the snapshot is sure to hold.
    pub(crate) group: u64,
    /// The version of the catalog it was worked out with.
    pub(crate) catalog: u64,
    pub(crate) evaluation: Evaluation,
}

/// The rows of a group: the latest value of each row that it writes, over what is committed.
pub(crate) struct Group<'a> {
    pub(crate) number: u64,
    store: &'a Store,
    /// Taken when the first row is read that no speculation covers.
    snapshot: OnceCell<Snapshot>,
    overlay: FxHashMap<(Space, Bytes), Option<Bytes>>,
    recent: &'a mut RecentWrites,
    catalog: Arc<Catalog>,
    catalog_changed: bool,
    bytes: usize,
    fault: Option<StoreFault>,
}

impl<'a> Group<'a> {
    pub(super) fn new(
        number: u64,
        store: &'a Store,
        recent: &'a mut RecentWrites,
        catalog: Arc<Catalog>,
    ) -> Self {
        Self {
            number,
            store,
            snapshot: OnceCell::new(),
            overlay: FxHashMap::default(),
            recent,
            catalog,
            catalog_changed: false,
            bytes: 0,
            fault: None,
        }
    }

    /// How many bytes it will write.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The tables as this group leaves them.
    pub(crate) const fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// Replaces the catalog; readers see it once the group is durable.
    pub(crate) fn set_catalog(&mut self, catalog: Catalog) {
        self.catalog = Arc::new(catalog);
        self.catalog_changed = true;
    }

    /// The catalog, if the group changed it.
    pub(super) fn changed_catalog(&self) -> Option<Arc<Catalog>> {
        self.catalog_changed.then(|| Arc::clone(&self.catalog))
    }

    /// Makes everything committed before durable. If that fails, so does the group.
    pub(crate) fn sync(&mut self) -> Result<(), StoreFault> {
        let synced = self.store.sync();
        self.fault = synced.clone().err();
        synced
    }

    /// What went wrong while the group was put together, and stops the committer.
    pub(super) const fn take_fault(&mut self) -> Option<StoreFault> {
        self.fault.take()
    }

    /// Sets or removes a row.
    pub(crate) fn write(&mut self, space: Space, key: Bytes, value: Option<Bytes>) {
        self.bytes += key.len() + value.as_ref().map_or(0, Bytes::len);
        // Entries of indexes are never read by a request.
        if space != Space::Indexes {
            self.recent.note(space, &key, self.number);
        }
        self.overlay.insert((space, key), value);
    }

    /// Carries out a request, or finds out why not.
    pub(crate) fn execute(
        &mut self,
        request: &WriteRequest,
        speculation: Speculation,
    ) -> Result<Evaluation, StoreFault> {
        let mut evaluation = match self.still_holds(request, &speculation) {
            true => speculation.evaluation,
            false => evaluate(request, &self.catalog, self)?,
        };
        if let Evaluation::Done { changes, .. } = &mut evaluation {
            for (space, key, value) in std::mem::take::<Vec<RowChange>>(changes) {
                self.write(space, key, value);
            }
            for action in &request.actions {
                action.table.counts.note_write(self.number);
            }
        }
        Ok(evaluation)
    }

    fn still_holds(&self, request: &WriteRequest, speculation: &Speculation) -> bool {
        let unchanged = |space, key: &[u8]| self.recent.unchanged(space, key, speculation.group);
        speculation.catalog == self.catalog.version
            && request
                .actions
                .iter()
                .filter(|action| action.reads(&action.table))
                .all(|action| unchanged(Space::Items, &action.key.0))
            && request
                .token
                .iter()
                .all(|token| unchanged(Space::Meta, &super::TokenRows::claim(token)))
    }

    pub(super) fn into_batch(self) -> Batch {
        let mut batch = Batch::with_capacity(self.overlay.len() + 1);
        for ((space, key), value) in self.overlay {
            batch.push(space, key, value);
        }
        batch
    }

    /// The rows that are committed already.
    pub(crate) fn committed(&self) -> &Snapshot {
        self.snapshot.get_or_init(|| self.store.snapshot())
    }
}

impl ReadRows for Group<'_> {
    fn read(&self, space: Space, key: &[u8]) -> Result<Option<Bytes>, StoreFault> {
        // The map's keys own their bytes; a look-up key that shares `key` would need the same hash.
        let row = (space, Bytes::copy_from_slice(key));
        match self.overlay.get(&row) {
            Some(value) => Ok(value.clone()),
            None => self.committed().get(space, key),
        }
    }
}
