//! A table is written in AWS's layout, and can be read back.

use crate::{ARN, BUCKET, NOW, TABLE, World, import_of, scan, stores};
use flate2::read::GzDecoder;
use monotable_api::{
    CreateTableInput, DescribeExportInput, ExportDescription, ExportStatus,
    ExportTableToPointInTimeInput, FilterSpecification, ImportStatus, InputCompressionType,
    ListExportsInput, ScalarAttributeType, Timestamp,
};
use monotable_engine::Engine;
use serde_json::{Value, json};
use std::io::Read;
use std::time::Duration;

fn to_bucket() -> ExportTableToPointInTimeInput {
    ExportTableToPointInTimeInput::new(ARN, BUCKET)
}

#[test]
fn an_exported_table_can_be_imported() {
    let world = World::open();
    world.load(2_300);
    let before = scan(&world.engine, TABLE);
    let input = ExportTableToPointInTimeInput {
        s3_prefix: Some("my/prefix".into()),
        ..to_bucket()
    };
    let export = world.export(input);
    assert_eq!(export.export_status, Some(ExportStatus::Completed));
    assert_eq!(export.item_count, Some(2_300));
    let manifest = export.export_manifest.unwrap();
    assert!(
        manifest.starts_with("my/prefix/AWSDynamoDB/0"),
        "{manifest}"
    );
    let summary: Value = serde_json::from_slice(&world.read(&manifest)).unwrap();
    assert_eq!(summary["itemCount"], 2_300);
    assert_eq!(summary["outputFormat"], "DYNAMODB_JSON");
    assert_eq!(summary["exportTime"], "2025-11-18T12:00:00.500Z");
    assert_eq!(summary["tableArn"], ARN);
    let files = summary["manifestFilesS3Key"].as_str().unwrap();
    let files = String::from_utf8(world.read(files)).unwrap();
    let first: Value = serde_json::from_str(files.lines().next().unwrap()).unwrap();
    let data = first["dataFileS3Key"].as_str().unwrap();
    assert!(data.ends_with(".json.gz"), "{data}");
    for (name, content) in [
        ("manifest-summary.md5", world.read(&manifest)),
        ("manifest-files.md5", files.into_bytes()),
    ] {
        let key = manifest.replace("manifest-summary.json", name);
        assert_eq!(world.read(&key).len(), 24, "{name} of {}", content.len());
    }
    let folder = manifest.replace("manifest-summary.json", "data/");
    let import = world.import(import_of(&folder, InputCompressionType::Gzip));
    assert_eq!(import.import_status, Some(ImportStatus::Completed));
    assert_eq!(import.imported_item_count, Some(2_300));
    assert_eq!(scan(&world.engine, "Imported"), before);
    world.engine.background_step().unwrap();
    stores::assert_sound(&world.engine);
    let items = world.engine.verify().unwrap().items;
    assert_eq!(items, 4_600, "what the export was worked out in is gone");
}

#[test]
fn a_table_is_written_as_it_was() {
    let world = World::open();
    world.load(5);
    let before = scan(&world.engine, TABLE);
    world.clock.advance(Duration::from_secs(10));
    for number in 0..10 {
        world.put(number, "second");
    }
    let at = |millis| ExportTableToPointInTimeInput {
        export_time: Some(Timestamp::from_millis(millis)),
        ..to_bucket()
    };
    for outside in [NOW - 1, NOW + 10_001] {
        let refused = world.engine.export_table_to_point_in_time(at(outside));
        assert_eq!(
            refused.unwrap_err().to_string(),
            "InvalidExportTimeException: Export Time is invalid"
        );
    }
    let export = world.export(at(NOW + 9_999));
    assert_eq!(export.item_count, Some(5));
    let folder = export.export_manifest.unwrap();
    let folder = folder.replace("manifest-summary.json", "data/");
    world.import(import_of(&folder, InputCompressionType::Gzip));
    assert_eq!(scan(&world.engine, "Imported"), before);
}

