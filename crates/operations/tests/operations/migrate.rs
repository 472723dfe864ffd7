//! A store taken from one version of its model to another.

use crate::faults::Dying;
use crate::shop;
use monotable_api::{
    DeleteTableInput, DescribeTableInput, Dynamo, RestoreTableFromBackupInput, TableStatus,
};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_migrate::{Plan, SideBySide, bridge_layouts, write_bridge};
use monotable_model::model::Model;
use monotable_operations::{
    Error, Journal, MigrationOptions, MigrationReport, Migrator, OldPrograms,
};
use monotable_store::{Change, Store, VerifyOptions};
use std::path::Path;

const OLD: &str = r##"
monotable = 1
model     = "shop"

[table.Shop]
key = ["PK", "SK"]

[entity.Customer]
key = ["CUSTOMER#{customerId}", "CUSTOMER"]

[entity.Customer.attributes]
customerId = "text, matches = /[a-z0-9]{1,20}/"
email      = "text(3..60)"
orders     = "integer(0..), default = 0"
note       = "text?"

[entity.Order]
key = ["CUSTOMER#{customerId}", "ORDER#{number}"]

[entity.Order.attributes]
customerId = "-> Customer, on_delete = cascade"
number     = "integer(0..999), immutable"
total      = "integer(0..1000)"

[access.orders_of_customer]
key     = ["CUSTOMER#{customerId}", "ORDER#*"]
returns = ["Order"]
"##;

/// An index and an attribute more, and another name.
fn grown() -> String {
    OLD.replace(
        "key = [\"PK\", \"SK\"]",
        "key = [\"PK\", \"SK\"]\nGSI1 = [\"GSI1PK\", \"GSI1SK\"]",
    )
    .replace(
        "note       = \"text?\"",
        "remark     = \"text?, stored = note\"\nlevel = \"integer(0..), default = 1\"",
    )
    .replace(
        "\"ORDER#{number}\"]",
        "\"ORDER#{number}\"]\nGSI1 = [\"TOTAL\", \"{total:04}#{customerId}#{number:03}\"]",
    ) + "\n[access.orders_by_total]\nGSI1 = [\"TOTAL\"]\nreturns = [\"Order\"]\n"
}

/// A unique value and a counter, too.
fn guarded() -> String {
    grown()
        .replace(
            "[entity.Customer.attributes]",
            "[entity.Customer.unique.email]\nkey = \"EMAIL#{email:lower}\"\n\n[entity.Customer.attributes]",
        )
        .replace("on_delete = cascade", "on_delete = cascade, counted = orders")
}

/// Numbers in keys have leading zeros.
fn padded() -> String {
    OLD.replace(
        "\"ORDER#{number}\"]\n",
        "\"ORDER#{number:03}\"]\n\n[entity.Order.layout.before]\nkey = [\"CUSTOMER#{customerId}\", \"ORDER#{number}\"]\n",
    )
}

fn read(text: &str) -> Model {
    let read = monotable_model::read(text);
    read.model
        .unwrap_or_else(|| panic!("{:?}", read.diagnostics))
}

fn plan(old: &str, new: &str) -> Plan {
    let (old, new_model) = (read(old), read(new));
    let layouts = bridge_layouts(&old, &new_model);
    let bridge = (!layouts.is_empty()).then(|| read(&write_bridge(new, &layouts)));
    Plan::new(&old, &new_model, bridge.as_ref())
}

fn customer(number: usize) -> Item {
    Item::new()
        .with("customerId", format!("c{number}"))
        .with("email", format!("c{number}@example.com"))
        .with("note", "hello")
}

fn order(customer: usize, number: u64) -> Item {
    Item::new()
        .with("customerId", format!("c{customer}"))
        .with("number", monotable_item::Number::from(number))
        .with("total", monotable_item::Number::from(number * 7))
}

async fn filled(customers: usize) -> Engine {
    let engine = Engine::in_memory().unwrap();
    let store = shop::store_of(OLD, engine.clone());
    store.setup().await.unwrap();
    for number in 0..customers {
        store.create("Customer", customer(number)).await.unwrap();
        for order_number in 0..3 {
            store
                .create("Order", order(number, order_number))
                .await
                .unwrap();
        }
    }
    engine
}

fn options(old_programs: OldPrograms) -> MigrationOptions<'static> {
    MigrationOptions {
        old_programs,
        backup: None,
        on_demand: None,
        cleans_up: false,
        verify: VerifyOptions::default(),
        now: jiff_now(),
    }
}

