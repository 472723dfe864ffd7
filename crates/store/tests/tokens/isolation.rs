//! Tokens of callers that may touch their own partitions only.

use crate::world::{partition, with_token};
use monotable_api::{DynamoExt, ScanInput};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::{AnyOperation, AnyOutput, Create, ErrorKind, Store};
use std::sync::Arc;

fn diary(partitions: &str) -> String {
    format!(
        r#"
        monotable = 1
        model     = "diary"
        [principal]
        userId = "text, matches = /[a-z0-9]{{1,64}}/"
        [isolation]
        partitions = [{partitions}]
        [table.Diary]
        key = ["PK", "SK"]
        [entity.Day]
        key = ["U#{{userId}}", "DAY#{{date}}"]
        [entity.Day.attributes]
        userId = "text, matches = /[a-z0-9]{{1,64}}/"
        date   = "date"
        text   = "text"
        [access.days]
        key     = ["U#{{userId}}", "DAY#*"]
        returns = ["Day"]
        "#
    )
}

async fn store(partitions: &str) -> (Arc<Engine>, Store) {
    let checked = monotable_check::check(&diary(partitions));
    let model = checked
        .model
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    let engine = Arc::new(Engine::in_memory().unwrap());
    let store = Store::new(model, Arc::clone(&engine));
    store.setup().await.unwrap();
    (engine, store)
}

fn day(user: &str) -> Item {
    Item::new()
        .with("userId", user)
        .with("date", "2026-01-23")
        .with("text", "rain")
}

#[tokio::test]
async fn a_token_stands_in_a_partition_of_its_caller() {
    let (engine, store) = store(r#""U#{principal.userId}", "U#{principal.userId}#*""#).await;
    let ann = store.as_principal(Item::new().with("userId", "ann"));
    let first = ann.create("Day", day("ann")).token("t").await.unwrap();
    let again = ann.create("Day", day("ann")).token("t").await.unwrap();
    assert_eq!(first, again);
    let output = engine.scan(ScanInput::new("Diary")).await.unwrap();
    let items: Vec<Item> = output
        .items
        .unwrap()
        .iter()
        .map(|item| item.to_item())
        .collect();
    let tokens = items
        .iter()
        .filter(|item| partition(item).contains("monotable#token#"));
    let keys: Vec<_> = tokens.map(partition).collect();
    assert_eq!(keys.len(), 1);
    assert!(keys[0].starts_with("U#ann#monotable#token#"), "{keys:?}");
    let verified = store.verify().await.unwrap();
    assert_eq!((verified.rows, verified.unknown), (1, 0));
    // The program is bound to no partition, and neither are its tokens.
    let create = AnyOperation::Create(Create {
        entity: "Day".to_owned(),
        values: day("bob"),
    });
    for _ in 0..2 {
        let outcome = store.run(create.clone(), with_token("t")).await.unwrap();
        assert!(matches!(outcome, AnyOutput::Row(row) if row.text("userId") == "bob"));
    }
}

#[tokio::test]
async fn without_an_open_partition_there_are_no_tokens() {
    let (engine, store) = store(r#""U#{principal.userId}""#).await;
    let ann = store.as_principal(Item::new().with("userId", "ann"));
    let error = ann.create("Day", day("ann")).token("t").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.to_string().contains("[isolation]"), "{error}");
    ann.create("Day", day("ann")).await.unwrap();
    let output = engine.scan(ScanInput::new("Diary")).await.unwrap();
    let items = output.items.unwrap();
    let days = items
        .iter()
        .filter(|item| partition(&item.to_item()) == "U#ann");
    assert_eq!(days.count(), 1);
}
