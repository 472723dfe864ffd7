//! Calls that die after each of their requests and are made again under the same token.

use crate::player::Player;
use crate::replays::begin;
use crate::world::{World, create, delete, key, named, one_more, partition, update, with_token};
use monotable_api::{DynamoExt, PutItemInput};
use monotable_item::{AttributeValue, Item};
use monotable_store::{AnyOperation, MoveRow, Transact};

/// Rows as they are, without what differs with each id and secret.
async fn essence(world: &World) -> Vec<String> {
    let rows = world.rows().await;
    let mut shown: Vec<_> = rows
        .into_iter()
        .map(|mut row| {
            for name in ["id", "secret"] {
                row.remove(name);
            }
            if let Some(AttributeValue::S(sort)) = row.get("SK")
                && sort.starts_with("EVENT#")
            {
                row.remove("SK");
            }
            format!("{row:?}")
        })
        .collect();
    shown.sort();
    shown
}

async fn filled(files: usize) -> World {
    let world = World::new().await;
    begin(&world).await;
    for file in 0..files {
        let values = Item::new()
            .with("folder", "f")
            .with("file", format!("n{file}"));
        world.store.create("File", values).await.unwrap();
    }
    world
}

/// A document with so many pages.
async fn document(pages: usize) -> World {
    let world = World::new().await;
    let doc = || Item::new().with("doc", "d");
    world.store.create("Doc", doc()).await.unwrap();
    for page in 0..pages {
        let values = doc().with("page", format!("p{page}"));
        world.store.create("Page", values).await.unwrap();
    }
    world
}

fn step(name: &str) -> AnyOperation {
    AnyOperation::MoveRow(MoveRow {
        name: name.to_owned(),
        key: Item::new().with("doc", "d"),
        set: Item::new(),
    })
}

#[tokio::test]
async fn moves_of_whole_collections() {
    let steps = ["throw_away", "restore", "throw_away", "burn"];
    for requests in 0.. {
        let world = document(70).await;
        let mut ended = true;
        let mut counts = Vec::new();
        for (position, name) in steps.into_iter().enumerate() {
            let token = format!("t{position}");
            let mut player = Player::with(&world.store, step(name), with_token(&token));
            for _ in 0..requests {
                player.advance(&world.engine).await;
            }
            ended &= player.outcome().is_some();
            for _ in 0..2 {
                let again = world.store.run(step(name), with_token(&token)).await;
                again.unwrap_or_else(|error| panic!("{name} after {requests}: {error}"));
            }
            let rows = world.rows().await;
            let live = rows.iter().filter(|row| partition(row) == "DOC#d");
            counts.push((live.count(), rows.len()));
            world.check().await;
        }
        assert_eq!(
            counts,
            [(0, 71), (71, 71), (0, 71), (0, 0)],
            "after {requests}"
        );
        if ended {
            return;
        }
    }
}

/// Whenever the first call dies, the second makes the table what one call makes of it.
async fn repeated(operation: impl Fn() -> AnyOperation, files: usize) {
    let whole = filled(files).await;
    let call = whole.store.run(operation(), with_token("t"));
    call.await.unwrap();
    let wanted = essence(&whole).await;
    for requests in 0.. {
        let world = filled(files).await;
        let mut player = Player::with(&world.store, operation(), with_token("t"));
        for _ in 0..requests {
            player.advance(&world.engine).await;
        }
        let ended = player.outcome().is_some();
        let again = world.store.run(operation(), with_token("t")).await;
        again.unwrap_or_else(|error| panic!("after {requests} requests: {error}"));
        assert_eq!(essence(&world).await, wanted, "after {requests} requests");
        world.check().await;
        if ended {
            return;
        }
    }
}

#[tokio::test]
async fn a_create() {
    repeated(|| create("Event", Item::new().with("what", "once")), 0).await;
    repeated(|| create("Key", key("new")), 0).await;
}

#[tokio::test]
async fn an_update_that_adds() {
    repeated(|| update("Key", named("k"), one_more()), 0).await;
}

#[tokio::test]
async fn a_delete_of_one_transaction() {
    repeated(|| delete("Folder", Item::new().with("folder", "f")), 3).await;
}

#[tokio::test]
async fn a_delete_of_many_chunks() {
    repeated(|| delete("Folder", Item::new().with("folder", "f")), 210).await;
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
    repeated(to_board, 0).await;
}

#[tokio::test]
async fn a_delete_that_died_before_it_looked_for_late_rows_looks_when_it_is_said_again() {
    for transact in [false, true] {
        let world = filled(2).await;
        let folder = || delete("Folder", Item::new().with("folder", "f"));
        let operation = || match transact {
            true => AnyOperation::Transact(Transact {
                operations: vec![folder()],
            }),
            false => folder(),
        };
        let mut player = Player::with(&world.store, operation(), with_token("t"));
        while world.tokens().await.is_empty() {
            player.advance(&world.engine).await;
        }
        // A file that was on its way when the folder was read.
        let late = Item::new()
            .with("PK", "FOLDER#f")
            .with("SK", "FILE#late")
            .with("folder", "f")
            .with("file", "late");
        let put = PutItemInput::new("Vault", late);
        world.engine.put_item(put).await.unwrap();
        let again = world.store.run(operation(), with_token("t")).await;
        again.unwrap();
        let rows = world.rows().await;
        assert!(
            rows.iter().all(|row| partition(row) != "FOLDER#f"),
            "{rows:?}"
        );
    }
}

#[tokio::test]
async fn a_transaction() {
    let transact = || {
        AnyOperation::Transact(Transact {
            operations: vec![
                create("Event", Item::new().with("what", "once")),
                update("Key", named("k"), one_more()),
                delete("Folder", Item::new().with("folder", "f")),
            ],
        })
    };
    repeated(transact, 3).await;
}
