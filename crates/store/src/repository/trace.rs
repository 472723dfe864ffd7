//! What single items tell of commits, for those who read whole tables.

use super::instance::RepositoryInstance;
use super::intent::{Intent, owner_of};
use super::stored_key::{parse_partition, parse_primary_key};
use crate::address::{Address, Partition};
use crate::reader::Reader;
use crate::record::Record;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Repository, TableId};

/// What an item tells of the commits of a repository.
pub(crate) enum CommitTrace {
    /// It is an intent.
    Intent {
        /// What its key says of the key of its head.
        key: Item,
    },
    /// It stands in the partition of a snapshot.
    Snapshot {
        /// The key of the head.
        key: Item,
        revision: String,
        /// Whether it is a row of the snapshot's entities; the model may not know it.
        is_row: bool,
    },
}

/// Reads what an item tells, from its own key alone. None: it is not of this repository, or of another tenant.
pub(crate) fn read_trace(
    reader: &Reader<'_>,
    declared: &Repository,
    table: TableId,
    item: &Item,
) -> Option<CommitTrace> {
    let address = reader.addressing().locate_item(table, item)?;
    let record = reader.decode(table, item);
    let entity = record.as_ref().map(|record| record.entity);
    if entity == Some(declared.intent) {
        let in_key = parse_primary_key(reader, declared.intent, &address)?;
        let key = owner_of(reader, declared.head, &in_key);
        return Some(CommitTrace::Intent { key });
    }
    let first = *declared.entities.first()?;
    if reader.entity(first).table != table {
        return None;
    }
    let values = parse_partition(reader, first, address.partition_key())?;
    let Some(AttributeValue::S(revision)) = values.get(&declared.revision.value) else {
        return None;
    };
    let instance = RepositoryInstance::accepted_from(reader, declared, &values)?;
    let rendered = instance.partition(revision).ok()?;
    (rendered.partition == address.partition()).then(|| CommitTrace::Snapshot {
        revision: revision.clone(),
        is_row: entity.is_some_and(|entity| declared.entities.contains(&entity)),
        key: instance.key,
    })
}

/// The partition of the snapshot that an intent leads to; none if it is of another repository, or contradicts itself.
pub(crate) fn snapshot_of_intent(
    reader: &Reader<'_>,
    declared: &Repository,
    address: &Address,
    record: &Record,
) -> Option<Partition> {
    let repository =
        RepositoryInstance::partial(reader, &declared.name.value, &Item::new()).ok()?;
    let stored = Intent::read(&repository, address.clone(), record.clone()).ok()?;
    Some(stored.intent.snapshot.partition)
}
