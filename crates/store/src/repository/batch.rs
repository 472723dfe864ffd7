//! Many items written or deleted, 25 in a request, side by side.

use crate::session::{Interrupt, Session, answered};
use monotable_api::{BatchWriteItemInput, DeleteRequest, PutRequest, Request, WriteRequest};
use monotable_item::{EncodedItem, ItemBuilder, limits};
use monotable_model::model::TableId;

/// Writes items.
pub(super) async fn put_all(
    session: &Session,
    table: TableId,
    items: Vec<EncodedItem>,
) -> Result<(), Interrupt> {
    let writes = items.into_iter().map(|item| WriteRequest {
        put_request: Some(PutRequest {
            item: Some(item.into()),
        }),
        ..WriteRequest::default()
    });
    send(session, table, writes.collect()).await
}

/// Deletes items. Of each its key is enough.
pub(super) async fn delete_all(
    session: &Session,
    table: TableId,
    items: &[EncodedItem],
) -> Result<(), Interrupt> {
    let writes = items.iter().map(|item| WriteRequest {
        delete_request: Some(DeleteRequest {
            key: Some(key_of(session, table, item).into()),
        }),
        ..WriteRequest::default()
    });
    send(session, table, writes.collect()).await
}

fn key_of(session: &Session, table: TableId, item: &EncodedItem) -> EncodedItem {
    let table = session.model().table(table);
    let mut key = ItemBuilder::new();
    for name in std::iter::once(&table.hash).chain(&table.range) {
        if let Some(value) = item.view().get(&name.value) {
            key.push(&name.value, value);
        }
    }
    key.finish()
}

async fn send(
    session: &Session,
    table: TableId,
    mut writes: Vec<WriteRequest>,
) -> Result<(), Interrupt> {
    let name = &session.model().table(table).physical;
    let mut requests = Vec::new();
    while !writes.is_empty() {
        let rest = writes.split_off(writes.len().min(limits::MAX_BATCH_WRITE));
        let input = BatchWriteItemInput::default().and(name.clone(), writes);
        requests.push(Request::BatchWriteItem(input));
        writes = rest;
    }
    for answer in session.steps.send(requests).await {
        answered(answer)?;
    }
    Ok(())
}
