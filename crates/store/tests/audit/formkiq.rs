//! The trail and the versions of FormKiQ's documents.

use crate::world::{NOW, document, set, user};
use monotable_engine::{Engine, EngineOptions, ManualClock};
use monotable_item::Item;
use monotable_store::Store;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// FormKiQ's model without the sections that would ask for more rows.
fn formkiq(clock: &Arc<AtomicI64>, engine: &Arc<Engine>) -> Store {
    let path = format!(
        "{}/../../models/formkiq/model.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    let mut model = monotable_check::check(&text).model.unwrap();
    model.grants.clear();
    model.checks.clear();
    for entity in &mut model.entities {
        entity.owns.clear();
    }
    for table in &mut model.tables {
        table.stream = None;
    }
    let clock = Arc::clone(clock);
    Store::new(model, Arc::clone(engine))
        .with_clock(move || clock.load(Ordering::Relaxed))
        .tenant("acme")
}

#[tokio::test]
async fn formkiq_documents_have_a_trail_and_versions() {
    let clock = Arc::new(AtomicI64::new(NOW));
    // Expired rows go by the clock of the store.
    let stands = ManualClock::at(Duration::from_micros(NOW.unsigned_abs()));
    let options = EngineOptions::new().clock(Arc::new(stands));
    let engine = Arc::new(options.in_memory().unwrap());
    let store = formkiq(&clock, &engine);
    store.setup().await.unwrap();
    let ann = store.as_program(user("ann"));
    let d1 = || document("d1");
    let values = d1().with("path", "a.txt").with("contentType", "text/plain");
    ann.create("Document", values.with("md#case", "1"))
        .await
        .unwrap();
    for path in ["b.txt", "c.txt"] {
        ann.update("Document", d1(), set("path", path))
            .await
            .unwrap();
    }
    ann.update("Document", d1(), set("contentType", "text/html"))
        .await
        .unwrap();
    ann.get("Document", d1()).from_ip("10.0.0.1").await.unwrap();
    let kept = ann.query("metadata_versions", d1()).await.unwrap().rows;
    let paths: Vec<_> = kept.iter().map(|row| row.text("path")).collect();
    assert_eq!(paths, ["b.txt", "a.txt"]);
    assert_eq!(kept[1].text("md#case"), "1");
    let kept = ann.query("content_versions", d1()).await.unwrap().rows;
    assert_eq!(kept[0].text("contentType"), "text/plain");
    let trail = ann.query("activity_of_document", d1()).await.unwrap().rows;
    let types: Vec<_> = trail.iter().map(|row| row.text("type")).collect();
    assert_eq!(types, ["view", "change", "change", "change", "add"]);
    assert_eq!(trail[0].text("sourceIpAddress"), "10.0.0.1");
    assert_eq!(trail[0].text("siteId"), "acme");
    let history = ann.query("history_of_document", d1()).await.unwrap().rows;
    assert_eq!(history[1].text("versionPk"), "acme/docs#d1");
    assert_eq!(history[1].text("versionSk"), "document#2025-11-18T12:00:00");
    let by_day = Item::new().with("inserteddate", "2025-11-18T08:00:00Z");
    assert_eq!(
        ann.query("activity_of_day", by_day)
            .await
            .unwrap()
            .rows
            .len(),
        5
    );
    // Two syncs of one second.
    for message in ["one", "two"] {
        let sync = d1().with("service", "OPENSEARCH").with("status", "FAILED");
        let sync = sync.with("type", "CONTENT").with("message", message);
        ann.create("DocumentSync", sync).await.unwrap();
    }
    let syncs = ann.query("syncs_of_document", d1()).await.unwrap().rows;
    let messages: Vec<_> = syncs.iter().map(|row| row.text("message")).collect();
    assert_eq!(messages, ["two", "one"]);
    assert_eq!(syncs[1].text("syncDate"), "2025-11-18T12:00:00+0000");
    let verified = store.verify().await.unwrap();
    assert!(verified.violations.is_empty(), "{:?}", verified.violations);
    assert_eq!(verified.unknown, 0);
    // An entity type and its trail.
    let kind = Item::new()
        .with("entityTypeId", "t1")
        .with("namespace", "CUSTOM");
    ann.create("EntityType", kind.with("name", "Case"))
        .await
        .unwrap();
    let again = Item::new()
        .with("entityTypeId", "t2")
        .with("namespace", "CUSTOM");
    ann.create("EntityType", again.with("name", "Case"))
        .await
        .unwrap_err();
    let t2 = Item::new().with("entityTypeId", "t2");
    let failed = ann.query("activity_of_entity_type", t2).await.unwrap().rows;
    assert_eq!(failed[0].text("status"), "FAILED");
    assert_eq!(failed[0].text("userId"), "ann");
    // With the document go its versions; its trail stays.
    ann.delete("Document", d1()).await.unwrap();
    assert!(
        ann.query("metadata_versions", d1())
            .await
            .unwrap()
            .rows
            .is_empty()
    );
    let trail = ann.query("activity_of_document", d1()).await.unwrap().rows;
    assert_eq!(trail[0].text("type"), "delete");
}
