//! Many items written or deleted, 25 in a request, side by side.

use crate::address::Address;
use crate::interrupt::Interrupt;
use crate::reader::{Reader, answered};
use crate::request::{self, Outgoing};
use monotable_item::{EncodedItem, limits};
use monotable_model::model::TableId;

/// Writes items.
pub(super) async fn put_all(
    reader: &Reader<'_>,
    table: TableId,
    items: Vec<EncodedItem>,
) -> Result<(), Interrupt> {
    let mut items: Vec<(Address, EncodedItem)> = items
        .into_iter()
        .filter_map(|item| Some((reader.addressing().locate_view(table, item.view())?, item)))
        .collect();
    let mut requests = Vec::new();
    while !items.is_empty() {
        let rest = items.split_off(items.len().min(limits::MAX_BATCH_WRITE));
        requests.push(request::batch_put(reader.model(), items));
        items = rest;
    }
    send(reader, requests).await
}

/// Deletes items. Of each its key is enough.
pub(super) async fn delete_all(
    reader: &Reader<'_>,
    table: TableId,
    items: &[EncodedItem],
) -> Result<(), Interrupt> {
    let addresses = items.iter();
    let addresses: Vec<Address> = addresses
        .filter_map(|item| reader.addressing().locate_view(table, item.view()))
        .collect();
    let chunks = addresses.chunks(limits::MAX_BATCH_WRITE);
    let requests = chunks.map(|chunk| request::batch_delete(reader.model(), chunk.to_vec()));
    send(reader, requests.collect()).await
}

async fn send(reader: &Reader<'_>, requests: Vec<Outgoing<'static>>) -> Result<(), Interrupt> {
    for answer in reader.steps.send(&requests, Outgoing::clone).await {
        answered(answer)?;
    }
    Ok(())
}
