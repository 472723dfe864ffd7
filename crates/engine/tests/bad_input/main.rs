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
use monotable_api::{Dynamo, Error, ListTablesInput, OperationName, Request, Response, ScanInput};
use monotable_engine::Engine;
use monotable_item::EncodedItem;
use proptest::prelude::*;
use serde_json::Value;
use spoil::{Spoil, render, spoil};

/// Runs a body as a server would.
fn send(engine: &Engine, operation: OperationName, body: &str) -> Result<Response, Error> {
    let request = Request::decode(operation, body.as_bytes())?;
    block_on(engine.call(request))
}

fn engine() -> Engine {
    let engine = Engine::in_memory().unwrap();
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
        let mut body = requests::good(self.operation);
        self.spoils.iter().for_each(|spoil| spoil.apply(&mut body));
        body
    }
}

fn spoiled() -> impl Strategy<Value = Spoiled> {
    let spoils = proptest::collection::vec(spoil(), 1..4);
    (operation(), spoils).prop_map(|(operation, spoils)| Spoiled { operation, spoils })
}

const EXPECTED: [&str; 7] = [
    "ValidationException",
    "SerializationException",
    "ResourceNotFoundException",
    "ResourceInUseException",
    "ConditionalCheckFailedException",
    "TransactionCanceledException",
    "IdempotentParameterMismatchException",
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
                    let mut bytes = Vec::new();
                    response.write_json(&mut bytes).unwrap();
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
        let body = render(&requests::good(*operation));
        let answer = send(&engine, *operation, &body);
        assert!(answer.is_ok(), "{operation:?}: {answer:?}");
    }
}
