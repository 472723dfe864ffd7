//! Bulk operations: what is in a bucket is put into a table that is in use.

use crate::gate::Gate;
use crate::{BUCKET, NOW, TABLE, World, stores, until};
use monotable_api::{
    BulkOperationDescription, BulkOperationInputFormat, BulkOperationStatus,
    CancelBulkOperationInput, CreateTableInput, DeleteTableInput, DescribeBulkOperationInput,
    GetItemInput, GlobalSecondaryIndex, InputCompressionType, InputS3Configuration,
    ListBulkOperationsInput, OutputS3Configuration, OutputTypeEnum, ScalarAttributeType, ScanInput,
    StartBulkPutItemsInput,
};
use monotable_engine::{Engine, EngineOptions, ManualClock};
use monotable_item::{AttributeValue, Item};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn to_table(prefix: &str) -> StartBulkPutItemsInput {
    StartBulkPutItemsInput::new(
        TABLE,
        InputS3Configuration {
            s3_bucket: Some(BUCKET.into()),
            s3_key_prefix: Some(prefix.into()),
            input_format: Some(BulkOperationInputFormat::DynamodbJson.into()),
            ..InputS3Configuration::default()
        },
        OutputS3Configuration {
            s3_bucket: Some(BUCKET.into()),
            s3_key_prefix: Some("reports".into()),
            output_type: Some(vec![
                OutputTypeEnum::Error.into(),
                OutputTypeEnum::ConditionCheckFailure.into(),
            ]),
            ..OutputS3Configuration::default()
        },
    )
}

fn describe(engine: &Engine, arn: &str) -> BulkOperationDescription {
    let answer = engine.describe_bulk_operation(DescribeBulkOperationInput::new(arn));
    answer.unwrap().bulk_operation_description.unwrap()
}

fn await_end(engine: &Engine, arn: &str) -> BulkOperationDescription {
    until(|| {
        let description = describe(engine, arn);
        let status = description.bulk_operation_status.unwrap();
        let goes_on = matches!(
            status,
            BulkOperationStatus::InProgress | BulkOperationStatus::Cancelling
        );
        (!goes_on).then_some(description)
    })
}

fn start(engine: &Engine, input: StartBulkPutItemsInput) -> String {
    let answer = engine.start_bulk_put_items(input).unwrap();
    let begun = answer.bulk_operation_description.unwrap();
    begun.bulk_operation_arn.unwrap()
}

fn line(number: u32, text: &str) -> String {
    let item = json!({"id": {"N": number.to_string()}, "text": {"S": text}});
    format!("{}\n", json!({ "Item": item }))
}

fn text_of(engine: &Engine, number: u32) -> Option<String> {
    let get = GetItemInput::new(TABLE, Item::new().with("id", number)).consistent();
    let item = engine.get_item(get).unwrap().item?.to_item();
    match item.get("text") {
        Some(AttributeValue::S(text)) => Some(text.clone()),
        other => panic!("{other:?}"),
    }
}

fn reports(world: &World, folder: &str) -> Vec<Value> {
    let root = world.folder.path().join(BUCKET).join("reports/AWSDynamoDB");
    let mut lines = Vec::new();
    for operation in std::fs::read_dir(root).unwrap() {
        let Ok(files) = std::fs::read_dir(operation.unwrap().path().join(folder)) else {
            continue;
        };
        let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            let text = std::fs::read_to_string(path).unwrap();
            lines.extend(text.lines().map(|line| serde_json::from_str(line).unwrap()));
        }
    }
    lines
}

#[test]
fn records_are_put_as_put_item_would_and_the_others_are_reported() {
    let world = World::open();
    world.load(3);
    let conditional = |number: u32, condition: &str| {
        let item = json!({"id": {"N": number.to_string()}, "text": {"S": "conditional"}});
        let line = json!({
            "Item": item, "ConditionExpression": condition,
            "ExpressionAttributeNames": {"#id": "id"}
        });
        format!("{line}\n")
    };
    let first = [
        line(1, "bulk"),
        "no json\n".to_owned(),
        conditional(2, "attribute_not_exists(#id)"),
        conditional(7, "attribute_not_exists(#id)"),
        "{\"Item\": {\"text\": {\"S\": \"no key\"}}}\n".to_owned(),
        line(1, "bulk again"),
    ];
    world.write("in/a.json", first.concat());
    world.write("in/b.json", line(8, "other object"));
    world.write("elsewhere.json", line(9, "not asked for"));
    let arn = start(&world.engine, to_table("in/"));
    let ended = await_end(&world.engine, &arn);
    assert_eq!(
        ended.bulk_operation_status,
        Some(BulkOperationStatus::CompletedWithErrors)
    );
    assert_eq!(ended.processed_item_count, Some(7));
    assert_eq!(ended.failed_item_count, Some(2));
    assert_eq!(ended.processed_input_bytes, ended.total_input_bytes);
    assert_eq!(ended.failure_code, None);
    assert!(ended.end_time.is_some());

    assert_eq!(text_of(&world.engine, 1).as_deref(), Some("bulk again"));
    assert_eq!(text_of(&world.engine, 2).as_deref(), Some("first"));
    assert_eq!(text_of(&world.engine, 7).as_deref(), Some("conditional"));
    assert_eq!(text_of(&world.engine, 8).as_deref(), Some("other object"));
    assert_eq!(text_of(&world.engine, 9), None);

    let errors = reports(&world, "errors");
    assert_eq!(errors.len(), 2);
    assert_eq!(errors[0]["S3Key"], "in/a.json");
    assert_eq!(errors[0]["RecordNumber"], 2);
    assert_eq!(errors[0]["Record"], "no json");
    assert_eq!(errors[1]["RecordNumber"], 5);
    assert_eq!(errors[1]["ErrorCode"], "ValidationException");
    assert_eq!(
        errors[1]["ErrorMessage"],
        "One or more parameter values were invalid: Missing the key id in the item"
    );
    let failures = reports(&world, "condition-check-failures");
    assert_eq!(failures.len(), 1);
    assert_eq!(failures[0]["RecordNumber"], 3);
    assert_eq!(failures[0]["Item"]["text"], json!({"S": "conditional"}));
    assert_eq!(failures[0]["ExistingItem"]["text"], json!({"S": "first"}));
    stores::assert_sound(&world.engine);
}

