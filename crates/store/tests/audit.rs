//! Audits, archives, and rows that a time tells apart.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{BoxFuture, Dynamo, Error as ServiceError, Request, Response};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_store::{Change, Clash, ErrorKind, Failure, Operation, Options, RequestFacts};
use monotable_store::{Retry, Row, Store};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::Duration;

/// 2025-11-18T12:00:00.250000Z
const NOW: i64 = 1_763_467_200_250_000;

struct World {
    clock: Arc<AtomicI64>,
    engine: Arc<Engine>,
    /// The program's own.
    store: Store,
}

impl World {
    async fn new() -> Self {
        let clock = Arc::new(AtomicI64::new(NOW));
        let engine = Arc::new(Engine::in_memory().unwrap());
        let store = store(Arc::clone(&engine), &clock);
        store.setup().await.unwrap();
        Self {
            clock,
            engine,
            store,
        }
    }

    /// Half a second to the same second, or any other time.
    fn at(&self, after: i64) {
        self.clock.store(NOW + after, Ordering::Relaxed);
    }

    fn ann(&self) -> Store {
        self.store.as_principal(user("ann"))
    }

    async fn page(&self, pattern: &str, parameters: Item) -> Vec<Row> {
        let page = self.store.query(pattern, parameters).await.unwrap();
        page.rows
    }

    async fn of(&self, pattern: &str) -> Vec<Row> {
        self.page(pattern, document("d1")).await
    }

    async fn notes(&self) -> Vec<String> {
        let notes = self.of("activities").await;
        notes
            .iter()
            .map(|row| {
                format!(
                    "{} {} {}",
                    row.text("userId"),
                    row.text("type"),
                    row.text("status")
                )
            })
            .collect()
    }
}

fn store(dynamo: impl Dynamo + 'static, clock: &Arc<AtomicI64>) -> Store {
    let checked = monotable_model::check(include_str!("audit/documents.toml"));
    let model = checked
        .model
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    let clock = Arc::clone(clock);
    Store::new(model, dynamo)
        .with_clock(move || clock.load(Ordering::Relaxed))
        .with_retry(Retry {
            attempts: 2,
            base: Duration::from_micros(10),
            cap: Duration::from_micros(100),
        })
        .tenant("default")
}

fn user(name: &str) -> Item {
    Item::new().with("username", name)
}

fn document(id: &str) -> Item {
    Item::new().with("documentId", id)
}

fn set(name: &str, value: impl Into<AttributeValue>) -> Change {
    Change {
        set: Item::new().with(name, value),
        ..Change::default()
    }
}

fn changes(row: &Row) -> &Item {
    match row.get("changeSet") {
        Some(AttributeValue::M(changes)) => changes,
        other => panic!("{other:?}"),
    }
}

fn ends<'c>(
    changes: &'c Item,
    name: &str,
) -> (Option<&'c AttributeValue>, Option<&'c AttributeValue>) {
    match changes.get(name) {
        Some(AttributeValue::M(change)) => (change.get("old"), change.get("new")),
        _ => (None, None),
    }
}

async fn check(world: &World) {
    let verified = world.store.verify().await.unwrap();
    assert!(verified.violations.is_empty(), "{:?}", verified.violations);
    assert_eq!(verified.unknown, 0);
}

#[tokio::test]
async fn writes_are_noted_in_their_transaction() {
    let world = World::new().await;
    let ann = world.ann();
    let values = document("d1")
        .with("path", "a.txt")
        .with("apiKey", "0123456789");
    ann.create("Document", values.with("pin", "1234"))
        .from_ip("10.0.0.1")
        .from_source("web")
        .await
        .unwrap();
    ann.update("Document", document("d1"), set("path", "b.txt"))
        .await
        .unwrap();
    ann.update("Document", document("d1"), set("pin", "4321"))
        .await
        .unwrap();
    ann.delete("Document", document("d1")).await.unwrap();
    let noted = [
        "ann add COMPLETE",
        "ann change COMPLETE",
        "ann change COMPLETE",
        "ann delete COMPLETE",
    ];
    assert_eq!(world.notes().await, noted);
    let rows = world.of("activities").await;
    assert_eq!(rows[0].text("sourceIpAddress"), "10.0.0.1");
    assert_eq!(rows[0].text("source"), "web");
    assert_eq!(rows[0].text("resource"), "Document");
    assert_eq!(rows[1].get("source"), None);
    let created = changes(&rows[0]);
    assert_eq!(ends(created, "path"), (None, Some(&"a.txt".into())));
    assert_eq!(
        ends(created, "apiKey"),
        (None, Some(&"01****************89".into()))
    );
    assert_eq!(created.get("pin"), None);
    let (old, new) = ("a.txt".into(), "b.txt".into());
    assert_eq!(ends(changes(&rows[1]), "path"), (Some(&old), Some(&new)));
    assert_eq!(changes(&rows[1]).get("userId"), None);
    // A hash is never shown: neither what it was nor what it is.
    assert!(rows[2].get("changeSet").is_none(), "{:?}", rows[2]);
    assert_eq!(ends(changes(&rows[3]), "path"), (Some(&new), None));
    check(&world).await;
}

