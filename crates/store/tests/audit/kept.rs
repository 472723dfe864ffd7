//! Rows as they were, and rows that a time tells apart.

use crate::world::{NOW, World, changes, check, document, ends, set, store, user};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_store::{AnyOperation, Create, Delete, ErrorKind, Store, Update};
use std::sync::Arc;
use std::sync::atomic::AtomicI64;

#[tokio::test]
async fn old_rows_are_kept_in_order() {
    let world = World::new().await;
    let ann = world.ann().tenant("acme");
    let theirs = world.store.tenant("acme");
    let first = document("d1").with("path", "a").with("checksum", "c0");
    ann.create(
        "Document",
        first.with("apiKey", "0123456789").with("md#x", "old"),
    )
    .await
    .unwrap();
    // All of it in one second.
    for (step, path) in ["b", "c", "d", "e"].into_iter().enumerate() {
        world.at(100_000 * i64::try_from(step).unwrap());
        ann.update("Document", document("d1"), set("path", path))
            .await
            .unwrap();
    }
    ann.update("Document", document("d1"), set("md#x", "new"))
        .await
        .unwrap();
    // What is touched has not changed.
    ann.update("Document", document("d1"), set("path", "e"))
        .await
        .unwrap();
    let kept = theirs
        .query("metadata_versions", document("d1"))
        .await
        .unwrap()
        .rows;
    let paths: Vec<_> = kept.iter().map(|row| row.text("path")).collect();
    assert_eq!(paths, ["a", "b", "c", "d", "e"]);
    assert_eq!(kept[4].text("md#x"), "old");
    let times: Vec<_> = kept.iter().map(|row| row.text("inserteddate")).collect();
    assert_eq!(times[0], "2025-11-18T12:00:00");
    assert!(times[1].starts_with("2025-11-18T12:00:00.35"), "{times:?}");
    // A row like that is read by its key, too.
    for row in &kept {
        let key = document("d1").with("inserteddate", row.text("inserteddate"));
        let read = theirs.get("DocumentMetadataVersion", key).await.unwrap();
        assert_eq!(read.values, row.values);
    }
    ann.update("Document", document("d1"), set("checksum", "c1"))
        .await
        .unwrap();
    let contents = theirs
        .query("content_versions", document("d1"))
        .await
        .unwrap()
        .rows;
    assert_eq!(contents[0].text("checksum"), "c0");
    // A secret is masked where what keeps it is none.
    assert_eq!(contents[0].text("apiKey"), "01****************89");
    let history = theirs.query("history", document("d1")).await.unwrap().rows;
    assert_eq!(history.len(), 8);
    assert_eq!(history[1].text("versionPk"), "acme/docs#d1");
    assert_eq!(history[1].text("versionSk"), "doc#2025-11-18T12:00:00");
    assert_eq!(history[6].get("versionPk"), None);
    assert_eq!(history[7].text("versionSk"), "document#2025-11-18T12:00:00");
    let verified = theirs.verify().await.unwrap();
    assert!(verified.violations.is_empty(), "{:?}", verified.violations);
}

#[tokio::test]
async fn what_goes_is_kept_unless_its_keeper_goes_too() {
    let world = World::new().await;
    let ann = world.ann();
    let attribute = |value: &str| document("d1").with("key", "k").with("value", value);
    ann.create("Document", document("d1").with("path", "a"))
        .await
        .unwrap();
    for value in ["v1", "v2", "v3"] {
        ann.create("DocumentAttribute", attribute(value))
            .await
            .unwrap();
    }
    ann.delete("DocumentAttribute", attribute("v1"))
        .await
        .unwrap();
    // Two of one second in one transaction.
    let change = AnyOperation::Update(Update {
        entity: "DocumentAttribute".to_owned(),
        key: attribute("v2"),
        change: set("value", "v4"),
    });
    let delete = AnyOperation::Delete(Delete {
        entity: "DocumentAttribute".to_owned(),
        key: attribute("v3"),
    });
    ann.transact(vec![change, delete]).await.unwrap();
    let kept = world.of("attribute_versions").await;
    let keys: Vec<_> = kept.iter().map(|row| row.text("archive#SK")).collect();
    assert_eq!(keys, ["attr#k#v1", "attr#k#v2", "attr#k#v3"]);
    let history = world.of("history").await;
    let last = history.last().unwrap();
    assert_eq!(last.text("type"), "delete");
    let sort_key = format!("attr#k#{}", kept[2].text("inserteddate"));
    assert_eq!(last.text("versionSk"), sort_key);
    check(&world).await;
    // With the document go its versions, and what would have become one.
    ann.delete("Document", document("d1")).await.unwrap();
    assert!(world.of("attribute_versions").await.is_empty());
    assert_eq!(world.notes().await.last().unwrap(), "ann delete COMPLETE");
    check(&world).await;
}

