//! Refusals say what was given, what is wanted, which clause of the model says so, and what to do next.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Model;
use monotable_store::{Commit, Create, Error, Store};
use std::sync::Arc;

fn model(name: &str) -> Model {
    let folder = env!("CARGO_MANIFEST_DIR");
    let path = format!("{folder}/../../models/{name}/model.toml");
    let text = std::fs::read_to_string(path).unwrap();
    monotable_model::read(&text).model.unwrap()
}

async fn store(name: &str) -> Store {
    let store = Store::new(model(name), Engine::in_memory().unwrap());
    store.setup().await.unwrap();
    store
}

fn assert_says(error: &Error, parts: &[&str]) {
    let message = error.to_string();
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
}

#[tokio::test]
async fn a_value_of_the_wrong_kind_is_shown() {
    let store = store("authorization").await;
    let role = Item::new().with("scope", "team").with("name", "admin");
    let error = store.create("Role", role).await.unwrap_err();
    assert_says(&error, &["`scope`", "tenant | global", "given is \"team\""]);
}

#[tokio::test]
async fn a_secret_of_the_wrong_kind_is_not_shown() {
    let store = store("yggdrasil").await;
    let user = Item::new()
        .with("Email", "a@example.com")
        .with("PasswordHash", 12345);
    let error = store.create("User", user).await.unwrap_err();
    assert!(!error.to_string().contains("12345"), "{error}");
}

#[tokio::test]
async fn a_reserved_name_is_called_reserved() {
    let store = store("processproof").await;
    let resource = Item::new().with("_resourceType", "Job").with("_foo", "x");
    let error = store.create("Resource", resource).await.unwrap_err();
    assert_says(&error, &["`_foo`", "reserves the name"]);
}

#[tokio::test]
async fn an_empty_text_is_called_empty() {
    let store = store("yggdrasil").await;
    let tree = Item::new().with("UserId", "u").with("TreeName", "");
    let error = store.create("Tree", tree).await.unwrap_err();
    assert_says(&error, &["`TreeName` must not be empty", "leave it out"]);
}

#[tokio::test]
async fn an_unknown_attribute_is_refused_with_those_that_there_are() {
    let store = store("yggdrasil").await;
    let tree = Item::new().with("UserId", "u").with("Name", "Oak");
    let error = store.create("Tree", tree).await.unwrap_err();
    assert_says(&error, &["`Name`", "`TreeName`"]);
    let error = store.query("persons_of_tree", Item::new().with("Tree", "t"));
    assert_says(&error.await.unwrap_err(), &["`Tree`", "it has `TreeId`"]);
}

#[tokio::test]
async fn what_is_required_says_which_clause_requires_it() {
    let store = store("yggdrasil").await;
    let user = Item::new().with("Email", "a@example.com");
    let error = store.create("User", user).await.unwrap_err();
    assert_says(
        &error,
        &["`PasswordHash` is required", "setting.auth = 'local'"],
    );
}

#[tokio::test]
async fn what_the_model_takes_from_the_caller_asks_for_one() {
    let store = store("formkiq").await.tenant("finance");
    let key = Item::new()
        .with("name", "ci")
        .with("permissions", AttributeValue::L(vec!["READ".into()]));
    let error = store.create("ApiKey", key).await.unwrap_err();
    assert_says(&error, &["`userId` is required", "--as", "principal"]);
}

#[tokio::test]
async fn a_check_says_what_it_looked_for() {
    let store = store("values").await;
    let change = |id: &str, kind: &str, driver: Option<&str>| {
        let node = Item::new().with("nodeId", id).with("nodeType", kind);
        let mut values = node.with("title", id);
        if let Some(driver) = driver {
            values.insert("driverId", driver);
        }
        let entity = "ValuesNode".to_owned();
        Create { entity, values }
    };
    let commit = Commit::new("values", Item::new().with("userId", "u"))
        .with("message", "first")
        .with("source", "weekly_review")
        .change(change("d1", "DRIVER", None))
        .change(change("a1", "ACTION", Some("d1")));
    let error = store.call(commit).await.unwrap_err();
    let parts = [
        "`primary_parent`",
        "`children_of_node`",
        "`parentNodeId` \"d1\"",
        "`childNodeId`",
        "\"a1\"",
    ];
    assert_says(&error, &parts);
}

#[tokio::test]
async fn a_key_of_an_index_that_is_wrong_is_shown_with_the_right_one() {
    let engine = Arc::new(Engine::in_memory().unwrap());
    let store = Store::new(model("yggdrasil"), Arc::clone(&engine));
    store.setup().await.unwrap();
    let user = Item::new()
        .with("UserId", "u")
        .with("Email", "u@example.com");
    let user = user.with("PasswordHash", "correct horse");
    store.create("User", user).await.unwrap();
    let key = Item::new().with("PK", "USER#u").with("SK", "PROFILE");
    let change = monotable_api::UpdateItemInput::new("Yggdrasil", key);
    let change = change.update("SET GSI3PK = :k").value(":k", "USER#v");
    engine.update_item(change).unwrap();
    let found = store.verify().await.unwrap().violations;
    let messages: Vec<_> = found.iter().map(|found| found.message.clone()).collect();
    let message = messages.join("\n");
    for part in ["`GSI3PK`", "\"USER#v\"", "\"USER#u\""] {
        assert!(message.contains(part), "{message}");
    }
}
