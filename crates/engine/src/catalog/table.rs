//! A table as the operations use it.

use super::definition::{AddedIndex, IndexDefinition, TableDefinition};
use super::stream::{StreamId, TableStream};
use super::vector::VectorDefinition;
use monotable_api::{KeyAttribute, ProjectedAttributes, ValidKeySchema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number that a table's item rows start with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct TableId(pub(crate) u32);

/// The number that an index's entry rows start with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct IndexId(pub(crate) u32);

/// Any of them, or the id of a stream: all are drawn from one counter and never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RelationId(u32);

impl RelationId {
    pub(super) const fn new(id: u32) -> Self {
        Self(id)
    }

    /// Big-endian, so that the rows of one relation lie together.
    pub(crate) const fn to_bytes(self) -> [u8; 4] {
        self.0.to_be_bytes()
    }
}

impl From<TableId> for RelationId {
    fn from(id: TableId) -> Self {
        Self(id.0)
    }
}

impl From<IndexId> for RelationId {
    fn from(id: IndexId) -> Self {
        Self(id.0)
    }
}

/// Whether an index has the table's partition key or one of its own, or is one of vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum IndexKind {
    Local,
    Global,
    Vector,
}

/// A secondary index.
#[derive(Debug)]
pub(crate) struct Index {
    pub(crate) id: IndexId,
    pub(crate) name: String,
    pub(crate) kind: IndexKind,
    /// None if the table was created with it.
    pub(crate) added: Option<AddedIndex>,
    pub(crate) key: ValidKeySchema,
    pub(crate) projection: ProjectedAttributes,
    /// What makes it an index of vectors.
    pub(crate) vector: Option<VectorDefinition>,
    /// Attributes whose values searches of vectors may name.
    pub(crate) filters: Vec<KeyAttribute>,
    /// The names of all attributes that it holds, in order; none when it holds all.
    pub(crate) attributes: Option<Vec<String>>,
    /// The names of a start key: those of the table's key and of its own, in order.
    pub(crate) start_key: Vec<String>,
    pub(crate) counts: Arc<Counts>,
}

impl Index {
    fn new(definition: &IndexDefinition, table: &ValidKeySchema, counts: Arc<Counts>) -> Self {
        let key: ValidKeySchema = (&definition.key).into();
        let projection: ProjectedAttributes = (&definition.projection).into();
        let keys: BTreeSet<String> = table
            .attributes()
            .chain(key.attributes())
            .map(|key| key.name.clone())
            .collect();
        let vector = definition.vector.clone();
        let filters = vector.as_ref().map(VectorDefinition::filters);
        let filters = filters.unwrap_or_default();
        let searched = filters.iter().map(|key| &key.name);
        let searched = searched.chain(vector.iter().map(|vector| &vector.attribute));
        let held: BTreeSet<String> = keys.iter().chain(searched).cloned().collect();
        let attributes = match &projection {
            ProjectedAttributes::All => None,
            ProjectedAttributes::KeysOnly => Some(held.into_iter().collect()),
            ProjectedAttributes::Include(names) => {
                let all: BTreeSet<String> = held.iter().chain(names).cloned().collect();
                Some(all.into_iter().collect())
            }
        };
        Self {
            id: definition.id,
            name: definition.name.clone(),
            kind: definition.kind,
            added: definition.added,
            key,
            projection,
            vector,
            filters,
            attributes,
            start_key: keys.into_iter().collect(),
            counts,
        }
    }

    /// The attributes that it names with their types: those of its key, and those whose values searches may name.
    pub(crate) fn named_attributes(&self) -> impl Iterator<Item = &KeyAttribute> {
        self.key.attributes().chain(&self.filters)
    }

    /// Whether writes keep its entries up to date.
    pub(crate) fn is_kept(&self) -> bool {
        self.added != Some(AddedIndex::Deleting)
    }

    /// Whether it is being filled or removed.
    pub(crate) fn is_changing(&self) -> bool {
        matches!(
            self.added,
            Some(AddedIndex::Creating | AddedIndex::Deleting)
        )
    }

    /// Whether the index holds this attribute of every item in it.
    pub(crate) fn holds(&self, attribute: &str) -> bool {
        self.attributes
            .as_ref()
            .is_none_or(|names| names.iter().any(|name| name == attribute))
    }
}

