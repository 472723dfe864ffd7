//! No row stands where the store's own items do, and no read leads there.

use crate::world::process;
use monotable_api::{DynamoExt, ScanInput};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::ErrorKind;
use std::sync::Arc;

/// Rows whose whole key is a text of the caller's.
const ANYTHING: &str = r#"
monotable = 1
model     = "anything"
open      = true

[table.Tab1]
name = "Things"
key  = ["PK", "SK"]

[entity.Thing]
key  = ["{id}", "{part}"]
owns = ["parts"]

[entity.Thing.attributes]
id   = "text(1..200)"
part = "text(1..200)"

[access.parts]
key     = ["{id}"]
returns = ["Thing"]
"#;

fn thing(id: &str) -> Item {
    Item::new().with("id", id).with("part", "monotable#store")
}

#[tokio::test]
async fn a_value_that_looks_like_a_reserved_key_is_refused() {
    let engine = Arc::new(Engine::in_memory().unwrap());
    let store = process(ANYTHING, Arc::clone(&engine));
    store.setup().await.unwrap();
    let token = format!("x/monotable#token#{}", "0a".repeat(32));
    for id in ["monotable#store", "monotable#other", token.as_str()] {
        let errors = [
            store.create("Thing", thing(id)).await.unwrap_err(),
            store.put("Thing", thing(id)).await.unwrap_err(),
            store.get("Thing", thing(id)).await.unwrap_err(),
            store.delete("Thing", thing(id)).await.unwrap_err(),
        ];
        for error in errors {
            assert_eq!(error.kind(), ErrorKind::Validation, "{id}: {error}");
        }
    }
    store.create("Thing", thing("monotable")).await.unwrap();
    let output = engine.scan(ScanInput::new("Things")).await.unwrap();
    assert_eq!(
        output.items.unwrap().len(),
        2,
        "one thing, and the store's own item"
    );
}

#[tokio::test]
async fn a_pattern_does_not_show_the_stores_own_items() {
    let engine = Arc::new(Engine::in_memory().unwrap());
    let store = process(ANYTHING, Arc::clone(&engine));
    store.setup().await.unwrap();
    let values = thing("a");
    store.create("Thing", values).token("t").await.unwrap();
    let output = engine.scan(ScanInput::new("Things")).await.unwrap();
    for item in output.items.unwrap() {
        let item = item.to_item();
        let Some(monotable_item::AttributeValue::S(id)) = item.get("PK") else {
            panic!("{item:?}");
        };
        let page = store
            .query("parts", Item::new().with("id", id.as_str()))
            .await;
        let own = id.starts_with("monotable#");
        match page {
            Ok(page) => assert_eq!(
                (page.rows.len(), page.unknown.len()),
                (usize::from(!own), 0)
            ),
            Err(error) => assert!(own, "{error}"),
        }
    }
    let found = store.verify().await.unwrap();
    assert_eq!(
        (found.rows, found.unknown, found.violations.len()),
        (1, 0, 0)
    );
}
