//! Legacy parameters do what the expressions do that they stand for.
//!
//! Two engines get the same requests, one with legacy parameters and the other with expressions. Every
//! answer must be the same, every refusal of the same class, and in the end the tables.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

#[path = "../support/block_on.rs"]
mod block_on;
#[path = "../support/cases.rs"]
mod cases;
mod condition;
mod pair;
mod substitutions;
mod value;

use block_on::block_on;
use monotable_api::{Dynamo, Error, OperationName, Request};
use monotable_engine::Engine;
use pair::Pair;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const REQUESTS: usize = 150;

fn call(engine: &Engine, operation: OperationName, request: &Value) -> Result<Value, Error> {
    let request = Request::decode(operation, request.to_string().as_bytes())?;
    let answer = block_on(engine.call(request))?.encode()?;
    Ok(serde_json::from_slice(&answer).unwrap())
}

/// What came of a request: its answer, or the class of its refusal.
fn outcome(engine: &Engine, operation: OperationName, request: &Value) -> Result<Value, String> {
    call(engine, operation, request).map_err(|error| error.code().to_owned())
}

fn engine() -> Engine {
    let engine = Engine::in_memory().unwrap();
    let attribute = |name, kind| json!({"AttributeName": name, "AttributeType": kind});
    let key = |name, role| json!({"AttributeName": name, "KeyType": role});
    let table = json!({
        "TableName": "Items",
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [attribute("p", "S"), attribute("r", "N"), attribute("g", "S")],
        "KeySchema": [key("p", "HASH"), key("r", "RANGE")],
        "GlobalSecondaryIndexes": [{
            "IndexName": "by-g",
            "KeySchema": [key("g", "HASH"), key("r", "RANGE")],
            "Projection": {"ProjectionType": "ALL"},
        }],
    });
    call(&engine, OperationName::CreateTable, &table).unwrap();
    engine
}

#[test]
fn legacy_requests_equal_their_expressions() {
    let mut seen: BTreeMap<(&str, String), u32> = BTreeMap::new();
    for seed in 0..u64::from(cases::cases(40)) {
        let mut random = fastrand::Rng::with_seed(seed);
        let (by_legacy, by_expression) = (engine(), engine());
        for number in 0..REQUESTS {
            let Pair {
                operation,
                legacy,
                expression,
            } = Pair::random(&mut random);
            let legacy_outcome = outcome(&by_legacy, operation, &legacy);
            let expression_outcome = outcome(&by_expression, operation, &expression);
            assert_eq!(
                legacy_outcome,
                expression_outcome,
                "seed {seed}, request {number}: {operation}\n  legacy:     {legacy}\n  \
                 expression: {expression}\n  {:?}\n  {:?}",
                call(&by_legacy, operation, &legacy),
                call(&by_expression, operation, &expression),
            );
            let class = legacy_outcome.map_or_else(|code| code, |_| "done".to_owned());
            *seen.entry((operation.as_str(), class)).or_default() += 1;
        }
        let scan = json!({"TableName": "Items"});
        assert_eq!(
            outcome(&by_legacy, OperationName::Scan, &scan),
            outcome(&by_expression, OperationName::Scan, &scan),
            "seed {seed}"
        );
        assert_eq!(by_legacy.verify().unwrap().problem_count, 0, "seed {seed}");
    }
    // Random requests that are all refused, or all done, would show little.
    for operation in ["PutItem", "UpdateItem", "DeleteItem"] {
        for class in ["done", "ConditionalCheckFailedException"] {
            let count = seen.get(&(operation, class.to_owned()));
            assert!(count > Some(&20), "{operation} {class}: {seen:?}");
        }
    }
    for operation in ["GetItem", "BatchGetItem", "Query", "Scan", "UpdateItem"] {
        for class in ["done", "ValidationException"] {
            let count = seen.get(&(operation, class.to_owned()));
            assert!(count > Some(&20), "{operation} {class}: {seen:?}");
        }
    }
}