#[test]
fn a_token_makes_a_request_count_once() {
    let world = World::open();
    world.load(1);
    let input = ExportTableToPointInTimeInput {
        client_token: Some("once".into()),
        ..to_bucket()
    };
    let first = world.export(input.clone()).export_arn;
    let again = world.engine.export_table_to_point_in_time(input.clone());
    assert_eq!(again.unwrap().export_description.unwrap().export_arn, first);
    let other = ExportTableToPointInTimeInput {
        s3_prefix: Some("other".into()),
        ..input
    };
    let refused = world.engine.export_table_to_point_in_time(other);
    assert_eq!(refused.unwrap_err().code(), "ExportConflictException");
    let list = world.engine.list_exports(ListExportsInput::default());
    assert_eq!(list.unwrap().export_summaries.len(), 1);
}

#[test]
fn lists_have_the_youngest_first() {
    let world = World::open();
    world.load(0);
    let mut arns: Vec<String> = Vec::new();
    for _ in 0..3 {
        arns.insert(0, world.export(to_bucket()).export_arn.unwrap());
        world.clock.advance(Duration::from_millis(1));
    }
    let page = |token| ListExportsInput {
        max_results: Some(2),
        next_token: token,
        table_arn: Some(ARN.into()),
    };
    let first = world.engine.list_exports(page(None)).unwrap();
    let second = world.engine.list_exports(page(first.next_token)).unwrap();
    assert_eq!(second.next_token, None);
    let found = first.export_summaries.into_iter();
    let found = found.chain(second.export_summaries);
    let found: Vec<String> = found.map(|summary| summary.export_arn.unwrap()).collect();
    assert_eq!(found, arns);
    for token in ["", "nonsense", "01489602797149-73d8d5bc"] {
        let refused = world.engine.list_exports(page(Some(token.into())));
        assert_eq!(
            refused.unwrap_err().to_string(),
            format!("ValidationException: Invalid Request: Provided nextToken is invalid: {token}")
        );
    }
}

#[test]
fn what_cannot_be_exported_is_refused_or_fails() {
    let plain = Engine::in_memory().unwrap();
    let refused = plain.export_table_to_point_in_time(to_bucket());
    assert!(
        refused
            .unwrap_err()
            .message()
            .contains("--buckets FOLDER, or open the engine with EngineOptions::buckets")
    );
    let world = World::open();
    let refusal = |input| {
        let refused = world.engine.export_table_to_point_in_time(input);
        refused.unwrap_err().to_string()
    };
    assert_eq!(
        refusal(to_bucket()),
        format!("TableNotFoundException: Table not found: {ARN}")
    );
    let table = CreateTableInput::new("Other", "id", ScalarAttributeType::N);
    world.engine.create_table(table).unwrap();
    let other = ARN.replace("Orders", "Other");
    assert_eq!(
        refusal(ExportTableToPointInTimeInput::new(other, BUCKET)),
        "PointInTimeRecoveryUnavailableException: Point in time recovery is not enabled for table 'Other'"
    );
    let leaving = ExportTableToPointInTimeInput {
        s3_prefix: Some("../elsewhere".into()),
        ..to_bucket()
    };
    assert!(refusal(leaving).contains("would leave the folder"));
    for prefix in ["a\0b".to_owned(), format!("daily/{}", "x".repeat(256))] {
        let unfit = ExportTableToPointInTimeInput {
            s3_prefix: Some(prefix),
            ..to_bucket()
        };
        assert!(refusal(unfit).contains("names no file of the folder"));
    }
    let keyless = ExportTableToPointInTimeInput {
        s3_sse_kms_key_id: Some("alias/one".into()),
        ..to_bucket()
    };
    assert_eq!(
        refusal(keyless),
        "ValidationException: Invalid Request: KMS Key Id is not supported for this encryption type"
    );
    world.load(1);
    let failed = world.export(ExportTableToPointInTimeInput::new(ARN, "no-such-bucket"));
    assert_eq!(failed.export_status, Some(ExportStatus::Failed));
    assert_eq!(failed.failure_code.as_deref(), Some("S3NoSuchBucket"));
    let missing = format!("{ARN}/export/01489602797149-73d8d5bc");
    let missing = world
        .engine
        .describe_export(DescribeExportInput::new(missing));
    assert_eq!(missing.unwrap_err().code(), "ExportNotFoundException");
    stores::assert_sound(&world.engine);
}