#[tokio::test]
async fn all_or_nothing() {
    let world = World::new().await;
    let ann = world.ann();
    let create = |id: &str| Operation::Create {
        entity: "Document".to_owned(),
        values: document(id),
    };
    ann.transact(vec![create("d1"), create("d2")])
        .await
        .unwrap();
    let both = ann
        .transact(vec![create("d3"), create("d1")])
        .await
        .unwrap_err();
    assert_eq!(both.kind(), ErrorKind::Conflict);
    assert_eq!(world.notes().await, ["ann add COMPLETE", "ann add FAILED"]);
    let third = world.page("activities", document("d3")).await;
    assert_eq!(third[0].text("status"), "FAILED");
    assert_eq!(third.len(), 1);
    check(&world).await;
}

#[tokio::test]
async fn views_and_refusals_are_noted() {
    let world = World::new().await;
    let ann = world.ann();
    let bob = world.store.as_principal(user("bob"));
    let reader = user("eve").with("roles", AttributeValue::L(vec!["reader".into()]));
    let eve = world.store.as_principal(reader);
    ann.create("Document", document("d1")).await.unwrap();
    ann.get("Document", document("d1")).await.unwrap();
    eve.query("document", document("d1")).await.unwrap();
    // Not even there, for bob.
    let hidden = bob.get("Document", document("d1")).await.unwrap_err();
    assert_eq!(hidden.kind(), ErrorKind::NotFound);
    assert!(hidden.unaudited().is_none());
    assert!(
        bob.query("document", document("d1"))
            .await
            .unwrap()
            .rows
            .is_empty()
    );
    let hidden = bob.delete("Document", document("d1")).await.unwrap_err();
    assert_eq!(hidden.kind(), ErrorKind::NotFound);
    // Eve may see it, and no more.
    let denied = eve
        .update("Document", document("d1"), set("path", "x"))
        .await
        .unwrap_err();
    assert_eq!(denied.kind(), ErrorKind::Forbidden);
    let wrong = ann
        .update("Document", document("d1"), set("path", ""))
        .await
        .unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::Validation);
    let again = ann.create("Document", document("d1")).await.unwrap_err();
    assert_eq!(again.kind(), ErrorKind::Conflict);
    // A list is no view.
    world.of("rows").await;
    let noted = [
        "ann add COMPLETE",
        "ann view COMPLETE",
        "eve view COMPLETE",
        "bob view UNAUTHORIZED",
        "bob view UNAUTHORIZED",
        "bob delete UNAUTHORIZED",
        "eve change UNAUTHORIZED",
        "ann change FAILED",
        "ann add FAILED",
    ];
    assert_eq!(world.notes().await, noted);
    // Only what was done has a history.
    assert_eq!(world.of("history").await.len(), 1);
    let missing = bob.get("Document", document("d9")).await.unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::NotFound);
    let missing = world.page("activities", document("d9")).await;
    assert_eq!(missing[0].text("status"), "FAILED");
    check(&world).await;
}

#[tokio::test]
async fn a_create_that_fails_has_the_ids_that_were_given() {
    let world = World::new().await;
    let ann = world.ann();
    let long = "x".repeat(51);
    let values = document("d1")
        .with("path", long.as_str())
        .with("pin", "1234");
    let wrong = ann.create("Document", values).await.unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::Validation);
    assert!(wrong.unaudited().is_none(), "{wrong}");
    assert_eq!(world.notes().await, ["ann add FAILED"]);
    // Without an id it has one of its own, and is found by who tried.
    let values = Item::new().with("path", long.as_str());
    ann.create("Document", values).await.unwrap_err();
    // An id that cannot be one does not come into a key.
    let forged = ann
        .create("Document", document("d1#activity"))
        .await
        .unwrap_err();
    assert!(forged.unaudited().is_some(), "{forged}");
    let by_user = Item::new().with("userId", "ann");
    assert_eq!(world.page("activities_of_user", by_user).await.len(), 2);
    check(&world).await;
}