fn jiff_now() -> jiff::Timestamp {
    jiff::Timestamp::UNIX_EPOCH
}

async fn run(
    (old, new): (&str, &str),
    dynamo: impl Dynamo + Clone + 'static,
    journal: &Path,
    old_programs: OldPrograms,
) -> Result<MigrationReport, Error> {
    let plan = plan(old, new);
    let (old, new) = (
        shop::store_of(old, dynamo.clone()),
        shop::store_of(new, dynamo),
    );
    let mut journal = Journal::open(journal, "shop")?;
    let migrator = Migrator::new(&old, &new, &plan);
    migrator
        .run(&mut journal, &options(old_programs), &|_, _| {})
        .await
}

async fn assert_clean(store: &Store) {
    let found = store.verify().await.unwrap();
    assert!(found.violations.is_empty(), "{:?}", found.violations);
    assert!(found.notes.is_empty(), "{:?}", found.notes);
    assert!(store.is_adopted().await.unwrap());
}

#[tokio::test]
async fn an_index_and_a_default_are_backfilled_while_the_old_version_writes() {
    let engine = filled(5).await;
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal");
    let new = grown();
    assert_eq!(plan(OLD, &new).side_by_side, SideBySide::Together);
    let beside = run((OLD, &new), engine.clone(), &journal, OldPrograms::Running)
        .await
        .unwrap();
    assert!(beside.waits_for_switch);
    assert_eq!(beside.written, 20);
    // The old version goes on: it writes rows without what is new.
    let old = shop::store_of(OLD, engine.clone());
    old.create("Customer", customer(8)).await.unwrap();
    old.create("Order", order(8, 5)).await.unwrap();
    let changes = Change {
        set: Item::new().with("total", monotable_item::Number::from(999)),
        ..Change::default()
    };
    let key = Item::new()
        .with("customerId", "c1")
        .with("number", monotable_item::Number::from(1));
    old.update("Order", key, changes).await.unwrap();
    let done = run((OLD, &new), engine.clone(), &journal, OldPrograms::Stopped)
        .await
        .unwrap();
    assert!(done.written >= 3, "{done:?}");
    let store = shop::store_of(&new, engine.clone());
    assert_clean(&store).await;
    let page = store.query("orders_by_total", Item::new()).await.unwrap();
    assert_eq!(page.rows.len(), 16);
    assert_eq!(
        page.rows[15].values.get("total"),
        Some(&monotable_item::Number::from(999).into())
    );
    let again = run(
        (OLD, &new),
        engine,
        &folder.path().join("other"),
        OldPrograms::Stopped,
    )
    .await
    .unwrap();
    assert_eq!(again.written, 0);
}

/// How many orders of a customer a version finds.
async fn count_orders(store: &Store) -> usize {
    let parameters = Item::new().with("customerId", "c0");
    let page = store.query("orders_of_customer", parameters).await;
    page.unwrap().rows.len()
}

#[tokio::test]
async fn rows_under_old_keys_come_to_stand_under_new_ones() {
    let engine = filled(4).await;
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal");
    let new = padded();
    let SideBySide::Bridge { layouts, gaps } = plan(OLD, &new).side_by_side else {
        panic!()
    };
    assert!(gaps.is_empty());
    let beside = run((OLD, &new), engine.clone(), &journal, OldPrograms::Running)
        .await
        .unwrap();
    assert_eq!(beside.written, 0);
    // The old version and the bridge run at once.
    let old = shop::store_of(OLD, engine.clone());
    let bridge = shop::store_of(&write_bridge(&new, &layouts), engine.clone());
    bridge.create("Order", order(0, 40)).await.unwrap();
    old.create("Order", order(0, 41)).await.unwrap();
    assert_eq!(count_orders(&old).await, 5);
    assert_eq!(count_orders(&bridge).await, 5);
    // The bridge and the new version run at once, with rows under both keys.
    let store = shop::store_of(&new, engine.clone());
    store.create("Order", order(0, 42)).await.unwrap();
    bridge.create("Order", order(0, 43)).await.unwrap();
    assert!(store.create("Order", order(0, 43)).await.is_err());
    assert!(bridge.create("Order", order(0, 42)).await.is_err());
    assert_eq!(count_orders(&bridge).await, 7);
    assert_eq!(count_orders(&store).await, 7);
    let done = run((OLD, &new), engine.clone(), &journal, OldPrograms::Stopped)
        .await
        .unwrap();
    assert_eq!(done.written, 15);
    assert_clean(&store).await;
    let without = new.replace(
        "[entity.Order.layout.before]\nkey = [\"CUSTOMER#{customerId}\", \"ORDER#{number}\"]\n",
        "",
    );
    // No row needs the layout any more.
    shop::store_of(&without, engine.clone())
        .create("Order", order(1, 77))
        .await
        .unwrap();
}

