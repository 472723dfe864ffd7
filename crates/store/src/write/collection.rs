//! The rows that a row owns: those of its patterns, also rows that the model does not know.

use crate::address::Address;
use crate::address::PartitionRange;
use crate::interrupt::Interrupt;
use crate::pattern;
use crate::reader::Reader;
use crate::record::Record;
use crate::scope::Scope;
use monotable_item::{EncodedItem, Item};
use monotable_model::model::TableId;

/// Where the rows of a row's patterns are.
pub(super) fn partitions(scope: &Scope, row: &Record) -> Result<Vec<PartitionRange>, Interrupt> {
    let mut all = Vec::new();
    for pattern in &scope.entity(row.entity).owns {
        let rows = pattern::rows_of(scope, *pattern, &row.values)?;
        // What is owned is certain: an index might not show it yet.
        all.extend(rows.filter(|rows| rows.index().is_none()));
    }
    Ok(all)
}

/// An item that a row owns.
pub(super) struct Owned {
    pub(super) address: Address,
    pub(super) item: Item,
}

/// Everything that a row owns, read strongly, without the row itself.
pub(super) async fn owned(
    reader: &Reader<'_>,
    row: &Record,
    own: &Address,
) -> Result<Vec<Owned>, Interrupt> {
    let partitions = partitions(reader, row)?;
    in_partitions(reader, &partitions, own).await
}

pub(super) async fn in_partitions(
    reader: &Reader<'_>,
    partitions: &[PartitionRange],
    own: &Address,
) -> Result<Vec<Owned>, Interrupt> {
    let mut all = Vec::new();
    let found = reader.all_encoded(partitions).await?;
    for (rows, items) in partitions.iter().zip(found) {
        all.extend(
            items
                .iter()
                .filter_map(|item| owned_item(reader, rows.table(), item))
                .filter(|owned| owned.address != *own),
        );
    }
    Ok(all)
}

fn owned_item(scope: &Scope, table: TableId, item: &EncodedItem) -> Option<Owned> {
    let item = item.to_item();
    let address = scope.addressing().locate_item(table, &item)?;
    Some(Owned { address, item })
}
