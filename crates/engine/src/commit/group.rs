//! What the committer is about to write together.

use super::evaluate::{ReadRows, RowChange};
use super::recent::RecentWrites;
use super::{Action, Evaluation, WriteRequest, evaluate};
use crate::catalog::Catalog;
use crate::clock::Clock;
use crate::store::{Batch, Row, Snapshot, Space, Store, StoreFault};
use crate::stream::{RecordDraft, Sequence};
use bytes::Bytes;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cell::OnceCell;
use std::sync::Arc;

/// Most groups write no more rows than this: their map need not grow.
const USUAL_ROWS: usize = 64;

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
    /// Records of streams. No request of a group reads them, and no two have the same key.
    records: Vec<Row>,
    /// How many sequence numbers were drawn.
    places: u32,
    clock: &'a dyn Clock,
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
        clock: &'a dyn Clock,
        recent: &'a mut RecentWrites,
        catalog: Arc<Catalog>,
    ) -> Self {
        Self {
            number,
            store,
            snapshot: OnceCell::new(),
            overlay: FxHashMap::with_capacity_and_hasher(USUAL_ROWS, FxBuildHasher),
            records: Vec::new(),
            places: 0,
            clock,
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

    /// Whether a row is sure not to have been written after `group`, which is committed, nor by this one.
    pub(crate) fn is_unchanged(&self, space: Space, key: &[u8], group: u64) -> bool {
        self.recent.unchanged(space, key, group)
    }

    /// Draws the next sequence number.
    pub(crate) const fn take_sequence(&mut self) -> Sequence {
        let sequence = Sequence::new(self.number, self.places);
        self.places += 1;
        sequence
    }

    /// Puts the records of one request at the ends of their streams. They bear one time, so that a table which is restored
    /// to a point in time has either all writes of a transaction or none of them.
    fn append_all(&mut self, drafts: Vec<RecordDraft>) {
        if drafts.is_empty() {
            return;
        }
        // Read for each request: an expiry may join a group after the time at which the group began.
        let now = self.clock.now().as_millis() as u64;
        for draft in drafts {
            self.append(draft, now);
        }
    }

    /// Puts a record of the time `now`, in milliseconds since 1970, at the end of its stream.
    fn append(&mut self, draft: RecordDraft, now: u64) {
        if let Some(stream) = self.catalog.stream(draft.stream) {
            stream.progress.note_record();
        }
        let key = self.take_sequence().row_key(draft.stream);
        let value = draft.into_value(now);
        self.bytes += key.len() + value.len();
        self.records.push((key, value));
    }

    /// Carries out a request, or finds out why not.
    pub(crate) fn execute(
        &mut self,
        request: &WriteRequest,
        speculation: Speculation,
    ) -> Result<Evaluation, StoreFault> {
        let evaluation = if self.still_holds(request, &speculation) {
            speculation.evaluation
        } else {
            evaluate(request, &self.catalog, self)?
        };
        Ok(self.apply(request, evaluation))
    }

    /// Carries out a request that nobody has evaluated before, on top of what the group is about to write.
    pub(crate) fn execute_now(&mut self, request: &WriteRequest) -> Result<Evaluation, StoreFault> {
        let evaluation = evaluate(request, &self.catalog, self)?;
        Ok(self.apply(request, evaluation))
    }

    fn apply(&mut self, request: &WriteRequest, mut evaluation: Evaluation) -> Evaluation {
        if let Evaluation::Done {
            changes, records, ..
        } = &mut evaluation
        {
            for (space, key, value) in std::mem::take::<Vec<RowChange>>(changes) {
                self.write(space, key, value);
            }
            self.append_all(std::mem::take(records));
            for action in &request.actions {
                action.table.counts.note_write(self.number);
            }
        }
        evaluation
    }

    fn still_holds(&self, request: &WriteRequest, speculation: &Speculation) -> bool {
        let unchanged = |space, key: &[u8]| self.recent.unchanged(space, key, speculation.group);
        // What the evaluation read. The table that the action was made with may be older than it.
        let read = |(position, action): &(usize, &Action)| match &speculation.evaluation {
            Evaluation::Done { effects, .. } => {
                effects.get(*position).is_none_or(|effect| effect.read)
            }
            _ => action.reads(&action.table),
        };
        speculation.catalog == self.catalog.version
            && request
                .actions
                .iter()
                .enumerate()
                .filter(read)
                .all(|(_, action)| unchanged(Space::Items, &action.key.0))
            && request
                .token
                .iter()
                .all(|token| unchanged(Space::Meta, &super::TokenRows::claim(token)))
    }

    pub(super) fn into_batch(self) -> Batch {
        let mut batch = Batch::with_capacity(self.overlay.len() + self.records.len() + 1);
        for ((space, key), value) in self.overlay {
            batch.push(space, key, value);
        }
        for (key, value) in self.records {
            batch.push(Space::Indexes, key, Some(value));
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
