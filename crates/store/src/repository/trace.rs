//! What single items tell of commits, for those who read whole tables.

use super::instance::RepositoryInstance;
use super::intent::{Intent, REPOSITORY, owner_of};
use super::stored_key::{parse_partition, parse_primary_key};
use crate::address::{Address, PartitionRange};
use crate::attempt::Attempt;
use crate::interrupt::Interrupt;
use crate::mechanism::history::verify::PendingCommit;
use crate::reader::Reader;
use crate::record::Record;
use crate::request::RangeQuery;
use crate::scope::Scope;
use crate::steps::Steps;
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::model::{Repository, TableId};
use std::collections::BTreeSet;

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

/// What an intent tells, or why it contradicts itself; none if it is of another repository.
pub(crate) fn read_intent(
    scope: &Scope,
    declared: &Repository,
    address: &Address,
    record: &Record,
) -> Option<Result<PendingCommit, String>> {
    // What is worked out from keys alone sends nothing.
    let (steps, attempt) = (Steps::without_sending(), Attempt::default());
    let reader = &Reader {
        scope,
        steps: &steps,
        attempt: &attempt,
    };
    let repository =
        RepositoryInstance::partial(reader, &declared.name.value, &Item::new()).ok()?;
    let says_repository = match record.values.get(REPOSITORY) {
        Some(AttributeValue::S(name)) if *name != declared.name.value => return None,
        Some(AttributeValue::S(_)) => true,
        _ => false,
    };
    let stored = match Intent::read(&repository, address.clone(), record.clone()) {
        Ok(stored) => stored,
        // It may be that of another repository.
        Err(_) if !says_repository => return None,
        Err(kept) => return Some(Err(kept.reason.to_string())),
    };
    Some(Ok(PendingCommit {
        head: stored.instance.head_place().ok()?,
        began: stored.intent.began(&stored.instance, &stored.revision),
        is_claimed: stored.intent.is_claimed(reader),
        revision: stored.revision,
    }))
}

/// The key of a head, as the head's own key says it.
pub(crate) fn key_of_head(scope: &Scope, declared: &Repository, head: &Address) -> Option<Item> {
    parse_primary_key(scope, declared.head, head)
}

/// An item with its table.
pub(crate) type TableItem = (TableId, EncodedItem);

/// Everything of one head but the contents of its snapshots: the head, its log, its intents, and the first row of each
/// revision's snapshot.
pub(crate) async fn read_history(
    reader: &Reader<'_>,
    declared: &Repository,
    head: &Address,
) -> Result<Vec<TableItem>, Interrupt> {
    let Some(key) = parse_primary_key(reader, declared.head, head) else {
        return Ok(Vec::new());
    };
    let Some(instance) = RepositoryInstance::accepted_from(reader, declared, &key) else {
        return Ok(Vec::new());
    };
    let mut items: Vec<TableItem> = Vec::new();
    for address in instance.head_places() {
        let item = reader.get(&address, true).await?;
        items.extend(item.map(|item| (address.table(), item)));
    }
    let mut ranges = instance.log_ranges()?;
    ranges.push(instance.intent_rows()?);
    let tables: Vec<_> = ranges.iter().map(PartitionRange::table).collect();
    let mut revisions = BTreeSet::new();
    for (table, found) in tables.into_iter().zip(reader.all_encoded(&ranges).await?) {
        for item in found {
            let record = reader.decode_view(table, item.view());
            let revision =
                record.and_then(|record| match record.values.get(instance.revision_name()) {
                    Some(AttributeValue::S(revision)) => Some(revision.clone()),
                    _ => None,
                });
            revisions.extend(revision);
            items.push((table, item));
        }
    }
    for revision in revisions {
        let Ok(range) = instance.partition(&revision) else {
            continue;
        };
        let table = range.table();
        let first = RangeQuery::of_range(range).limit(1);
        let found = reader.pages(vec![first]).await?;
        items.extend(found.into_iter().flatten().map(|item| (table, item)));
    }
    Ok(items)
}