#[tokio::test]
async fn the_program_has_a_name() {
    let world = World::new().await;
    let values = document("d1").with("userId", "ann");
    world
        .store
        .create("Document", values.clone())
        .await
        .unwrap();
    let importer = world
        .store
        .as_program(user("importer"))
        .with_request(RequestFacts {
            ip: None,
            source: Some("nightly".to_owned()),
        });
    importer
        .update("Document", document("d1"), set("path", "a"))
        .await
        .unwrap();
    let nobody = world.store.as_principal(Item::new());
    nobody.get("Document", document("d1")).await.unwrap_err();
    let noted = [
        "program add COMPLETE",
        "importer change COMPLETE",
        "anonymous view UNAUTHORIZED",
    ];
    assert_eq!(world.notes().await, noted);
    assert_eq!(world.of("activities").await[1].text("source"), "nightly");
    check(&world).await;
}

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
    let change = Operation::Update {
        entity: "DocumentAttribute".to_owned(),
        key: attribute("v2"),
        change: set("value", "v4"),
    };
    let delete = Operation::Delete {
        entity: "DocumentAttribute".to_owned(),
        key: attribute("v3"),
    };
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
    let create = |message: &str| Operation::Create {
        entity: "DocumentSync".to_owned(),
        values: sync(message),
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
async fn nobody_writes_audits() {
    let world = World::new().await;
    let given = document("d1").with("resource", "x");
    let refused = world
        .store
        .create("DocumentActivity", given)
        .await
        .unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Usage);
    let version = document("d1");
    let refused = world
        .store
        .put("DocumentVersion", version)
        .await
        .unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Usage);
}

#[tokio::test]
async fn explained_with_what_is_noted() {
    let world = World::new().await;
    let ann = world.ann();
    let create = Operation::Create {
        entity: "Document".to_owned(),
        values: document("d1"),
    };
    let explained = ann.explain(create, Options::default()).await;
    assert_eq!(explained.requests.len(), 1);
    let body = &explained.requests[0].body;
    assert!(body.contains("activity#"), "{body}");
    ann.create("Document", document("d2"))
        .dry_run()
        .await
        .unwrap();
    assert!(world.page("activities", document("d2")).await.is_empty());
}

/// A target whose audit table is gone.
struct WithoutAudits {
    engine: Arc<Engine>,
    refused: AtomicUsize,
}

impl Dynamo for WithoutAudits {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, ServiceError>> {
        let audits =
            matches!(&request, Request::PutItem(put) if put.table_name.as_deref() == Some("audit"));
        if audits {
            self.refused.fetch_add(1, Ordering::Relaxed);
            let error = ServiceError::internal("no audits today");
            return Box::pin(std::future::ready(Err(error)));
        }
        self.engine.call(request)
    }
}

#[tokio::test]
async fn what_cannot_be_noted_is_said() {
    let world = World::new().await;
    world
        .ann()
        .create("Document", document("d1"))
        .await
        .unwrap();
    let broken = WithoutAudits {
        engine: Arc::clone(&world.engine),
        refused: AtomicUsize::new(0),
    };
    let broken = store(broken, &world.clock);
    // What was denied stays denied, and says that nobody will know.
    let bob = broken.as_principal(user("bob"));
    let denied = bob.get("Document", document("d1")).await.unwrap_err();
    assert_eq!(denied.kind(), ErrorKind::NotFound);
    assert_eq!(denied.unaudited().unwrap().kind(), ErrorKind::Retryable);
    assert!(denied.to_string().contains("not audited"), "{denied}");
    // Nothing is shown that leaves no trace.
    let ann = broken.as_principal(user("ann"));
    let unseen = ann.get("Document", document("d1")).await.unwrap_err();
    assert_eq!(unseen.kind(), ErrorKind::Retryable);
    let taken = ann.create("Document", document("d1")).await.unwrap_err();
    let Failure::Conflict { clash, .. } = taken.failure() else {
        panic!("{taken}");
    };
    assert!(matches!(clash, Clash::Key { .. }));
    assert!(taken.unaudited().is_some());
}

