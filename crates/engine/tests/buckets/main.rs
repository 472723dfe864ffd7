//! Exports and imports, with a folder in the place of S3.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    unreachable_pub,
    reason = "tests"
)]

mod bulk_puts;
#[path = "../support/cases.rs"]
mod cases;
mod changes;
mod exports;
#[path = "../backups/gate.rs"]
mod gate;
mod imports;
#[path = "../support/stores.rs"]
mod stores;

use monotable_api::{
    AttributeDefinition, BillingMode, CreateTableInput, DescribeExportInput, DescribeImportInput,
    ExportDescription, ExportStatus, ExportTableToPointInTimeInput, GlobalSecondaryIndex,
    ImportStatus, ImportTableDescription, ImportTableInput, InputCompressionType, InputFormat,
    KeyRole, KeySchemaElement, PutItemInput, S3BucketSource, ScalarAttributeType, ScanInput,
    TableCreationParameters, UpdateContinuousBackupsInput,
};
use monotable_engine::{Engine, EngineOptions, ManualClock};
use monotable_item::{AttributeValue, EncodedItem, Item};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

pub const TABLE: &str = "Orders";
pub const ARN: &str = "arn:aws:dynamodb:local:000000000000:table/Orders";
pub const BUCKET: &str = "my-bucket";
pub const NOW: u64 = 1_763_467_200_500;

/// An engine in memory with a folder of buckets, in which there is one.
pub struct World {
    pub folder: TempDir,
    pub clock: Arc<ManualClock>,
    pub engine: Engine,
}

impl World {
    pub fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(BUCKET)).unwrap();
        let clock = Arc::new(ManualClock::at(Duration::from_millis(NOW)));
        let engine = EngineOptions::new()
            .clock(Arc::<ManualClock>::clone(&clock))
            .buckets(folder.path());
        Self {
            engine: engine.in_memory().unwrap(),
            folder,
            clock,
        }
    }

    pub fn read(&self, key: &str) -> Vec<u8> {
        std::fs::read(self.folder.path().join(BUCKET).join(key)).unwrap()
    }

    pub fn write(&self, key: &str, content: impl AsRef<[u8]>) {
        let path = self.folder.path().join(BUCKET).join(key);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// A table with so many items, which can be exported.
    pub fn load(&self, items: u32) {
        let table = CreateTableInput::new(TABLE, "id", ScalarAttributeType::N);
        self.engine.create_table(table).unwrap();
        for number in 0..items {
            self.put(number, "first");
        }
        let enable = UpdateContinuousBackupsInput::enable(TABLE);
        self.engine.update_continuous_backups(enable).unwrap();
    }

    pub fn put(&self, number: u32, text: &str) {
        let item = Item::new()
            .with("id", number)
            .with("text", text)
            .with("bytes", AttributeValue::B(vec![0, 1, 255]));
        self.engine
            .put_item(PutItemInput::new(TABLE, item))
            .unwrap();
    }

    pub fn export(&self, input: ExportTableToPointInTimeInput) -> ExportDescription {
        let answer = self.engine.export_table_to_point_in_time(input).unwrap();
        let begun = answer.export_description.unwrap();
        assert_eq!(begun.export_status, Some(ExportStatus::InProgress));
        let arn = begun.export_arn.unwrap();
        until(|| {
            let answer = self.engine.describe_export(DescribeExportInput::new(&arn));
            let description = answer.unwrap().export_description.unwrap();
            (description.export_status != Some(ExportStatus::InProgress)).then_some(description)
        })
    }

    pub fn import(&self, input: ImportTableInput) -> ImportTableDescription {
        let answer = self.engine.import_table(input).unwrap();
        let begun = answer.import_table_description.unwrap();
        assert_eq!(begun.import_status, Some(ImportStatus::InProgress));
        await_import(&self.engine, &begun.import_arn.unwrap())
    }
}

pub fn await_import(engine: &Engine, arn: &str) -> ImportTableDescription {
    until(|| {
        let answer = engine.describe_import(DescribeImportInput::new(arn));
        let description = answer.unwrap().import_table_description.unwrap();
        (description.import_status != Some(ImportStatus::InProgress)).then_some(description)
    })
}

pub fn until<T>(ask: impl Fn() -> Option<T>) -> T {
    for _ in 0..6_000 {
        if let Some(answer) = ask() {
            return answer;
        }
        thread::sleep(Duration::from_millis(5));
    }
    panic!("it never came");
}

/// Makes the table of what begins with this prefix.
pub fn import_of(prefix: &str, compression: InputCompressionType) -> ImportTableInput {
    ImportTableInput {
        client_token: None,
        s3_bucket_source: Some(S3BucketSource {
            s3_bucket: Some(BUCKET.into()),
            s3_key_prefix: Some(prefix.into()),
            s3_bucket_owner: None,
        }),
        input_format: Some(InputFormat::DynamodbJson.into()),
        input_format_options: None,
        input_compression_type: Some(compression.into()),
        table_creation_parameters: Some(TableCreationParameters {
            table_name: Some("Imported".into()),
            attribute_definitions: Some(vec![
                AttributeDefinition::new("id", ScalarAttributeType::N),
                AttributeDefinition::new("text", ScalarAttributeType::S),
            ]),
            key_schema: Some(vec![KeySchemaElement::new("id", KeyRole::Hash)]),
            billing_mode: Some(BillingMode::PayPerRequest.into()),
            global_secondary_indexes: Some(vec![GlobalSecondaryIndex::new("byText", "text")]),
            ..TableCreationParameters::default()
        }),
    }
}

pub fn scan(engine: &Engine, table: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut start: Option<EncodedItem> = None;
    loop {
        let input = ScanInput::new(table);
        let page = match start.take() {
            Some(start) => input.start_after(start),
            None => input,
        };
        let page = engine.scan(page).unwrap();
        items.extend(page.items.iter().flatten().map(EncodedItem::to_item));
        match page.last_evaluated_key {
            Some(last) => start = Some(last),
            None => break,
        }
    }
    items.sort_by_cached_key(|item| format!("{item:?}"));
    items
}
