//! Spoiled requests: refused with one of AWS's errors and without effect, never a panic, never an
//! InternalServerError.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    unreachable_pub,
    reason = "tests"
)]

#[path = "../support/block_on.rs"]
mod block_on;
#[path = "../support/cases.rs"]
mod cases;
mod requests;
mod spoil;

use block_on::block_on;
use monotable_api::{
    DescribeStreamInput, DescribeTableInput, Dynamo, Error, GetShardIteratorInput, ListTablesInput,
    OperationName, Request, Response, ScanInput,
};
use monotable_engine::{Engine, EngineOptions, ManualClock};
use monotable_item::EncodedItem;
use proptest::prelude::*;
use requests::StreamPlace;
use serde_json::Value;
use spoil::{Spoil, render, spoil};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// Runs a body as a server would.
fn send(engine: &Engine, operation: OperationName, body: &str) -> Result<Response, Error> {
    let request = Request::decode(operation, body.as_bytes())?;
    block_on(engine.call(request))
}

/// Time stands still, so that every engine has its stream in the same place.
fn engine() -> Engine {
    let clock = ManualClock::at(Duration::from_secs(1_700_000_000));
    let engine = EngineOptions::new()
        .clock(Arc::new(clock))
        .in_memory()
        .unwrap();
    let created = send(
        &engine,
        OperationName::CreateTable,
        &render(&requests::create_table("Items")),
    );
    created.unwrap();
    for number in 1..5 {
        let body = serde_json::json!({"TableName": "Items", "Item": requests::item(number)});
        send(&engine, OperationName::PutItem, &render(&body)).unwrap();
    }
    engine
}

static STREAM: LazyLock<StreamPlace> = LazyLock::new(|| {
    let engine = engine();
    let table = engine.describe_table(DescribeTableInput::new("Items"));
    let arn = table.unwrap().table.unwrap().latest_stream_arn.unwrap();
    let described = engine.describe_stream(DescribeStreamInput::new(&arn));
    let shards = described.unwrap().stream_description.unwrap().shards;
    let shard = shards.unwrap()[0].shard_id.clone().unwrap();
    let iterator = GetShardIteratorInput::trim_horizon(&arn, &shard);
    let iterator = engine.get_shard_iterator(iterator).unwrap().shard_iterator;
    StreamPlace {
        arn,
        shard,
        iterator: iterator.unwrap(),
    }
});

/// Everything that is stored: each table and index with its items.
fn contents(engine: &Engine) -> Vec<(String, Vec<EncodedItem>)> {
    let mut all = Vec::new();
    for table in engine
        .list_tables(ListTablesInput::new())
        .unwrap()
        .table_names
    {
        for index in [None, Some("local"), Some("global")] {
            let mut scan = ScanInput::new(table.as_str());
            scan.index_name = index.map(str::to_owned);
            // A table made of a spoiled request may lack the indexes.
            if let Ok(page) = engine.scan(scan) {
                all.push((format!("{table}/{index:?}"), page.items.unwrap()));
            }
        }
    }
    all
}

fn operation() -> impl Strategy<Value = OperationName> {
    proptest::sample::select(OperationName::ALL)
}

#[derive(Clone, Debug)]
struct Spoiled {
    operation: OperationName,
    spoils: Vec<Spoil>,
}

impl Spoiled {
    fn body(&self) -> Value {
        let mut body = requests::good(self.operation, &STREAM);
        self.spoils.iter().for_each(|spoil| spoil.apply(&mut body));
        body
    }
}

fn spoiled() -> impl Strategy<Value = Spoiled> {
    let spoils = proptest::collection::vec(spoil(), 1..4);
    (operation(), spoils).prop_map(|(operation, spoils)| Spoiled { operation, spoils })
}

const EXPECTED: [&str; 19] = [
    "ValidationException",
    "SerializationException",
    "ResourceNotFoundException",
    "ResourceInUseException",
    "ConditionalCheckFailedException",
    "TransactionCanceledException",
    "IdempotentParameterMismatchException",
    "DuplicateItemException",
    "PolicyNotFoundException",
    "GlobalTableNotFoundException",
    "TableNotFoundException",
    "TableInUseException",
    "TableAlreadyExistsException",
    "BackupNotFoundException",
    "PointInTimeRecoveryUnavailableException",
    "InvalidRestoreTimeException",
    "InvalidExportTimeException",
    "ExportNotFoundException",
    "ImportNotFoundException",
];

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases::cases(300),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_spoiled_request_is_answered_and_a_refused_one_changes_nothing(
        requests in proptest::collection::vec(spoiled(), 1..12),
    ) {
        let engine = engine();
        let mut before = contents(&engine);
        for request in requests {
            let body = render(&request.body());
            let answer = send(&engine, request.operation, &body);
            let after = contents(&engine);
            match answer {
                Ok(response) => {
                    response.encode().unwrap();
                    before = after;
                }
                Err(error) => {
                    let code = error.code();
                    prop_assert!(EXPECTED.contains(&code), "{error} for {body}");
                    prop_assert_eq!(&before, &after, "{} changed something: {}", error, body);
                }
            }
            let verification = engine.verify().unwrap();
            prop_assert_eq!(verification.problems, Vec::<String>::new(), "after {}", body);
        }
    }

    #[test]
    fn any_bytes_are_answered(operation in operation(), body in "\\PC{0,80}|[{}\\[\\]\":,a-z0-9]{0,60}") {
        let engine = engine();
        if let Err(error) = send(&engine, operation, &body) {
            prop_assert!(EXPECTED.contains(&error.code()), "{error} for {body}");
        }
    }
}

#[test]
fn the_requests_are_good_before_they_are_spoiled() {
    for operation in OperationName::ALL {
        let engine = engine();
        let body = render(&requests::good(*operation, &STREAM));
        let answer = send(&engine, *operation, &body);
        // A table has no policy and no backup until it is given one, and never replicas. There is no folder for buckets.
        let is_good = match *operation {
            OperationName::GetResourcePolicy
            | OperationName::DescribeGlobalTable
            | OperationName::DescribeGlobalTableSettings
            | OperationName::DescribeTableReplicaAutoScaling
            | OperationName::DescribeBackup
            | OperationName::DeleteBackup
            | OperationName::RestoreTableFromBackup
            | OperationName::RestoreTableToPointInTime
            | OperationName::ExportTableToPointInTime
            | OperationName::DescribeExport
            | OperationName::ImportTable
            | OperationName::StartBulkPutItems
            | OperationName::DescribeBulkOperation
            | OperationName::CancelBulkOperation
            | OperationName::DescribeImport => answer.is_err(),
            _ => answer.is_ok(),
        };
        assert!(is_good, "{operation:?}: {answer:?}");
    }
}