/// FormKiQ's model without the sections that are not carried out, or would ask for more rows.
fn formkiq(clock: &Arc<AtomicI64>, engine: &Arc<Engine>) -> Store {
    let path = format!(
        "{}/../../models/formkiq/model.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    let mut model = monotable_model::check(&text).model.unwrap();
    model.grants.clear();
    model.paths.clear();
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
    let engine = Arc::new(Engine::in_memory().unwrap());
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
    let checked = monotable_model::check(text);
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

#[tokio::test]
async fn a_large_delete_is_noted_once() {
    let world = World::new().await;
    let ann = world.ann();
    ann.create("Document", document("d1")).await.unwrap();
    for number in 0..130 {
        let value = document("d1")
            .with("key", format!("k{number}"))
            .with("value", "v");
        world
            .store
            .create("DocumentAttribute", value)
            .await
            .unwrap();
    }
    ann.delete("Document", document("d1")).await.unwrap();
    assert_eq!(
        world.notes().await,
        ["ann add COMPLETE", "ann delete COMPLETE"]
    );
    assert!(world.of("rows").await.is_empty());
    assert!(world.of("attribute_versions").await.is_empty());
    check(&world).await;
}

#[tokio::test]
async fn a_call_that_is_said_twice_is_noted_once() {
    let world = World::new().await;
    let ann = world.ann();
    ann.create("Document", document("d1").with("contentLength", 1))
        .await
        .unwrap();
    let more = || Change {
        add: Item::new().with("contentLength", 1),
        ..Change::default()
    };
    for _ in 0..2 {
        let call = ann.update("Document", document("d1"), more());
        let row = call.token("once").await.unwrap();
        assert_eq!(row.get("contentLength"), Some(&2.into()));
    }
    assert_eq!(
        world.notes().await,
        ["ann add COMPLETE", "ann change COMPLETE"]
    );
    assert_eq!(world.of("content_versions").await.len(), 1);
}

#[tokio::test]
async fn a_move_is_a_change() {
    let text = r#"
        monotable = 1
        model = "m"
        [type]
        word = "text, matches = /[a-z]+/"
        [table.Cards]
        key = ["PK", "SK"]
        [entity.Card]
        key = ["BOARD#{board}", "CARD#{card}"]
        [entity.Card.attributes]
        board = "word, movable"
        card = "word"
        [move.to_board]
        of = "Card"
        changes = ["board"]
        [entity.Was]
        key = ["WAS#{card}", "{at}#{id}"]
        writes = []
        [entity.Was.attributes]
        card = "word"
        board = "word"
        at = "timestamp, created"
        id = "ulid, generated"
        [archive.was]
        of = "Card"
        changed = ["board"]
        entity = "Was"
        [entity.Note]
        key = ["NOTES#{card}", "{at}#{id}"]
        writes = []
        [entity.Note.attributes]
        card = "word"
        at = "timestamp, created"
        id = "ulid, generated"
        what = "text"
        from = "text?"
        was = "text?"
        [audit.cards]
        of = ["Card"]
        on = ["update", "failed"]
        entity = "Note"
        set = { what = "{request.operation} {request.status}", from = "{old.board}", was = "{archive.was.PK}" }
        [access.notes]
        key = ["NOTES#{card}"]
        returns = ["Note"]
        [access.boards]
        key = ["WAS#{card}"]
        returns = ["Was"]
    "#;
    let checked = monotable_model::check(text);
    let model = checked
        .model
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    let store = Store::new(model, Engine::in_memory().unwrap());
    store.setup().await.unwrap();
    let card = Item::new().with("card", "c");
    let on = |board: &str| card.clone().with("board", board);
    store.create("Card", on("a")).await.unwrap();
    let to = Item::new().with("board", "b");
    store
        .move_row("to_board", on("a"), to.clone())
        .await
        .unwrap();
    let again = store.move_row("to_board", on("a"), to).await.unwrap_err();
    assert_eq!(again.kind(), ErrorKind::NotFound);
    let notes = store.query("notes", card.clone()).await.unwrap().rows;
    assert_eq!(notes[0].text("what"), "update COMPLETE");
    assert_eq!(notes[0].text("from"), "a");
    assert_eq!(notes[0].text("was"), "WAS#c");
    assert_eq!(notes[1].text("what"), "update FAILED");
    let boards = store.query("boards", card).await.unwrap().rows;
    assert_eq!(boards.len(), 1);
    assert_eq!(boards[0].text("board"), "a");
}
