//! Backups in AWS's layout.

use crate::faults::Dying;
use crate::shop;
use jiff::Timestamp;
use monotable_api::{
    DeleteTableInput, DescribeImportInput, Dynamo, ImportStatus, ScanInput, TransactWriteItemsInput,
};
use monotable_engine::{Engine, EngineOptions};
use monotable_item::{EncodedItem, Item};
use monotable_operations::{BackupFolder, BackupWriter, Restorer, StoreIdentity};
use monotable_store::Store;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

async fn write(store: &Store, dynamo: &dyn Dynamo, folder: &Path) -> u64 {
    let writer = BackupWriter::new(store, dynamo);
    writer
        .write(folder, Timestamp::now(), &|_| {})
        .await
        .unwrap()
        .items
}

async fn filled(customers: usize) -> (Engine, Store) {
    let engine = Engine::in_memory().unwrap();
    let store = shop::store(engine.clone());
    store.setup().await.unwrap();
    for number in 0..customers {
        let customer = Item::new()
            .with("customerId", format!("c{number}"))
            .with("email", format!("c{number}@example.com"));
        store.create("Customer", customer).await.unwrap();
    }
    (engine, store)
}

#[tokio::test]
async fn a_dropped_table_comes_back_item_for_item() {
    let (engine, store) = filled(30).await;
    let before = shop::items(&engine);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("saved");
    assert_eq!(write(&store, &engine, &path).await, before.len() as u64);
    engine.delete_table(DeleteTableInput::new("Shop")).unwrap();
    let store = shop::store(engine.clone());
    store.setup().await.unwrap();
    let backup = BackupFolder::open(&path).unwrap();
    backup.check().unwrap();
    let restorer = Restorer::new(&store, &engine, backup).unwrap();
    let report = restorer
        .restore(&path, &shop::identity("here"), &|_| {})
        .await
        .unwrap();
    assert_eq!(report.items, before.len() as u64);
    assert_eq!(shop::items(&engine), before);
    assert_eq!(restorer.verify(&|_| {}).await.unwrap(), []);
    // Every difference is found.
    let extra = Item::new()
        .with("customerId", "new")
        .with("email", "new@example.com");
    store.create("Customer", extra).await.unwrap();
    let differences = restorer.verify(&|_| {}).await.unwrap();
    assert_eq!(differences[0].found.items, differences[0].wanted.items + 2);
}

#[tokio::test]
async fn the_engine_imports_a_backup_as_aws_does() {
    let (engine, store) = filled(5).await;
    let before = shop::items(&engine);
    let buckets = tempfile::tempdir().unwrap();
    write(&store, &engine, &buckets.path().join("saved")).await;
    let options = EngineOptions::new().buckets(buckets.path());
    let other = options.in_memory().unwrap();
    let data = fs::read_dir(buckets.path().join("saved/AWSDynamoDB")).unwrap();
    let id = data
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .next()
        .unwrap();
    let request = serde_json::json!({
        "S3BucketSource": {"S3Bucket": "saved", "S3KeyPrefix": format!("AWSDynamoDB/{id}/data/")},
        "InputFormat": "DYNAMODB_JSON", "InputCompressionType": "GZIP",
        "TableCreationParameters": {
            "TableName": "Shop", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [
                {"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"},
            ],
            "KeySchema": [
                {"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"},
            ],
        },
    });
    let input = serde_json::from_value(request).unwrap();
    let import = other
        .import_table(input)
        .unwrap()
        .import_table_description
        .unwrap();
    for _ in 0..1000 {
        let described = DescribeImportInput::new(import.import_arn.clone().unwrap());
        let described = other.describe_import(described).unwrap();
        let described = described.import_table_description.unwrap();
        if described.import_status != Some(ImportStatus::InProgress) {
            assert_eq!(described.import_status, Some(ImportStatus::Completed));
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(shop::items(&other), before);
}

/// Every file of a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn is_refused(path: &Path) -> bool {
    match BackupFolder::open(path) {
        Ok(backup) => backup.check().is_err(),
        Err(_) => true,
    }
}

#[tokio::test]
async fn a_damaged_backup_is_refused_before_anything_is_written() {
    let (engine, store) = filled(8).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("saved");
    write(&store, &engine, &path).await;
    assert!(!is_refused(&path));
    for file in files(&path) {
        let whole = fs::read(&file).unwrap();
        if file.ends_with("_started") {
            continue;
        }
        fs::write(&file, &whole[..whole.len() / 2]).unwrap();
        assert!(is_refused(&path), "cut off: {}", file.display());
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 1;
        fs::write(&file, flipped).unwrap();
        assert!(is_refused(&path), "flipped: {}", file.display());
        fs::remove_file(&file).unwrap();
        assert!(is_refused(&path), "gone: {}", file.display());
        fs::write(&file, &whole).unwrap();
        assert!(!is_refused(&path));
    }
    let writer = BackupWriter::new(&store, &engine);
    let again = writer
        .write(&path, Timestamp::now(), &|_| {})
        .await
        .unwrap_err();
    assert!(again.to_string().contains("is not empty"), "{again}");
}

#[cfg(unix)]
#[tokio::test]
async fn files_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let (engine, store) = filled(1).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("saved");
    write(&store, &engine, &path).await;
    for file in files(&path) {
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&file), 0o600, "{}", file.display());
        assert_eq!(mode(file.parent().unwrap()), 0o700, "{}", file.display());
    }
}

