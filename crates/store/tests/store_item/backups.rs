//! Copies of a store, and what they say of its own item.

use crate::world::{NOTES, ada, notes, own_item, process};
use monotable_engine::Engine;
use monotable_store::ErrorKind;
use std::sync::Arc;

#[tokio::test]
async fn a_backup_does_not_tell_the_secret_and_keeps_the_templates() {
    let engine = notes().await;
    let store = process(NOTES, Arc::clone(&engine));
    let mut bytes = Vec::new();
    assert_eq!(
        store.backup(&mut bytes).await.unwrap(),
        6,
        "rows are counted"
    );
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert!(!text.contains("monotable#secret"), "{text}");
    assert!(text.contains("monotable#template#User"));

    // Restored under another model, it is known what the rows were written with.
    let copy = Arc::new(Engine::in_memory().unwrap());
    let other = NOTES.replace("\"NOTE#", "\"MEMO#");
    let store = process(&other, Arc::clone(&copy));
    store.setup().await.unwrap();
    assert_eq!(store.restore(bytes.as_slice()).await.unwrap().items, 6);
    let later = process(&other, Arc::clone(&copy));
    let error = later
        .put("Note", ada().with("noteId", "m"))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Integrity, "{error}");
    let secrets = [
        own_item(&engine, "Notes").unwrap(),
        own_item(&copy, "Notes").unwrap(),
    ]
    .map(|item| item.get("monotable#secret").cloned());
    assert!(secrets.iter().all(Option::is_some));
    assert_ne!(secrets[0], secrets[1], "each store has its own");

    // Under its own model it goes on as it was.
    let copy = Arc::new(Engine::in_memory().unwrap());
    let store = process(NOTES, Arc::clone(&copy));
    store.setup().await.unwrap();
    store.restore(bytes.as_slice()).await.unwrap();
    let note = ada().with("noteId", "m");
    process(NOTES, copy).put("Note", note).await.unwrap();
}
