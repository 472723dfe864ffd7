//! One call that is sent twice at once, in every order of their requests.

use crate::player::Player;
use crate::replays::begin;
use crate::world::{World, create, delete, key, named, one_more, update, with_token};
use monotable_item::Item;
use monotable_store::{AnyOperation, AnyOutput, MoveRow};

/// Runs an operation that is overtaken by itself after each of its requests. Both calls must answer the same, and the
/// table must be what one call leaves.
async fn overtaken(operation: impl Fn() -> AnyOperation, masked: bool) {
    for requests in 0.. {
        let world = World::new().await;
        begin(&world).await;
        let mut slow = Player::with(&world.store, operation(), with_token("t"));
        for _ in 0..requests {
            slow.advance(&world.engine).await;
        }
        let ended = slow.outcome();
        let fast = world.store.run(operation(), with_token("t")).await;
        let fast = fast.unwrap_or_else(|error| panic!("after {requests}: {error}"));
        let after = world.items().await;
        let slow_answer = match ended.is_some() {
            true => ended.unwrap(),
            false => slow.finish(&world.engine).await,
        };
        let slow_answer = slow_answer.unwrap_or_else(|error| panic!("after {requests}: {error}"));
        assert_eq!(world.items().await, after, "after {requests}");
        assert_eq!(world.tokens().await.len(), 1);
        world.check().await;
        let rows = |outcome: &AnyOutput| match outcome {
            AnyOutput::Row(row) => row.values.clone(),
            other => panic!("{other:?}"),
        };
        if !masked {
            assert_eq!(rows(&fast), rows(&slow_answer), "after {requests}");
        }
        if matches!(slow_answer, AnyOutput::Row(_)) && requests > 12 {
            return;
        }
    }
}

#[tokio::test]
async fn a_create_with_a_made_id() {
    overtaken(|| create("Event", Item::new().with("what", "once")), false).await;
}

#[tokio::test]
async fn a_create_with_a_given_id() {
    overtaken(|| create("Key", key("new")), true).await;
}

#[tokio::test]
async fn an_update_that_adds() {
    overtaken(|| update("Key", named("k"), one_more()), false).await;
}

#[tokio::test]
async fn a_delete_with_what_goes_with_it() {
    overtaken(|| delete("Folder", Item::new().with("folder", "f")), true).await;
}

#[tokio::test]
async fn a_move() {
    let to_board = || {
        AnyOperation::MoveRow(MoveRow {
            name: "to_board".to_owned(),
            key: Item::new().with("board", "one").with("card", "c"),
            set: Item::new().with("board", "two"),
        })
    };
    overtaken(to_board, false).await;
}

#[tokio::test]
async fn many_at_once() {
    let world = World::new().await;
    world.store.create("Key", key("k")).await.unwrap();
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let store = world.store.clone();
        calls.spawn(async move {
            let more = store.update("Key", named("k"), one_more()).token("t");
            more.await.unwrap().get("uses").cloned()
        });
    }
    while let Some(uses) = calls.join_next().await {
        assert_eq!(uses.unwrap(), Some(1.into()));
    }
}