#[tokio::test]
async fn a_restore_into_a_store_that_was_made_anew_writes_everything() {
    let (engine, store) = filled(12).await;
    let before = shop::items(&engine);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("saved");
    write(&store, &engine, &path).await;
    // An earlier run has written the only data file of the backup, and was killed before it removed its progress file.
    let data = files(&path);
    let data = data
        .iter()
        .find(|file| file.extension().is_some_and(|is| is == "gz"));
    let export = data.unwrap().parent().unwrap().parent().unwrap();
    let listed = fs::read_to_string(export.join("manifest-files.json")).unwrap();
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let summary = fs::read_to_string(export.join("manifest-summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let earlier = shop::identity("here");
    let progress = serde_json::json!({
        "target": earlier,
        "files": [[summary["exportArn"], listed["dataFileS3Key"]]],
    });
    fs::write(folder.path().join("saved.progress"), progress.to_string()).unwrap();
    let target = Engine::in_memory().unwrap();
    let store = shop::store(target.clone());
    store.setup().await.unwrap();
    let restorer = Restorer::new(&store, &target, BackupFolder::open(&path).unwrap()).unwrap();
    assert!(restorer.is_begun(&path, &earlier));
    let now = StoreIdentity::read("here", &store).await.unwrap();
    assert!(!restorer.is_begun(&path, &now), "{now:?}");
    let report = restorer.restore(&path, &now, &|_| {}).await.unwrap();
    assert_eq!(report.files_before, 0);
    assert_eq!(shop::items(&target), before);
}

#[tokio::test]
async fn a_table_that_is_made_anew_has_another_identity() {
    let (engine, store) = filled(1).await;
    let first = StoreIdentity::read("here", &store).await.unwrap();
    assert_eq!(StoreIdentity::read("here", &store).await.unwrap(), first);
    let elsewhere = StoreIdentity::read("there", &store).await.unwrap();
    assert!(first.has_tables_of(&elsewhere));
    engine.delete_table(DeleteTableInput::new("Shop")).unwrap();
    let none = StoreIdentity::read("here", &store).await.unwrap();
    assert!(!none.has_tables_of(&none));
    let store = shop::store(engine.clone());
    store.setup().await.unwrap();
    let second = StoreIdentity::read("here", &store).await.unwrap();
    assert_ne!(second, first);
    assert!(!second.has_tables_of(&first));
}

#[tokio::test]
async fn the_backup_of_another_model_is_refused() {
    let (engine, store) = filled(3).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("saved");
    write(&store, &engine, &path).await;
    let target = Engine::in_memory().unwrap();
    let restore = |model: &str| {
        let store = shop::store_of(model, target.clone());
        let backup = BackupFolder::open(&path).unwrap();
        Restorer::new(&store, &target, backup)
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    let other = shop::MODEL
        .replace("[table.Shop]", "[table.Library]")
        .replace("CUSTOMER#", "READER#")
        .replace("EMAIL#", "MAIL#");
    let refused = restore(&other).unwrap_err();
    assert!(refused.contains("is of the table `Shop`"), "{refused}");
    assert!(refused.contains("none of its 6 items"), "{refused}");
    // A table of another name is a copy of production in a test environment, if its rows are those of the model.
    let renamed = shop::MODEL.replace("[table.Shop]", "[table.TestShop]");
    restore(&renamed).unwrap();
    let unlike = other.replace("[table.Library]", "[table.Shop]");
    restore(&unlike).unwrap();
}

#[tokio::test]
async fn a_restore_that_is_killed_at_any_request_goes_on() {
    let (engine, store) = filled(40).await;
    let before = shop::items(&engine);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("saved");
    write(&store, &engine, &path).await;
    for requests in 0..200 {
        let target = Engine::in_memory().unwrap();
        shop::store(target.clone()).setup().await.unwrap();
        let dying = shop::store(Dying::new(target.clone(), requests, requests % 2 == 0));
        let restorer = Restorer::new(&dying, &target, BackupFolder::open(&path).unwrap()).unwrap();
        let name = shop::identity(&format!("target {requests}"));
        let is_whole = restorer.restore(&path, &name, &|_| {}).await.is_ok();
        let store = shop::store(target.clone());
        let restorer = Restorer::new(&store, &target, BackupFolder::open(&path).unwrap()).unwrap();
        restorer.restore(&path, &name, &|_| {}).await.unwrap();
        assert_eq!(shop::items(&target), before, "killed at request {requests}");
        assert_eq!(restorer.verify(&|_| {}).await.unwrap(), []);
        if is_whole {
            return;
        }
    }
    panic!("it never ends");
}

const ACCOUNTS: usize = 3000;

fn account(number: usize, balance: i64) -> Item {
    Item::new()
        .with("PK", format!("ACCOUNT#{number}"))
        .with("SK", "ACCOUNT")
        .with("balance", balance)
        // So that a scan takes several pages, between which transfers happen.
        .with("padding", "x".repeat(1000))
}

/// Moves one unit from each account to the next, for as long as it may.
fn transfer(engine: &Engine, is_over: &AtomicBool) -> u64 {
    let change = |number: usize, by: i64| {
        serde_json::json!({"Update": {
            "TableName": "Shop",
            "Key": {"PK": {"S": format!("ACCOUNT#{number}")}, "SK": {"S": "ACCOUNT"}},
            "UpdateExpression": "ADD balance :by",
            "ExpressionAttributeValues": {":by": {"N": by.to_string()}},
        }})
    };
    let mut made = 0;
    while !is_over.load(Ordering::SeqCst) {
        let from = (made as usize * 7919) % ACCOUNTS;
        let to = (from + ACCOUNTS / 2) % ACCOUNTS;
        let request = serde_json::json!({"TransactItems": [change(from, -1), change(to, 1)]});
        let input: TransactWriteItemsInput = serde_json::from_value(request).unwrap();
        if engine.transact_write_items(input).is_ok() {
            made += 1;
        }
    }
    made
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_under_transfers_has_the_right_total() {
    let (engine, store) = filled(0).await;
    let (table, _) = store.model().tables().next().unwrap();
    let accounts = (0..ACCOUNTS).map(|number| (table, account(number, 100)));
    store.load(accounts.collect()).await.unwrap();
    let is_over = Arc::new(AtomicBool::new(false));
    let writer = {
        let (engine, is_over) = (engine.clone(), Arc::clone(&is_over));
        std::thread::spawn(move || transfer(&engine, &is_over))
    };
    let folder = tempfile::tempdir().unwrap();
    let mut totals = Vec::new();
    for round in 0..3 {
        let path = folder.path().join(format!("saved{round}"));
        write(&store, &engine.freeze(), &path).await;
        let backup = BackupFolder::open(&path).unwrap();
        let table = &backup.tables[0];
        let items = table
            .files()
            .iter()
            .flat_map(|file| table.read_file(file).unwrap());
        let balances = items.filter_map(|item| match item.get("balance") {
            Some(monotable_item::AttributeValue::N(balance)) => {
                balance.to_string().parse::<i64>().ok()
            }
            _ => None,
        });
        totals.push(balances.sum::<i64>());
    }
    is_over.store(true, Ordering::SeqCst);
    assert!(writer.join().unwrap() > 10, "nothing was written meanwhile");
    assert_eq!(totals, [100 * ACCOUNTS as i64; 3]);
}

#[tokio::test]
async fn a_frozen_engine_does_not_change() {
    let (engine, store) = filled(3).await;
    let frozen = engine.freeze();
    let customer = Item::new()
        .with("customerId", "new")
        .with("email", "new@example.com");
    store.create("Customer", customer).await.unwrap();
    let scan = |dynamo: Arc<dyn Dynamo>| async move {
        use monotable_api::DynamoExt;
        let page = dynamo.scan(ScanInput::new("Shop")).await.unwrap();
        let items: Vec<EncodedItem> = page.items.unwrap();
        items.len()
    };
    let then = scan(Arc::new(frozen.clone())).await;
    assert_eq!(scan(Arc::new(engine.clone())).await, then + 2);
    use monotable_api::DynamoExt;
    let refused = frozen.delete_table(DeleteTableInput::new("Shop")).await;
    assert!(refused.is_err());
}