/// The items of an export, as they stand in its files.
fn exported(world: &World, export: &ExportDescription) -> Vec<Value> {
    assert_eq!(export.export_status, Some(ExportStatus::Completed));
    let manifest = world.read(export.export_manifest.as_ref().unwrap());
    let manifest: Value = serde_json::from_slice(&manifest).unwrap();
    let files = world.read(manifest["manifestFilesS3Key"].as_str().unwrap());
    let mut items = Vec::new();
    for file in String::from_utf8(files).unwrap().lines() {
        let file: Value = serde_json::from_str(file).unwrap();
        let packed = world.read(file["dataFileS3Key"].as_str().unwrap());
        let mut text = String::new();
        let mut unpacked = GzDecoder::new(packed.as_slice());
        unpacked.read_to_string(&mut text).unwrap();
        let lines = text.lines().map(serde_json::from_str::<Value>);
        items.extend(lines.map(|line| line.unwrap()["Item"].clone()));
    }
    assert_eq!(manifest["itemCount"], items.len());
    items
}

fn filtered(filter: FilterSpecification) -> ExportTableToPointInTimeInput {
    ExportTableToPointInTimeInput {
        filter_specification: Some(filter),
        ..to_bucket()
    }
}

#[test]
fn a_filter_chooses_items_and_attributes() {
    let world = World::open();
    world.load(20);
    for number in 5..8 {
        world.put(number, "second");
    }
    let filter = FilterSpecification::default()
        .filter("#text = :second AND id > :five")
        .projection("id, #text")
        .name("#text", "text")
        .value(":second", "second")
        .value(":five", 5);
    let export = world.export(filtered(filter.clone()));
    assert_eq!(export.filter_specification, Some(filter));
    assert_eq!(export.item_count, Some(2));
    let mut items = exported(&world, &export);
    items.sort_by_key(ToString::to_string);
    let item = |id: &str| json!({"id": {"N": id}, "text": {"S": "second"}});
    assert_eq!(items, [item("6"), item("7")]);

    let one = FilterSpecification::default()
        .key_condition("id = :id")
        .value(":id", 7);
    let export = world.export(filtered(one));
    let items = exported(&world, &export);
    assert_eq!(items.len(), 1);
    assert_eq!(items[0]["id"], json!({"N": "7"}));
    assert_eq!(items[0]["bytes"], json!({"B": "AAH/"}), "all attributes");

    let none = FilterSpecification::default()
        .filter("attribute_exists(nothing)")
        .key_condition("id = :id")
        .value(":id", 7);
    assert!(exported(&world, &world.export(filtered(none))).is_empty());
}

#[test]
fn a_filter_is_checked_before_the_export_begins() {
    let world = World::open();
    world.load(1);
    let filter = FilterSpecification::default;
    for (given, expected) in [
        (
            filter().filter("id >"),
            "Invalid FilterExpression: Syntax error; token: \"<EOF>\", near: \">\"",
        ),
        (
            filter().filter("id = :x"),
            "Invalid FilterExpression: An expression attribute value used in expression is not defined; attribute value: :x",
        ),
        (
            filter().name("#a", "a"),
            "ExpressionAttributeNames can only be specified when using expressions",
        ),
        (
            filter().key_condition("elsewhere = :x").value(":x", 1),
            "Query condition missed key schema element: id",
        ),
        (
            filter().key_condition("id = :x").value(":x", "text"),
            "One or more parameter values were invalid: Condition parameter type does not match schema type",
        ),
        (
            filter()
                .key_condition("id = :x")
                .filter("id = :x")
                .value(":x", 1),
            "Filter Expression can only contain non-primary key attributes: Primary key attribute: id",
        ),
    ] {
        let refused = world.engine.export_table_to_point_in_time(filtered(given));
        let message = refused.unwrap_err().to_string();
        assert_eq!(message, format!("ValidationException: {expected}"));
    }
    let exports = world.engine.list_exports(ListExportsInput::default());
    assert_eq!(exports.unwrap().export_summaries, vec![]);
}
