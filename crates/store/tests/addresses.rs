//! Keys: what a row's own key says counts, and what cannot stand in a key is refused.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use monotable_api::{DynamoExt, PutItemInput};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::{Change, ErrorKind, Store, ViolationKind};
use std::sync::Arc;

const ROLE: &str = "01HZX9KQ7T0000000000000001";

async fn store() -> (Store, Arc<Engine>) {
    let path = format!(
        "{}/../../models/authorization/model.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    let model = monotable_check::check(&text).model.unwrap();
    let engine = Arc::new(Engine::in_memory().unwrap());
    let store = Store::new(model, Arc::clone(&engine));
    store.setup().await.unwrap();
    (store, engine)
}

/// A role that something else wrote: its key says `tenant`, its attribute `global`.
async fn contradictory_role() -> Store {
    let (store, engine) = store().await;
    let role = Item::new()
        .with("PK", "ROLE_SCOPE#tenant")
        .with("SK", "ROLE_NAME#Editor")
        .with("GSI1PK", format!("ROLE#{ROLE}"))
        .with("Type", "Role")
        .with("roleId", ROLE)
        .with("scope", "global")
        .with("name", "Editor");
    let put = PutItemInput::new("Authorization".to_owned(), role);
    engine.put_item(put).await.unwrap();
    store
}

fn key() -> Item {
    Item::new().with("scope", "tenant").with("name", "Editor")
}

#[tokio::test]
async fn a_row_is_read_by_its_key_where_an_attribute_contradicts_it() {
    let store = contradictory_role().await;
    let role = store.get("Role", key()).await.unwrap();
    assert_eq!(role.get("scope"), Some(&"tenant".into()));
}

#[tokio::test]
async fn a_change_of_a_row_that_contradicts_itself_is_refused_and_moves_nothing() {
    let store = contradictory_role().await;
    let change = Change {
        set: Item::new().with("name", "Writer"),
        ..Change::default()
    };
    let error = store.update("Role", key(), change).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Integrity);
    let message = error.to_string();
    for said in ["`scope`", "`global`", "`tenant`"] {
        assert!(message.contains(said), "{message}");
    }
    assert!(store.get("Role", key()).await.is_ok());
}

#[tokio::test]
async fn a_row_that_contradicts_itself_can_be_deleted() {
    let store = contradictory_role().await;
    store.delete("Role", key()).await.unwrap();
    assert!(store.get("Role", key()).await.is_err());
}

#[tokio::test]
async fn verify_reports_an_attribute_that_contradicts_the_key() {
    let store = contradictory_role().await;
    let verification = store.verify().await.unwrap();
    let mut violations = verification.violations.iter();
    assert!(violations.any(|violation| {
        violation.wrong == ViolationKind::Keys && violation.message.contains("`scope`")
    }));
}

#[tokio::test]
async fn a_unique_value_that_cannot_be_normalised_is_refused() {
    let (store, _) = store().await;
    for phone in ["ext. 4711", "abcd", "+1234567890123456"] {
        let user = Item::new()
            .with("email", "ann@example.com")
            .with("phone", phone);
        let error = store.create("User", user).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Validation, "{phone}: {error}");
        assert!(error.to_string().contains("phone"), "{phone}: {error}");
    }
}

#[tokio::test]
async fn callers_cannot_write_keys_of_indexes_or_what_tells_an_entity() {
    let (store, _) = store().await;
    for name in ["GSI1PK", "GSI2SK", "Type", "PK"] {
        let user = Item::new().with("email", "ann@example.com").with(name, "x");
        let error = store.create("User", user).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Validation, "{name}: {error}");
        assert!(error.to_string().contains(name), "{error}");
    }
    let user = Item::new().with("email", "ann@example.com");
    let user = store.create("User", user).await.unwrap();
    for name in ["GSI1PK", "PK"] {
        let key = Item::new().with("userId", user.text("userId"));
        let change = Change {
            set: Item::new().with(name, "x"),
            ..Change::default()
        };
        let error = store.update("User", key, change).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Validation, "{name}: {error}");
    }
}
