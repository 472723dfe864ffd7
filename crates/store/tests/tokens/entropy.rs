//! Without random bytes nothing is made that could be guessed.

use crate::world::{World, key, named, one_more};
use monotable_item::Item;
use monotable_store::{ErrorKind, Failure, NoEntropy};
use std::sync::atomic::{AtomicUsize, Ordering};

#[tokio::test]
async fn without_random_bytes_writes_fail_and_reads_do_not() {
    let world = World::new().await;
    world.store.create("Key", key("k")).await.unwrap();
    let before = world.items().await;
    let store = world.store.clone().with_entropy(|_| Err(NoEntropy));
    let fails = [
        store.create("Key", key("l")).await.unwrap_err(),
        store
            .create("Event", Item::new().with("what", "x"))
            .await
            .unwrap_err(),
        store
            .update("Key", named("k"), one_more())
            .token("t")
            .await
            .unwrap_err(),
        store
            .update("Key", named("k"), crate::world::set("pin", "1"))
            .await
            .unwrap_err(),
    ];
    for error in fails {
        assert_eq!(error.kind(), ErrorKind::Fatal);
        assert_eq!(*error.failure(), Failure::NoEntropy);
    }
    assert_eq!(world.items().await, before);
    assert_eq!(
        store.get("Key", named("k")).await.unwrap().text("owner"),
        "ann"
    );
}

#[tokio::test]
async fn every_call_draws_its_own_bytes() {
    static DRAWN: AtomicUsize = AtomicUsize::new(0);
    let world = World::new().await;
    let store = world.store.clone().with_entropy(|bytes| {
        DRAWN.fetch_add(1, Ordering::SeqCst);
        bytes.fill(u8::try_from(DRAWN.load(Ordering::SeqCst)).unwrap());
        Ok(())
    });
    let mut secrets = Vec::new();
    for name in ["a", "b"] {
        let row = store.create("Key", key(name)).token(name).await.unwrap();
        secrets.push(row.text("secret").to_owned());
    }
    assert_ne!(secrets[0], secrets[1]);
    assert!(DRAWN.load(Ordering::SeqCst) >= 2);
}
