//! Statements do what the requests with expressions do that they stand for.
//!
//! Two engines get the same requests, one as statements and the other with expressions. Every answer must be the same,
//! every refusal of the same class, and in the end the tables.
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
mod notation;
mod pages;
mod pair;
#[path = "../legacy/substitutions.rs"]
mod substitutions;
mod together;
#[path = "../legacy/value.rs"]
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

/// What a request answers, as ExecuteStatement would: items, where they end, and what that cost.
fn answer(output: &Value) -> Value {
    let items = match (&output["Items"], &output["Attributes"]) {
        (Value::Null, Value::Null) => json!([]),
        (Value::Null, attributes) => json!([attributes]),
        (items, _) => items.clone(),
    };
    json!({
        "items": items, "end": output["LastEvaluatedKey"], "cost": output["ConsumedCapacity"]
    })
}

fn class(error: &Error) -> String {
    match error.code() {
        // What an INSERT calls the condition that it makes.
        "DuplicateItemException" => "ConditionalCheckFailedException".to_owned(),
        code => code.to_owned(),
    }
}

fn by_statement(engine: &Engine, pair: &Pair) -> Result<Value, String> {
    let output = call(engine, OperationName::ExecuteStatement, &pair.statement);
    let output = output.map_err(|error| class(&error))?;
    assert_eq!(
        output.get("NextToken").is_some(),
        output.get("LastEvaluatedKey").is_some()
    );
    Ok(answer(&output))
}

fn by_expressions(engine: &Engine, pair: &Pair) -> Result<Value, String> {
    let mut items = Vec::new();
    let mut last = Value::Null;
    for expression in &pair.expressions {
        let output = call(engine, pair.operation, expression).map_err(|error| class(&error))?;
        last = answer(&output);
        items.extend(last["items"].as_array().unwrap().iter().cloned());
    }
    last["items"] = json!(items);
    Ok(last)
}

#[test]
fn statements_equal_their_expressions() {
    let mut seen: BTreeMap<(&str, String), u32> = BTreeMap::new();
    for seed in 0..u64::from(cases::cases(40)) {
        let mut random = fastrand::Rng::with_seed(seed);
        let (statements, expressions) = (engine(), engine());
        for number in 0..REQUESTS {
            let pair = Pair::random(&mut random);
            let statement = by_statement(&statements, &pair);
            let expression = by_expressions(&expressions, &pair);
            assert_eq!(
                statement,
                expression,
                "seed {seed}, request {number}: {}\n  statement:   {}\n  expressions: {:?}\n  {:?}",
                pair.kind,
                pair.statement,
                pair.expressions,
                call(
                    &statements,
                    OperationName::ExecuteStatement,
                    &pair.statement
                ),
            );
            let class = statement.map_or_else(|code| code, |_| "done".to_owned());
            *seen.entry((pair.kind, class)).or_default() += 1;
        }
        let scan = json!({"TableName": "Items"});
        assert_eq!(
            call(&statements, OperationName::Scan, &scan).unwrap(),
            call(&expressions, OperationName::Scan, &scan).unwrap(),
            "seed {seed}"
        );
        assert_eq!(statements.verify().unwrap().problem_count, 0, "seed {seed}");
    }
    // Random requests that are all refused, or all done, would show little.
    for kind in ["insert", "update", "delete"] {
        for class in ["done", "ConditionalCheckFailedException"] {
            let count = seen.get(&(kind, class.to_owned()));
            assert!(count > Some(&20), "{kind} {class}: {seen:?}");
        }
    }
    for kind in ["update", "query", "index", "scan"] {
        for class in ["done", "ValidationException"] {
            let count = seen.get(&(kind, class.to_owned()));
            assert!(count > Some(&20), "{kind} {class}: {seen:?}");
        }
    }
    assert!(
        seen.get(&("partitions", "done".to_owned())) > Some(&20),
        "{seen:?}"
    );
}
