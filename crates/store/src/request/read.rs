//! Requests that read items by their keys.

use super::{Outgoing, Touched};
use crate::address::Address;
use monotable_api::{BatchGetItemInput, GetItemInput, KeysAndAttributes, Request};
use monotable_item::Item;
use monotable_model::model::{Model, TableId};
use std::collections::BTreeMap;

/// Reads one item.
pub(crate) fn get<'a>(model: &Model, address: &'a Address, consistent: bool) -> Outgoing<'a> {
    let table = model.table(address.table()).physical.clone();
    let mut input = GetItemInput::new(table, address.encoded_key(model));
    if consistent {
        input = input.consistent();
    }
    Outgoing::new(Request::GetItem(input), Touched::Item(address))
}

/// Reads some attributes of one item.
pub(crate) fn get_attributes<'a>(
    model: &Model,
    address: &'a Address,
    consistent: bool,
    attributes: &[String],
) -> Outgoing<'a> {
    let Outgoing { request, touches } = get(model, address, consistent);
    let Request::GetItem(mut input) = request else {
        return Outgoing { request, touches };
    };
    input.projection_expression = Some(projection_text(attributes));
    for (placeholder, name) in projection_names(attributes) {
        input = input.name(placeholder, name);
    }
    let request = Request::GetItem(input);
    Outgoing { request, touches }
}

/// A projection on some attributes.
pub(super) fn projection_text(attributes: &[String]) -> String {
    let names = projection_names(attributes);
    let placeholders: Vec<_> = names.map(|(placeholder, _)| placeholder).collect();
    placeholders.join(", ")
}

/// The placeholders of a projection: names may be words of DynamoDB's.
pub(super) fn projection_names(attributes: &[String]) -> impl Iterator<Item = (String, &str)> {
    let numbered = attributes.iter().zip(1..);
    numbered.map(|(name, number)| (format!("#p{number}"), name.as_str()))
}

/// Reads as many items as DynamoDB takes in one request.
pub(crate) fn batch_get<'a>(
    model: &Model,
    addresses: &'a [Address],
    consistent: bool,
) -> Outgoing<'a> {
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
    let touches = Touched::Items(addresses.iter().collect());
    Outgoing::new(Request::BatchGetItem(input), touches)
}