#[test]
fn a_token_counts_for_eight_hours() {
    let world = World::open();
    world.load(1);
    world.write("in/a.json", line(1, "bulk"));
    let request = |prefix: &str| StartBulkPutItemsInput {
        client_token: Some("token".into()),
        ..to_table(prefix)
    };
    let arn = start(&world.engine, request("in/"));
    await_end(&world.engine, &arn);
    assert_eq!(start(&world.engine, request("in/")), arn);
    let refused = world.engine.start_bulk_put_items(request("other/"));
    assert_eq!(
        refused.unwrap_err().code(),
        "IdempotentParameterMismatchException"
    );
    world.clock.advance(Duration::from_secs(8 * 3600));
    let next = start(&world.engine, request("other/"));
    assert_ne!(next, arn);
    assert_eq!(
        await_end(&world.engine, &next).bulk_operation_status,
        Some(BulkOperationStatus::Completed)
    );
}

#[test]
fn operations_are_listed_for_ninety_days_the_youngest_first() {
    let world = World::open();
    world.load(1);
    let mut arns = Vec::new();
    for _ in 0..3 {
        world.clock.advance(Duration::from_secs(1));
        let arn = start(&world.engine, to_table("none/"));
        await_end(&world.engine, &arn);
        arns.insert(0, arn);
    }
    let page = |token: Option<String>| {
        let input = ListBulkOperationsInput {
            max_results: Some(2),
            next_token: token,
        };
        let page = world.engine.list_bulk_operations(input).unwrap();
        let listed = page.bulk_operations_summary_list.into_iter();
        let listed: Vec<String> = listed
            .map(|summary| summary.bulk_operation_arn.unwrap())
            .collect();
        (listed, page.next_token)
    };
    let (first, token) = page(None);
    let (second, end) = page(token);
    assert_eq!([first, second].concat(), arns);
    assert_eq!(end, None);
    world.clock.advance(Duration::from_secs(90 * 24 * 3600 - 1));
    assert_eq!(page(None).0.len(), 2, "the first of them is too old");
    world.clock.advance(Duration::from_secs(10));
    assert_eq!(page(None).0, Vec::<String>::new());
    until(|| {
        let input = DescribeBulkOperationInput::new(&arns[0]);
        let answer = world.engine.describe_bulk_operation(input);
        answer
            .is_err_and(|error| error.code() == "ResourceNotFoundException")
            .then_some(())
    });
}

#[test]
fn an_operation_can_be_cancelled_and_fails_without_its_table_or_bucket() {
    let world = World::open();
    world.load(1);
    let lines: String = (0..200_000).map(|number| line(number, "bulk")).collect();
    world.write("in/a.json", &lines);
    let arn = start(&world.engine, to_table("in/"));
    let answer = world
        .engine
        .cancel_bulk_operation(CancelBulkOperationInput::new(&arn))
        .unwrap();
    assert_eq!(
        answer.bulk_operation_status,
        Some(BulkOperationStatus::Cancelling)
    );
    let ended = await_end(&world.engine, &arn);
    assert_eq!(
        ended.bulk_operation_status,
        Some(BulkOperationStatus::Cancelled)
    );
    assert!(ended.failure_code.is_some());
    assert!(ended.processed_item_count.unwrap() < 200_000);
    let again = world
        .engine
        .cancel_bulk_operation(CancelBulkOperationInput::new(&arn));
    assert!(again.unwrap_err().message().contains("has ended"));

    let arn = start(&world.engine, to_table("in/"));
    world
        .engine
        .delete_table(DeleteTableInput::new(TABLE))
        .unwrap();
    let ended = await_end(&world.engine, &arn);
    assert_eq!(ended.failure_code.as_deref(), Some("TableNotFound"));

    world.load(0);
    let nowhere = StartBulkPutItemsInput {
        input_s3_configuration: Some(InputS3Configuration {
            s3_bucket: Some("no-such-bucket".into()),
            ..to_table("").input_s3_configuration.unwrap()
        }),
        ..to_table("")
    };
    let arn = start(&world.engine, nowhere);
    let ended = await_end(&world.engine, &arn);
    assert_eq!(
        ended.bulk_operation_status,
        Some(BulkOperationStatus::Failed)
    );
    assert_eq!(ended.failure_code.as_deref(), Some("S3NoSuchBucket"));
}