#[tokio::test]
async fn the_server_makes_a_backup_before_anything_is_written() {
    let engine = filled(3).await;
    let before = shop::items(&engine);
    let folder = tempfile::tempdir().unwrap();
    let new = grown();
    let (old, new) = (
        shop::store_of(OLD, engine.clone()),
        shop::store_of(&new, engine.clone()),
    );
    let plan = Plan::new(old.model(), new.model(), None);
    let migrator = Migrator::new(&old, &new, &plan);
    let mut journal = Journal::open(&folder.path().join("journal"), "shop").unwrap();
    let options = MigrationOptions {
        on_demand: Some("before-migration"),
        ..options(OldPrograms::Stopped)
    };
    let report = migrator.run(&mut journal, &options, &|_, _| {}).await;
    let report = report.unwrap();
    assert!(report.written > 0, "{report:?}");
    assert_ne!(shop::items(&engine), before);
    let [arn] = report.backups.as_slice() else {
        panic!("{report:?}")
    };
    // It shows the rows of the old version, whole.
    engine.delete_table(DeleteTableInput::new("Shop")).unwrap();
    let restore = RestoreTableFromBackupInput::new("Shop", arn);
    engine.restore_table_from_backup(restore).unwrap();
    for _ in 0..600 {
        let described = engine
            .describe_table(DescribeTableInput::new("Shop"))
            .unwrap();
        if described.table.unwrap().table_status == Some(TableStatus::Active) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(shop::items(&engine), before);
    // The backup is made once, however often the run is run.
    let again = migrator.run(&mut journal, &options, &|_, _| {}).await;
    assert_eq!(again.unwrap().backups, Vec::<String>::new());
}

#[tokio::test]
async fn a_migration_that_has_ended_looks_at_rows_that_came_since() {
    let engine = filled(2).await;
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal");
    let new = grown();
    let stopped = || run((OLD, &new), engine.clone(), &journal, OldPrograms::Stopped);
    assert_eq!(stopped().await.unwrap().written, 8);
    assert_eq!(stopped().await.unwrap().written, 0);
    // A program of the old version that nobody had thought of, or a restored backup.
    let old = shop::store_of(OLD, engine.clone());
    old.create("Customer", customer(7)).await.unwrap();
    assert_eq!(stopped().await.unwrap().written, 1);
    assert_clean(&shop::store_of(&new, engine.clone())).await;
}

#[tokio::test]
async fn a_migration_that_is_killed_at_any_request_goes_on() {
    for new in [guarded(), padded()] {
        let wanted = {
            let engine = filled(2).await;
            let folder = tempfile::tempdir().unwrap();
            run(
                (OLD, &new),
                engine.clone(),
                &folder.path().join("journal"),
                OldPrograms::Stopped,
            )
            .await
            .unwrap();
            shop::items(&engine)
        };
        for requests in 0..600 {
            let engine = filled(2).await;
            let folder = tempfile::tempdir().unwrap();
            let journal = folder.path().join("journal");
            let dying = Dying::new(engine.clone(), requests, requests % 2 == 0);
            let first = run((OLD, &new), dying, &journal, OldPrograms::Stopped).await;
            run((OLD, &new), engine.clone(), &journal, OldPrograms::Stopped)
                .await
                .unwrap();
            assert_eq!(shop::items(&engine), wanted, "killed at request {requests}");
            let found = shop::store_of(&new, engine).verify().await.unwrap();
            assert!(
                found.violations.is_empty(),
                "{requests}: {:?}",
                found.violations
            );
            if first.is_ok() {
                break;
            }
            assert!(requests < 599, "it never ends");
        }
    }
}

#[tokio::test]
async fn rows_that_the_new_version_refuses_are_named_before_anything_is_written() {
    let engine = filled(2).await;
    let before = shop::items(&engine);
    let folder = tempfile::tempdir().unwrap();
    let new = OLD.replace("integer(0..1000)", "integer(5..1000)");
    let refused = run(
        (OLD, &new),
        engine.clone(),
        &folder.path().join("journal"),
        OldPrograms::Stopped,
    )
    .await
    .unwrap_err();
    assert!(refused.to_string().contains("refuses 2 rows"), "{refused}");
    assert_eq!(shop::items(&engine), before);
}

#[tokio::test]
async fn guards_and_counters_are_written_when_the_old_version_has_ended() {
    let engine = filled(3).await;
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal");
    let new = guarded();
    let SideBySide::Apart { because } = plan(OLD, &new).side_by_side else {
        panic!()
    };
    assert_eq!(because, ["Customer.unique.email", "Order.customerId"]);
    run((OLD, &new), engine.clone(), &journal, OldPrograms::Stopped)
        .await
        .unwrap();
    let store = shop::store_of(&new, engine);
    assert_clean(&store).await;
    let twin = Item::new()
        .with("customerId", "x")
        .with("email", "C2@example.com");
    assert!(store.create("Customer", twin).await.is_err());
    let first = store
        .get("Customer", Item::new().with("customerId", "c1"))
        .await
        .unwrap();
    assert_eq!(
        first.values.get("orders"),
        Some(&monotable_item::Number::from(3).into())
    );
}

#[tokio::test]
async fn two_rows_with_a_value_that_becomes_unique_end_the_run() {
    let engine = filled(2).await;
    let store = shop::store_of(OLD, engine.clone());
    let twin = Item::new()
        .with("customerId", "twin")
        .with("email", "C1@example.com");
    store.create("Customer", twin).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let refused = run(
        (OLD, &guarded()),
        engine,
        &folder.path().join("journal"),
        OldPrograms::Stopped,
    )
    .await
    .unwrap_err();
    assert!(
        refused.to_string().contains("twin") || refused.to_string().contains("c1"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_renamed_attribute_and_what_is_gone_are_cleaned_up() {
    let engine = filled(3).await;
    let new = OLD
        .replace("note       = \"text?\"", "remark     = \"text?, alias = note\"")
        .replace("[entity.Order]\nkey = [\"CUSTOMER#{customerId}\", \"ORDER#{number}\"]\n\n[entity.Order.attributes]\ncustomerId = \"-> Customer, on_delete = cascade\"\nnumber     = \"integer(0..999), immutable\"\ntotal      = \"integer(0..1000)\"\n\n[access.orders_of_customer]\nkey     = [\"CUSTOMER#{customerId}\", \"ORDER#*\"]\nreturns = [\"Order\"]\n", "");
    assert!(!new.contains("Order"));
    let plan = plan(OLD, &new);
    let (old, store) = (
        shop::store_of(OLD, engine.clone()),
        shop::store_of(&new, engine.clone()),
    );
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(&folder.path().join("journal"), "shop").unwrap();
    let backup = folder.path().join("backup");
    let options = MigrationOptions {
        backup: Some(&backup),
        on_demand: None,
        cleans_up: true,
        ..options(OldPrograms::Stopped)
    };
    let done = Migrator::new(&old, &store, &plan)
        .run(&mut journal, &options, &|_, _| {})
        .await
        .unwrap();
    assert_eq!((done.written, done.deleted), (3, 9));
    assert!(backup.join("AWSDynamoDB").is_dir());
    let items = shop::items(&engine);
    assert_eq!(items.len(), 3);
    assert!(
        items
            .iter()
            .all(|item| item.get("note").is_none() && item.get("remark").is_some())
    );
    assert_clean(&store).await;
}

#[tokio::test]
async fn tenants_begin_in_a_store_that_has_none() {
    let engine = filled(2).await;
    let new = OLD.replace("[table.Shop]", "[tenant]\nname = \"siteId\"\ntype = \"text, matches = /[a-z]{1,9}/\"\nprefix = \"{siteId}/\"\nbare = \"first\"\n\n[table.Shop]");
    let store = shop::store_of(&new, engine.clone());
    assert!(
        store
            .tenant("blue")
            .create("Customer", customer(1))
            .await
            .is_err(),
        "the store refuses it before the migration"
    );
    let folder = tempfile::tempdir().unwrap();
    run(
        (OLD, &new),
        engine.clone(),
        &folder.path().join("journal"),
        OldPrograms::Stopped,
    )
    .await
    .unwrap();
    let store = shop::store_of(&new, engine.clone());
    store
        .tenant("blue")
        .create("Customer", customer(1))
        .await
        .unwrap();
    assert!(
        store.create("Customer", customer(1)).await.is_err(),
        "the first tenant has the rows of before"
    );
    assert_clean(&store).await;
}
