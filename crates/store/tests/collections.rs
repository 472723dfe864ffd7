//! Soft deletes, restores, purges and deletes of a document with many rows, which break off at every request.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

#[path = "repositories/player.rs"]
mod player;

use monotable_api::{DynamoExt, ScanInput};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_store::{AnyOperation, Create, Delete, ErrorKind, MoveRow, Options, Store};
use player::Player;
use std::sync::Arc;

/// Rows of the document beside its own.
const ROWS: usize = 60;

struct World {
    engine: Arc<Engine>,
    store: Store,
}

fn document() -> Item {
    Item::new().with("documentId", "D1")
}

fn named(name: &str) -> AnyOperation {
    AnyOperation::MoveRow(MoveRow {
        name: name.to_owned(),
        key: document(),
        set: Item::new(),
    })
}

fn delete() -> AnyOperation {
    AnyOperation::Delete(Delete {
        entity: "Document".to_owned(),
        key: document(),
    })
}

impl World {
    /// A document of a site with tags, actions, rows that the model does not know, and a folder.
    async fn new() -> Self {
        let engine = Arc::new(Engine::in_memory().unwrap());
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../models/formkiq/model.toml"
        );
        let text = std::fs::read_to_string(path).unwrap();
        let model = monotable_check::check(&text).model.unwrap();
        let store = Store::new(model, Arc::clone(&engine))
            .as_principal(
                Item::new()
                    .with("username", "ann")
                    .with("groups", AttributeValue::L(vec!["Admins".into()])),
            )
            .tenant("finance");
        store.setup().await.unwrap();
        let values = document().with("path", "Legal/2025/a.pdf").with("md#x", 7);
        store.create("Document", values).await.unwrap();
        for number in 0..ROWS - 2 {
            let tag = document()
                .with("tagKey", format!("k{number}"))
                .with("tagValue", "softdelete#value");
            store.create("DocumentTag", tag).await.unwrap();
        }
        let world = Self { engine, store };
        for number in 0..2 {
            let row = Item::new()
                .with("PK", "finance/docs#D1")
                .with("SK", format!("mystery#{number}"))
                .with("GSI1PK", "finance/mystery")
                .with("GSI1SK", "softdelete#1")
                .with("answer", 42);
            let put = monotable_api::PutItemInput::new("main", row);
            world.engine.put_item(put).await.unwrap();
        }
        world
    }

    /// The items whose partition keys begin so, of the main table.
    async fn items(&self, prefix: &str) -> Vec<Item> {
        let output = self.engine.scan(ScanInput::new("main")).await.unwrap();
        let items = output.items.unwrap().into_iter().map(|item| item.to_item());
        let ours = |item: &Item| match item.get("PK") {
            Some(AttributeValue::S(pk)) => pk.starts_with(prefix),
            _ => false,
        };
        items.filter(ours).collect()
    }

    /// Runs an operation that dies after so many requests. True: it came to its end.
    async fn dies(&self, operation: AnyOperation, requests: usize) -> bool {
        let mut player = Player::new(&self.store, operation);
        for _ in 0..requests {
            player.advance(&self.engine).await;
        }
        player.outcome().is_some()
    }

    /// The same call again ends it; it may have ended.
    async fn again(&self, operation: AnyOperation) {
        if let Err(error) = self.store.run(operation, Options::default()).await {
            assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
        }
    }
}

const LIVE: &str = "finance/docs#D1";
const AWAY: &str = "finance/softdelete#";

#[tokio::test]
async fn a_soft_delete_and_a_restore_may_die_at_every_request() {
    let mut away = Vec::new();
    for requests in 0.. {
        let world = World::new().await;
        let before = world.items("finance/").await;
        let ended = world.dies(named("soft_delete"), requests).await;
        world.again(named("soft_delete")).await;
        assert_eq!(
            world.items(LIVE).await.len(),
            0,
            "after {requests} requests"
        );
        let moved = world.items(AWAY).await;
        assert_eq!(moved.len(), ROWS + 1, "after {requests} requests");
        let ended_back = world.dies(named("restore"), requests).await;
        world.again(named("restore")).await;
        let after = world.items("finance/").await;
        assert_eq!(
            without_times(&before),
            without_times(&after),
            "after {requests} requests"
        );
        away.push(moved.len());
        if ended && ended_back {
            return;
        }
    }
}

/// The leaf of the path is made again: its times are new.
fn without_times(items: &[Item]) -> Vec<Item> {
    let items = items.iter().map(|item| {
        let mut item = item.clone();
        let leaf = matches!(item.get("SK"), Some(AttributeValue::S(sk)) if sk.starts_with("fi#"));
        if leaf {
            item.remove("inserteddate");
            item.remove("lastModifiedDate");
        }
        item
    });
    items.collect()
}

#[tokio::test]
async fn a_delete_with_all_its_rows_may_die_at_every_request() {
    for requests in 0.. {
        let world = World::new().await;
        let ended = world.dies(delete(), requests).await;
        world.again(delete()).await;
        assert_eq!(
            world.items(LIVE).await.len(),
            0,
            "after {requests} requests"
        );
        if ended {
            return;
        }
    }
}

#[tokio::test]
async fn a_purge_may_die_at_every_request() {
    for requests in 0.. {
        let world = World::new().await;
        world
            .store
            .run(named("soft_delete"), Options::default())
            .await
            .unwrap();
        let ended = world.dies(named("purge"), requests).await;
        world.again(named("purge")).await;
        assert_eq!(
            world.items(AWAY).await.len(),
            0,
            "after {requests} requests"
        );
        if ended {
            return;
        }
    }
}

#[tokio::test]
async fn a_writer_leaves_nothing_behind_a_move() {
    for requests in 0..40 {
        let world = World::new().await;
        let mut moving = Player::new(&world.store, named("soft_delete"));
        for _ in 0..requests {
            moving.advance(&world.engine).await;
        }
        let late = AnyOperation::Create(Create {
            entity: "DocumentTag".to_owned(),
            values: document().with("tagKey", "late"),
        });
        let written = world.store.run(late, Options::default()).await;
        moving.finish(&world.engine).await.unwrap();
        let left = world.items(LIVE).await;
        assert_eq!(left.len(), 0, "after {requests} requests: {left:?}");
        let moved = world.items(AWAY).await.len();
        assert_eq!(moved, ROWS + 1 + usize::from(written.is_ok()));
    }
}
