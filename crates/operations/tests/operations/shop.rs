//! A small model with unique values, references, counters and generated ids.

use monotable_api::{Dynamo, ScanInput};
use monotable_engine::Engine;
use monotable_item::{EncodedItem, Item};
use monotable_operations::StoreIdentity;
use monotable_store::Store;

pub(crate) const MODEL: &str = r##"
monotable = 1
model     = "shop"

[table.Shop]
key = ["PK", "SK"]

[entity.Customer]
key = ["CUSTOMER#{customerId}", "CUSTOMER"]

[entity.Customer.attributes]
customerId = "text, matches = /[a-z0-9]{1,20}/"
email      = "text(3..60)"
orders     = "integer(0..), default = 0"
tags       = "[text]?"
vip        = "boolean?"

[entity.Customer.unique.Email]
key = "EMAIL#{email:lower}"

[entity.Order]
key = ["CUSTOMER#{customerId}", "ORDER#{orderId}"]

[entity.Order.attributes]
customerId = "-> Customer, on_delete = cascade, counted = orders"
orderId    = "ulid, generated"
total      = "number(0..)"
"##;

pub(crate) fn store(dynamo: impl Dynamo + 'static) -> Store {
    store_of(MODEL, dynamo)
}

pub(crate) fn store_of(model: &str, dynamo: impl Dynamo + 'static) -> Store {
    let read = monotable_model::read(model);
    let model = read
        .model
        .unwrap_or_else(|| panic!("{:?}", read.diagnostics));
    Store::new(model, dynamo)
}

/// The items of the table without the store's own, without what is random, in order.
pub(crate) fn items(engine: &Engine) -> Vec<Item> {
    let scanned = engine.scan(ScanInput::new("Shop")).unwrap();
    let items = scanned.items.unwrap_or_default();
    let items = items.iter().map(EncodedItem::to_item);
    let mut items: Vec<Item> = items
        .filter(|item| !format!("{:?}", item.get("PK")).contains("monotable#"))
        .collect();
    items.sort_by_key(|item| format!("{item:?}"));
    items
}

/// A store that was never made anew.
pub(crate) fn identity(place: &str) -> StoreIdentity {
    StoreIdentity {
        place: place.to_owned(),
        tables: vec![format!("table of {place}")],
    }
}
