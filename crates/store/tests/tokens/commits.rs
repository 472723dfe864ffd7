//! New revisions that are named by a token.

use crate::player::Player;
use crate::world::{is_mismatch, with_token};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::{
    AnyOperation, AnyOutput, Commit, CommitAll, Create, Options, Parent, Revert, Rollback, Store,
};
use std::sync::Arc;

async fn world() -> (Arc<Engine>, Store) {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/values/model.toml"
    );
    let text = std::fs::read_to_string(path).unwrap();
    let model = monotable_check::check(&text).model.unwrap();
    let engine = Arc::new(Engine::in_memory().unwrap());
    let store = Store::new(model, Arc::clone(&engine));
    store.setup().await.unwrap();
    let store = store.as_principal(user());
    store
        .run(commit("begin", "d1"), Options::default())
        .await
        .unwrap();
    (engine, store)
}

fn user() -> Item {
    Item::new().with("userId", "u1")
}

fn commit(message: &str, id: &str) -> AnyOperation {
    let driver = Item::new()
        .with("nodeId", id)
        .with("nodeType", "DRIVER")
        .with("title", id);
    let commit = Commit::new("values", user())
        .with("message", message)
        .with("source", "weekly_review")
        .change(AnyOperation::Create(Create {
            entity: "ValuesNode".to_owned(),
            values: driver,
        }));
    AnyOperation::CommitAll(CommitAll {
        commits: vec![commit],
    })
}

async fn messages(store: &Store) -> Vec<String> {
    let page = store.log("values", user()).await.unwrap();
    page.rows
        .iter()
        .map(|row| row.text("message").to_owned())
        .collect()
}

fn revisions(outcome: AnyOutput) -> Vec<String> {
    match outcome {
        AnyOutput::Committed(committed) => committed
            .revisions
            .iter()
            .map(|row| row.text("revId").to_owned())
            .collect(),
        AnyOutput::Row(head) => vec![head.text("headRevId").to_owned()],
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_commit_that_is_said_twice_is_made_once() {
    let (_, store) = world().await;
    let first = store
        .run(commit("more", "d2"), with_token("t"))
        .await
        .unwrap();
    let again = store
        .run(commit("more", "d2"), with_token("t"))
        .await
        .unwrap();
    assert_eq!(revisions(first), revisions(again));
    assert_eq!(messages(&store).await, ["more", "begin"]);
    let other = store.run(commit("other", "d2"), with_token("t")).await;
    assert!(is_mismatch(&other.unwrap_err()));
}

#[tokio::test]
async fn a_commit_that_dies_after_any_request_is_made_once() {
    for requests in 0.. {
        let (engine, store) = world().await;
        let mut player = Player::with(&store, commit("more", "d2"), with_token("t"));
        for _ in 0..requests {
            player.advance(&engine).await;
        }
        let ended = player.outcome().is_some();
        let again = store.run(commit("more", "d2"), with_token("t")).await;
        again.unwrap_or_else(|error| panic!("after {requests} requests: {error}"));
        assert_eq!(
            messages(&store).await,
            ["more", "begin"],
            "after {requests}"
        );
        if ended {
            return;
        }
    }
}

#[tokio::test]
async fn a_rollback_and_a_revert_are_made_once() {
    let (_, store) = world().await;
    let more = store
        .run(commit("more", "d2"), Options::default())
        .await
        .unwrap();
    let more = revisions(more).remove(0);
    let page = store.log("values", user()).await.unwrap();
    let begin = page.rows[1].text("revId").to_owned();
    let rollback = |to: &str| {
        AnyOperation::Rollback(Rollback {
            repository: "values".to_owned(),
            key: user(),
            to: to.to_owned(),
            from: None,
        })
    };
    store
        .run(rollback(&begin), with_token("back"))
        .await
        .unwrap();
    store
        .run(rollback(&more), Options::default())
        .await
        .unwrap();
    // The first call again does not move the head a second time.
    let again = store
        .run(rollback(&begin), with_token("back"))
        .await
        .unwrap();
    assert_eq!(revisions(again), [more]);
    let revert = || {
        AnyOperation::Revert(Revert {
            repository: "values".to_owned(),
            key: user(),
            to: monotable_store::At::Revision(begin.clone()),
            values: Item::new()
                .with("message", "as it was")
                .with("source", "weekly_review"),
            parent: Parent::Head,
        })
    };
    let first = store.run(revert(), with_token("revert")).await.unwrap();
    let again = store.run(revert(), with_token("revert")).await.unwrap();
    assert_eq!(revisions(first), revisions(again));
    assert_eq!(messages(&store).await, ["as it was", "more", "begin"]);
}