#[tokio::test]
async fn two_in_one_second_are_both_kept() {
    let world = World::new().await;
    let ann = world.ann();
    ann.create("Document", document("d1")).await.unwrap();
    let sync = |message: &str| document("d1").with("message", message);
    for (step, message) in ["a", "b", "c"].into_iter().enumerate() {
        world.at(200_000 * i64::try_from(step).unwrap());
        ann.create("DocumentSync", sync(message)).await.unwrap();
    }
    let create = |message: &str| {
        AnyOperation::Create(Create {
            entity: "DocumentSync".to_owned(),
            values: sync(message),
        })
    };
    ann.transact(vec![create("d"), create("e")]).await.unwrap();
    world.at(1_000_000);
    ann.create("DocumentSync", sync("f")).await.unwrap();
    let rows = world.of("syncs").await;
    let messages: Vec<_> = rows.iter().map(|row| row.text("message")).collect();
    assert_eq!(messages, ["a", "b", "c", "d", "e", "f"]);
    let times: Vec<_> = rows.iter().map(|row| row.text("syncDate")).collect();
    assert_eq!(times[0], "2025-11-18T12:00:00+0000");
    assert!(times[1].starts_with("2025-11-18T12:00:00.45"), "{times:?}");
    assert_eq!(times[5], "2025-11-18T12:00:01+0000");
    // Such a row is changed and deleted by its key.
    let key = document("d1").with("syncDate", times[1]);
    ann.update("DocumentSync", key.clone(), set("message", "B"))
        .await
        .unwrap();
    ann.delete("DocumentSync", key).await.unwrap();
    check(&world).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn side_by_side_nothing_is_lost() {
    let world = World::new().await;
    world
        .ann()
        .create("Document", document("d1").with("path", "0"))
        .await
        .unwrap();
    let mut tasks = Vec::new();
    for writer in 0..4 {
        // Each with a clock of its own that shows the same times.
        let clock = Arc::new(AtomicI64::new(NOW));
        let ann = store(Arc::clone(&world.engine), &clock).as_principal(user("ann"));
        tasks.push(tokio::spawn(async move {
            for step in 0..5 {
                let path = format!("{writer}-{step}");
                let change = set("path", path.as_str());
                ann.update("Document", document("d1"), change)
                    .await
                    .unwrap();
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    let kept = world.of("metadata_versions").await;
    let mut paths: Vec<_> = kept.iter().map(|row| row.text("path").to_owned()).collect();
    let now = world.store.get("Document", document("d1")).await.unwrap();
    paths.push(now.text("path").to_owned());
    paths.sort();
    paths.dedup();
    assert_eq!(kept.len(), 20);
    let mut next = std::collections::BTreeMap::new();
    let noted = world.of("activities").await;
    for row in noted.iter().filter(|row| row.text("type") == "change") {
        let (old, new) = ends(changes(row), "path");
        next.insert(format!("{old:?}"), new.cloned());
    }
    let mut chain = vec![Some(AttributeValue::S("0".to_owned()))];
    while let Some(new) = next.get(&format!("{:?}", chain.last().unwrap().as_ref())) {
        chain.push(new.clone());
    }
    let order: Vec<_> = kept.iter().map(|row| row.get("path").cloned()).collect();
    assert_eq!(chain.len(), 21);
    // Versions stand in the order in which the document had them.
    assert_eq!(order[..], chain[..20]);
    assert_eq!(paths.len(), 21);
    assert_eq!(world.of("history").await.len(), 21);
    check(&world).await;
}

#[tokio::test]
async fn what_is_kept_is_not_replaced() {
    let text = r#"
        monotable = 1
        model = "m"
        [table.Things]
        key = ["PK", "SK"]
        [entity.Thing]
        key = ["THING#{id}", "THING"]
        [entity.Thing.attributes]
        id = "text, matches = /[a-z]+/"
        name = "text"
        [entity.Last]
        key = ["THING#{id}", "LAST"]
        writes = []
        on_exists = "replace"
        [entity.Last.attributes]
        id = "text, matches = /[a-z]+/"
        name = "text"
        was = "text"
        [archive.last]
        of = "Thing"
        changed = ["name"]
        entity = "Last"
        set = { was = "{old.PK} / {row.SK} {old.name}" }
    "#;
    let checked = monotable_check::check(text);
    let model = checked
        .model
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    let store = Store::new(model, Engine::in_memory().unwrap());
    store.setup().await.unwrap();
    let thing = Item::new().with("id", "a");
    store
        .create("Thing", thing.clone().with("name", "one"))
        .await
        .unwrap();
    for name in ["two", "three"] {
        store
            .put("Thing", thing.clone().with("name", name))
            .await
            .unwrap();
    }
    let last = store.get("Last", thing.clone()).await.unwrap();
    assert_eq!(last.text("name"), "two");
    assert_eq!(last.text("was"), "THING#a / THING two");
    let mine = thing.with("name", "mine").with("was", "mine");
    let refused = store.put("Last", mine).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Usage);
}
