//! Many items written or deleted, 25 in a request, side by side.

use crate::interrupt::Interrupt;
use crate::reader::{Reader, answered};
use crate::scope::Scope;
use monotable_api::{BatchWriteItemInput, DeleteRequest, PutRequest, Request, WriteRequest};
use monotable_item::{EncodedItem, ItemBuilder, limits};
use monotable_model::model::TableId;

/// Writes items.
pub(super) async fn put_all(
    reader: &Reader<'_>,
    table: TableId,
    items: Vec<EncodedItem>,
) -> Result<(), Interrupt> {
    let writes = items.into_iter().map(|item| WriteRequest {
        put_request: Some(PutRequest {
            item: Some(item.into()),
        }),
        ..WriteRequest::default()
    });
    send(reader, table, writes.collect()).await
}

/// Deletes items. Of each its key is enough.
pub(super) async fn delete_all(
    reader: &Reader<'_>,
    table: TableId,
    items: &[EncodedItem],
) -> Result<(), Interrupt> {
    let writes = items.iter().map(|item| WriteRequest {
        delete_request: Some(DeleteRequest {
            key: Some(key_of(reader, table, item).into()),
        }),
        ..WriteRequest::default()
    });
    send(reader, table, writes.collect()).await
}

fn key_of(scope: &Scope, table: TableId, item: &EncodedItem) -> EncodedItem {
    let table = scope.model().table(table);
    let mut key = ItemBuilder::new();
    for name in std::iter::once(&table.hash).chain(&table.range) {
        if let Some(value) = item.view().get(&name.value) {
            key.push(&name.value, value);
        }
    }
    key.finish()
}

async fn send(
    reader: &Reader<'_>,
    table: TableId,
    mut writes: Vec<WriteRequest>,
) -> Result<(), Interrupt> {
    let name = &reader.model().table(table).physical;
    let mut requests = Vec::new();
    while !writes.is_empty() {
        let rest = writes.split_off(writes.len().min(limits::MAX_BATCH_WRITE));
        let input = BatchWriteItemInput::default().and(name.clone(), writes);
        requests.push(Request::BatchWriteItem(input));
        writes = rest;
    }
    for answer in reader.steps.send(requests).await {
        answered(answer)?;
    }
    Ok(())
}
