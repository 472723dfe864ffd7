//! Moves while others write: each race that was once lost, request by request.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod late_change;
mod late_path;
mod left_behind;
mod purged_anew;

use monotable_api::Dynamo;
use monotable_item::Item;
use monotable_store::Store;

fn store(dynamo: impl Dynamo + 'static) -> Store {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/formkiq/model.toml"
    );
    let text = std::fs::read_to_string(path).unwrap();
    Store::new(monotable_check::check(&text).model.unwrap(), dynamo)
        .tenant("default")
        .as_program(Item::new().with("username", "ann"))
}

fn document() -> Item {
    Item::new().with("documentId", "D1")
}
