//! Verify with facts on disk: the same findings, whatever memory holds, and a call that was cut off goes on.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{
    BoxFuture, DeleteItemInput, Dynamo, Error as ServiceError, PutItemInput, Request, Response,
};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_model::model::Model;
use monotable_store::{RepairMode, RepairScope, SpillFolder, Store, VerifyOptions};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn model() -> Model {
    let path = format!(
        "{}/../../models/yggdrasil/model.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    monotable_model::read(&text).model.unwrap()
}

/// Counts scans, and refuses those from one on.
struct Cut {
    engine: Engine,
    scans: AtomicUsize,
    refused_from: AtomicUsize,
}

impl Dynamo for Cut {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, ServiceError>> {
        if matches!(request, Request::Scan(_)) {
            let number = self.scans.fetch_add(1, Ordering::SeqCst);
            if number >= self.refused_from.load(Ordering::SeqCst) {
                return Box::pin(async { Err(ServiceError::internal("cut off")) });
            }
        }
        self.engine.call(request)
    }
}

async fn store() -> (Store, Arc<Cut>) {
    let cut = Arc::new(Cut {
        engine: Engine::in_memory().unwrap(),
        scans: AtomicUsize::new(0),
        refused_from: AtomicUsize::new(usize::MAX),
    });
    let store = Store::new(model(), Arc::clone(&cut));
    store.setup().await.unwrap();
    let user = Item::new()
        .with("UserId", "u")
        .with("Email", "u@example.com");
    let user = user.with("PasswordHash", "correct horse");
    store.create("User", user).await.unwrap();
    let tree = Item::new().with("UserId", "u").with("TreeId", "t");
    store
        .create("Tree", tree.clone().with("TreeName", "Oak"))
        .await
        .unwrap();
    for number in 0..30 {
        let person = tree
            .clone()
            .with("PersonId", format!("p{number}").as_str())
            .with("FirstName", "Ann")
            .with("LastName", "Oak")
            .with("Gender", "Female");
        store.create("Person", person).await.unwrap();
    }
    (store, cut)
}

/// A person without its guard, a counter that is wrong, and a guard of nobody.
fn damage(cut: &Cut) {
    let table = "Yggdrasil";
    let guard = Item::new().with("PK", "PERSON#p3").with("SK", "PERSON#p3");
    let input = DeleteItemInput::new(table, guard);
    cut.engine.delete_item(input).unwrap();
    let orphan = Item::new()
        .with("PK", "PERSON#nobody")
        .with("SK", "PERSON#nobody")
        .with("EntityType", "PersonPersonId")
        .with("PersonId", "nobody");
    cut.engine
        .put_item(PutItemInput::new(table, orphan))
        .unwrap();
}

fn spilled(folder: &tempfile::TempDir) -> VerifyOptions {
    let place = Arc::new(SpillFolder::new(folder.path()).unwrap());
    VerifyOptions::new().spill_to(place).buffer(2_000)
}

#[tokio::test]
async fn facts_on_disk_show_what_facts_in_memory_show() {
    let (store, cut) = store().await;
    damage(&cut);
    let folder = tempfile::tempdir().unwrap();
    let in_memory = store.verify().await.unwrap();
    let on_disk = store.verify_with(&spilled(&folder)).await.unwrap();
    assert_eq!(in_memory, on_disk);
    assert!(!in_memory.violations.is_empty());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_repair_writes_once() {
    let (store, cut) = store().await;
    damage(&cut);
    let folder = tempfile::tempdir().unwrap();
    let options = spilled(&folder);
    let planned = store
        .repair(&options, RepairScope::All, RepairMode::Plan)
        .await
        .unwrap();
    assert_eq!(planned.written, 0);
    assert!(!planned.planned.is_empty());
    assert!(!store.verify().await.unwrap().violations.is_empty());
    let repair = || store.repair(&options, RepairScope::All, RepairMode::Write);
    let written = repair().await.unwrap().written;
    assert_eq!(written, planned.planned.len() as u64);
    assert_eq!(repair().await.unwrap().written, 0);
    assert_eq!(store.verify().await.unwrap().violations, []);
}

#[tokio::test]
async fn a_job_that_was_cut_off_is_gone_on_with() {
    let (store, cut) = store().await;
    damage(&cut);
    let whole = store.verify().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let place = Arc::new(SpillFolder::new(folder.path()).unwrap());
    let options = VerifyOptions::new().keep_job_in(place).buffer(100);
    let before = cut.scans.load(Ordering::SeqCst);
    cut.refused_from.store(before + 2, Ordering::SeqCst);
    store.verify_with(&options).await.unwrap_err();
    cut.refused_from.store(usize::MAX, Ordering::SeqCst);
    let before = cut.scans.load(Ordering::SeqCst);
    let resumed = store.verify_with(&options).await.unwrap();
    assert_eq!(resumed, whole);
    let scans = cut.scans.load(Ordering::SeqCst) - before;
    assert!(
        scans < 4,
        "two of the four segments were read before, and {scans} again"
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn rows_that_are_older_than_the_store_are_not_adopted() {
    let (new, cut) = store().await;
    assert!(new.is_adopted().await.unwrap());
    // All rows stay; only what the store knows of itself goes.
    let own = Item::new()
        .with("PK", "monotable#store")
        .with("SK", "monotable#store");
    let input = DeleteItemInput::new("Yggdrasil", own);
    cut.engine.delete_item(input).unwrap();
    damage(&cut);
    let old = Store::new(model(), Arc::clone(&cut));
    assert!(!old.is_adopted().await.unwrap());
    assert!(!old.verify().await.unwrap().violations.is_empty());
    assert!(!old.is_adopted().await.unwrap());
    let options = VerifyOptions::new();
    let planned = old.adopt(&options, RepairMode::Plan).await.unwrap();
    assert!(!planned.is_adopted && !planned.repaired.planned.is_empty());
    let adopted = old.adopt(&options, RepairMode::Write).await.unwrap();
    assert!(adopted.is_adopted, "{:?}", adopted.verification.violations);
    let other = Store::new(model(), Arc::clone(&cut));
    assert!(other.is_adopted().await.unwrap());
}

#[tokio::test]
async fn a_caller_of_some_partitions_reads_no_whole_table() {
    let text = r#"
        monotable = 1
        model     = "diary"
        [principal]
        userId = "text, matches = /[a-z0-9]{1,64}/"
        [isolation]
        partitions = ["U#{principal.userId}"]
        [table.Diary]
        key = ["PK", "SK"]
        [entity.Day]
        key = ["U#{userId}", "DAY#{date}"]
        [entity.Day.attributes]
        userId = "text, matches = /[a-z0-9]{1,64}/"
        date   = "date"
        [access.days]
        key     = ["U#{userId}", "DAY#*"]
        returns = ["Day"]
        "#;
    let checked = monotable_check::check(text);
    let model = checked
        .model
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    let store = Store::new(model, Arc::new(Engine::in_memory().unwrap()));
    store.setup().await.unwrap();
    let ann = store.as_principal(Item::new().with("userId", "ann"));
    assert!(ann.verify().await.is_err());
    assert!(ann.convert().await.is_err());
    assert!(ann.backfill().await.is_err());
    assert!(ann.recount().await.is_err());
    assert!(store.convert().await.is_ok());
}

/// The number of a person is in a key of an index alone.
async fn damaged_person(change: &str, values: Item) -> (Store, Arc<Cut>) {
    let (store, cut) = store().await;
    let place = Item::new().with("PK", "USER#u").with("SK", "PERSON#p1");
    let mut update = monotable_api::UpdateItemInput::new("Yggdrasil", place).update(change);
    for (name, value) in values {
        update = update.value(&name, value);
    }
    cut.engine.update_item(update).unwrap();
    (store, cut)
}

#[tokio::test]
async fn a_repair_does_not_lose_the_number_of_a_row() {
    let garbage = Item::new().with(":0", "garbage");
    for (change, values) in [
        ("SET CreatedAt = :0", garbage),
        ("REMOVE GSI3SK", Item::new()),
    ] {
        let (store, cut) = damaged_person(change, values).await;
        let key = Item::new().with("PK", "USER#u").with("SK", "PERSON#p1");
        let read = || {
            let get = monotable_api::GetItemInput::new("Yggdrasil", key.clone());
            cut.engine.get_item(get).unwrap().item
        };
        let before = read();
        assert!(
            !store.verify().await.unwrap().violations.is_empty(),
            "{change}"
        );
        let options = VerifyOptions::default();
        store
            .repair(&options, RepairScope::All, RepairMode::Write)
            .await
            .unwrap();
        assert_eq!(read(), before, "{change}");
        assert!(
            !store.verify().await.unwrap().violations.is_empty(),
            "{change}"
        );
    }
}