/// How many rows a relation has and how large they are: brought up to date in the background.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    rows: AtomicU64,
    bytes: AtomicU64,
    /// The last group that wrote to it.
    written: AtomicU64,
    /// The first group that may be missing from the counts. A group counts as written before readers
    /// can see it, so a flag would be taken by a count that the group is not part of.
    uncounted: AtomicU64,
}

impl Counts {
    pub(crate) fn set(&self, rows: u64, bytes: u64) {
        self.rows.store(rows, Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Relaxed);
    }

    pub(crate) fn rows(&self) -> u64 {
        self.rows.load(Ordering::Relaxed)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// `group` writes to it. INVARIANT: only the committer says so, with rising numbers.
    pub(crate) fn note_write(&self, group: u64) {
        self.written.store(group, Ordering::Relaxed);
    }

    /// Whether anything was written since they were counted. What has never been counted is stale.
    pub(crate) fn is_stale(&self) -> bool {
        self.written.load(Ordering::Relaxed) >= self.uncounted.load(Ordering::Relaxed)
    }

    /// They hold everything up to `group`.
    pub(crate) fn counted_to(&self, group: u64) {
        self.uncounted.store(group + 1, Ordering::Relaxed);
    }
}

/// A table.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) id: TableId,
    pub(crate) key: ValidKeySchema,
    pub(crate) indexes: Vec<Index>,
    /// The names of its key attributes, in order.
    pub(crate) start_key: Vec<String>,
    /// The stream that changes of its items go into.
    pub(crate) stream: Option<TableStream>,
    pub(crate) counts: Arc<Counts>,
    pub(crate) definition: TableDefinition,
}

impl Table {
    pub(crate) fn new(definition: TableDefinition) -> Self {
        Self::assemble(definition, Arc::default(), |_| Arc::default())
    }

    /// The same table with another definition; its rows and counts stay.
    pub(crate) fn redefined(&self, definition: TableDefinition) -> Self {
        let counts = |id: IndexId| {
            let known = self.indexes.iter().find(|index| index.id == id);
            known
                .map(|index| Arc::clone(&index.counts))
                .unwrap_or_default()
        };
        Self::assemble(definition, Arc::clone(&self.counts), counts)
    }

    fn assemble(
        definition: TableDefinition,
        counts: Arc<Counts>,
        index_counts: impl Fn(IndexId) -> Arc<Counts>,
    ) -> Self {
        let key: ValidKeySchema = (&definition.key).into();
        let indexes = definition.indexes.iter();
        Self {
            id: definition.id,
            indexes: indexes
                .map(|index| Index::new(index, &key, index_counts(index.id)))
                .collect(),
            start_key: sorted_names(&key),
            stream: definition.stream.filter(|stream| stream.enabled),
            key,
            counts,
            definition,
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.definition.name
    }

    /// Whether it has all its items, and can be used.
    pub(crate) const fn is_filled(&self) -> bool {
        self.definition.origin.is_none()
    }

    /// The log of what its items were, if it can be restored to a point in time.
    pub(crate) fn recovery_log(&self) -> Option<StreamId> {
        self.definition.recovery.map(|recovery| recovery.log)
    }

    /// The index that is being filled or removed, if there is one.
    pub(crate) fn changing_index(&self) -> Option<&Index> {
        self.indexes.iter().find(|index| index.is_changing())
    }

    pub(crate) fn has_local_indexes(&self) -> bool {
        self.indexes
            .iter()
            .any(|index| index.kind == IndexKind::Local)
    }
}

fn sorted_names(key: &ValidKeySchema) -> Vec<String> {
    let mut names: Vec<String> = key.attributes().map(|key| key.name.clone()).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_that_a_count_began_without_leaves_it_stale() {
        let counts = Counts::default();
        assert!(counts.is_stale(), "never counted");
        counts.counted_to(4);
        assert!(!counts.is_stale());
        counts.note_write(5);
        counts.counted_to(4);
        assert!(counts.is_stale(), "group 5 came while rows were counted");
        counts.counted_to(5);
        assert!(!counts.is_stale());
    }
}
