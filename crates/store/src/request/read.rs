//! Requests that read items by their keys.

use super::Outgoing;
use crate::address::Address;
use monotable_api::{BatchGetItemInput, GetItemInput, KeysAndAttributes, Request};
use monotable_item::Item;
use monotable_model::model::{Model, TableId};
use std::collections::BTreeMap;

/// Reads one item.
pub(crate) fn get(model: &Model, address: &Address, consistent: bool) -> Outgoing {
    let table = model.table(address.table()).physical.clone();
    let mut input = GetItemInput::new(table, address.encoded_key(model));
    if consistent {
        input = input.consistent();
    }
    Outgoing::new(Request::GetItem(input), vec![address.partition()])
}

/// Reads as many items as DynamoDB takes in one request.
pub(crate) fn batch_get(model: &Model, addresses: &[Address], consistent: bool) -> Outgoing {
    let mut tables: BTreeMap<TableId, Vec<Item>> = BTreeMap::new();
    for address in addresses {
        let keys = tables.entry(address.table()).or_default();
        keys.push(address.key(model));
    }
    let mut input = BatchGetItemInput::default();
    for (table, keys) in tables {
        let mut keys = KeysAndAttributes::new(keys);
        if consistent {
            keys = keys.consistent();
        }
        input = input.and(model.table(table).physical.clone(), keys);
    }
    let partitions = addresses.iter().map(Address::partition).collect();
    Outgoing::new(Request::BatchGetItem(input), partitions)
}
