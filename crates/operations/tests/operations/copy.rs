//! From one DynamoDB to another.

use crate::faults::Dying;
use crate::shop;
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_operations::{Copier, CopyOptions, CopyPlace, Follower, StoreIdentity};
use monotable_store::{Change, Store};
use std::path::Path;
use std::time::{Duration, Instant};

fn customer(number: usize) -> Item {
    Item::new()
        .with("customerId", format!("c{number}"))
        .with("email", format!("c{number}@example.com"))
}

async fn filled(customers: usize) -> (Engine, Store) {
    let engine = Engine::in_memory().unwrap();
    let store = shop::store(engine.clone());
    store.setup().await.unwrap();
    for number in 0..customers {
        store.create("Customer", customer(number)).await.unwrap();
    }
    (engine, store)
}

async fn empty() -> (Engine, Store) {
    filled(0).await
}

fn open(file: &Path) -> CopyPlace {
    CopyPlace::open(file, &shop::identity("a"), &shop::identity("b")).unwrap()
}

const OPTIONS: CopyOptions = CopyOptions {
    segments: 3,
    rate: None,
};

#[tokio::test]
async fn a_copy_has_the_same_items() {
    let (from_engine, from) = filled(50).await;
    let (to_engine, to) = empty().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("progress");
    let copier = Copier::new(&from, &to, OPTIONS);
    assert_eq!(copier.copy(open(&file), &|_| {}).await.unwrap(), 100);
    assert_eq!(shop::items(&to_engine), shop::items(&from_engine));
    assert_eq!(copier.verify(&|_| {}).await.unwrap(), []);
    // What is copied is not copied again.
    assert!(open(&file).is_begun());
    assert_eq!(copier.copy(open(&file), &|_| {}).await.unwrap(), 0);
    from.create("Customer", customer(50)).await.unwrap();
    let differences = copier.verify(&|_| {}).await.unwrap();
    assert_eq!(differences[0].wanted.items, differences[0].found.items + 2);
    let other = CopyPlace::open(&file, &shop::identity("a"), &shop::identity("c")).unwrap_err();
    assert!(
        other.to_string().contains("is of the copy from a to b"),
        "{other}"
    );
}

#[tokio::test]
async fn a_copy_to_tables_that_were_made_anew_begins_anew() {
    let (_, from) = filled(20).await;
    let (_, to) = empty().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("progress");
    let source = StoreIdentity::read("a", &from).await.unwrap();
    let before = StoreIdentity::read("b", &to).await.unwrap();
    let place = CopyPlace::open(&file, &source, &before).unwrap();
    Copier::new(&from, &to, OPTIONS)
        .copy(place, &|_| {})
        .await
        .unwrap();
    let (to_engine, to) = empty().await;
    let after = StoreIdentity::read("b", &to).await.unwrap();
    let place = CopyPlace::open(&file, &source, &after).unwrap();
    assert!(!place.is_begun());
    let copier = Copier::new(&from, &to, OPTIONS);
    assert_eq!(copier.copy(place, &|_| {}).await.unwrap(), 40);
    assert_eq!(shop::items(&to_engine).len(), 40);
}

#[tokio::test]
async fn two_copies_at_once_do_not_disturb_each_other() {
    let (from_engine, from) = filled(60).await;
    let (to_engine, to) = empty().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("progress");
    // The file that another process writes before it renames it.
    let other = folder.path().join("progress.unfinished");
    std::fs::create_dir(&other).unwrap();
    let copier = Copier::new(&from, &to, OPTIONS);
    copier.copy(open(&file), &|_| {}).await.unwrap();
    assert_eq!(shop::items(&to_engine), shop::items(&from_engine));
}

#[tokio::test]
async fn a_copy_that_is_killed_at_any_request_goes_on() {
    let (from_engine, _) = filled(60).await;
    let wanted = shop::items(&from_engine);
    for is_source in [false, true] {
        for requests in 0..300 {
            let (to_engine, _) = empty().await;
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("progress");
            let is_lost = requests % 2 == 0;
            let dying = |engine: &Engine, dies: bool| {
                if dies {
                    shop::store(Dying::new(engine.clone(), requests, is_lost))
                } else {
                    shop::store(engine.clone())
                }
            };
            let (from, to) = (
                dying(&from_engine, is_source),
                dying(&to_engine, !is_source),
            );
            let first = Copier::new(&from, &to, OPTIONS)
                .copy(open(&file), &|_| {})
                .await;
            let (from, to) = (
                shop::store(from_engine.clone()),
                shop::store(to_engine.clone()),
            );
            let copier = Copier::new(&from, &to, OPTIONS);
            copier.copy(open(&file), &|_| {}).await.unwrap();
            assert_eq!(
                shop::items(&to_engine),
                wanted,
                "killed at request {requests}"
            );
            assert_eq!(copier.verify(&|_| {}).await.unwrap(), []);
            if first.is_ok() {
                break;
            }
            assert!(requests < 299, "it never ends");
        }
    }
}

#[tokio::test]
async fn changes_are_followed_until_the_switch() {
    let model = shop::MODEL.replace(
        "key = [\"PK\", \"SK\"]",
        "key = [\"PK\", \"SK\"]\nstream = \"keys\"",
    );
    let from_engine = Engine::in_memory().unwrap();
    let from = shop::store_of(&model, from_engine.clone());
    from.setup().await.unwrap();
    for number in 0..20 {
        from.create("Customer", customer(number)).await.unwrap();
    }
    let (to_engine, to) = empty().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("progress");
    let copier = Copier::new(&from, &to, OPTIONS);
    copier.copy(open(&file), &|_| {}).await.unwrap();
    let mut follower = Follower::new(&from, &to, open(&file)).await.unwrap();
    let began = Instant::now();
    for round in 0..4 {
        from.create("Customer", customer(100 + round))
            .await
            .unwrap();
        let key = |n: usize| Item::new().with("customerId", format!("c{n}"));
        from.delete("Customer", key(round)).await.unwrap();
        let changes = Change {
            set: Item::new().with("email", format!("new{round}@example.com")),
            ..Change::default()
        };
        from.update("Customer", key(10 + round), changes)
            .await
            .unwrap();
        if round == 2 {
            // A follower that was ended goes on behind the last record.
            follower = Follower::new(&from, &to, open(&file)).await.unwrap();
        }
        while shop::items(&to_engine) != shop::items(&from_engine) {
            follower.follow_once().await.unwrap();
            assert!(
                began.elapsed() < Duration::from_secs(60),
                "it never catches up"
            );
        }
    }
    assert_eq!(copier.verify(&|_| {}).await.unwrap(), []);
}

#[tokio::test]
async fn a_source_without_a_stream_cannot_be_followed() {
    let (_, from) = empty().await;
    let (_, to) = empty().await;
    let folder = tempfile::tempdir().unwrap();
    let place = open(&folder.path().join("p"));
    let refused = Follower::new(&from, &to, place).await.unwrap_err();
    assert!(refused.to_string().contains("has no stream"), "{refused}");
}