#[test]
fn entries_of_indexes_are_written_and_measured() {
    let world = World::open();
    let by_text = GlobalSecondaryIndex::new("by-text", "text");
    let table = CreateTableInput::new(TABLE, "id", ScalarAttributeType::N)
        .attribute("text", ScalarAttributeType::S)
        .global_index(by_text);
    world.engine.create_table(table).unwrap();
    world.write("in/a.json", [line(1, "one"), line(2, "two")].concat());
    let arn = start(&world.engine, to_table("in/"));
    let ended = await_end(&world.engine, &arn);
    assert_eq!(
        ended.bulk_operation_status,
        Some(BulkOperationStatus::Completed)
    );
    let usage = ended.bulk_operation_usage.unwrap().remove(0);
    // Each item: `id` and its number (2 + 2), `text` and three letters (4 + 3).
    let table = usage.table.unwrap().bulk_put_bytes.unwrap();
    assert_eq!(table, 22);
    let indexes = usage.global_secondary_indexes.unwrap();
    assert_eq!(indexes["by-text"].bulk_put_bytes, Some(22));
    assert_eq!(usage.bulk_put_bytes, Some(44));
    let scan = ScanInput::new(TABLE).index("by-text");
    assert_eq!(world.engine.scan(scan).unwrap().count, 2);
    stores::assert_sound(&world.engine);
}

/// The gate holds the next commit up; what is on the disk then is what a process leaves that is killed there.
#[test]
fn an_operation_goes_on_after_a_kill() {
    const ITEMS: u32 = 3_000;
    for commits in 1..=10 {
        let folder = tempfile::tempdir().unwrap();
        let bucket = folder.path().join("buckets").join(BUCKET);
        std::fs::create_dir_all(bucket.join("in")).unwrap();
        for object in 0..2 {
            let of_object = (0..ITEMS).filter(|number| number % 2 == object);
            let mut lines: String = of_object.map(|number| line(number, "bulk")).collect();
            lines.push_str("no json\n");
            std::fs::write(bucket.join(format!("in/{object}.json")), lines).unwrap();
        }
        let (gate, copy) = (Gate::default(), tempfile::tempdir().unwrap());
        let options = || {
            let clock = Arc::new(ManualClock::at(Duration::from_millis(NOW)));
            EngineOptions::new()
                .clock(clock)
                .buckets(folder.path().join("buckets"))
        };
        let killed = options().stalls(gate.injector());
        let killed = killed.open(folder.path().join("store")).unwrap();
        let table = CreateTableInput::new(TABLE, "id", ScalarAttributeType::N);
        killed.create_table(table).unwrap();
        gate.let_pass(commits);
        let arn = start(&killed, to_table("in/"));
        gate.await_stop();
        copy_folder(&folder.path().join("store"), copy.path());
        // What the killed engine goes on to write into the bucket has the same names and content.
        let engine = options().open(copy.path()).unwrap();
        let ended = await_end(&engine, &arn);
        gate.open();
        drop(killed);
        assert_eq!(ended.processed_item_count, Some(u64::from(ITEMS) + 2));
        assert_eq!(ended.failed_item_count, Some(2));
        assert_eq!(
            ended.bulk_operation_status,
            Some(BulkOperationStatus::CompletedWithErrors)
        );
        engine.background_step().unwrap();
        stores::assert_sound(&engine);
        let items = engine.verify().unwrap().items;
        assert_eq!(items, u64::from(ITEMS), "killed after {commits} commits");
        let operations = bucket.join("reports/AWSDynamoDB");
        let operation = std::fs::read_dir(operations).unwrap().next().unwrap();
        let errors = std::fs::read_dir(operation.unwrap().path().join("errors")).unwrap();
        let lines: usize = errors
            .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
            .map(|text| text.lines().count())
            .sum();
        assert_eq!(lines, 2, "each record is reported once");
    }
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn packed_objects_are_read_and_broken_ones_count_once() {
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;
    let world = World::open();
    world.load(0);
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(line(1, "packed").as_bytes()).unwrap();
    world.write("in/a.json.gz", packed.finish().unwrap());
    world.write("in/b.json.gz", "not packed");
    let mut input = to_table("in/");
    let source = input.input_s3_configuration.as_mut().unwrap();
    source.input_compression_type = Some(InputCompressionType::Gzip.into());
    let arn = start(&world.engine, input);
    let ended = await_end(&world.engine, &arn);
    assert_eq!(ended.processed_item_count, Some(2));
    assert_eq!(ended.failed_item_count, Some(1));
    assert_eq!(text_of(&world.engine, 1).as_deref(), Some("packed"));
    assert_eq!(reports(&world, "errors")[0]["S3Key"], "in/b.json.gz");
}
