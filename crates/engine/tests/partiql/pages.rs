//! Pages, one after another, are what one page would be.

use super::{call, engine};
use monotable_api::OperationName;
use monotable_engine::Engine;
use serde_json::{Value, json};

fn filled() -> Engine {
    let engine = engine();
    for partition in ["x", "xy", "z"] {
        for sort in 0..7 {
            let item = json!({
                "p": {"S": partition}, "r": {"N": sort.to_string()}, "g": {"S": "g"},
                "a": {"N": (sort % 2).to_string()}
            });
            let put = json!({"TableName": "Items", "Item": item});
            call(&engine, OperationName::PutItem, &put).unwrap();
        }
    }
    engine
}

fn select(engine: &Engine, request: &Value) -> Value {
    call(engine, OperationName::ExecuteStatement, request).unwrap()
}

/// All items, in pages of so many.
fn in_pages(engine: &Engine, request: &Value, limit: u32) -> Vec<Value> {
    let mut request = request.clone();
    request["Limit"] = json!(limit);
    let mut items = Vec::new();
    loop {
        let page = select(engine, &request);
        let found = page["Items"].as_array().unwrap();
        assert!(found.len() <= limit as usize, "{page}");
        items.extend(found.iter().cloned());
        match page.get("NextToken") {
            Some(token) => request["NextToken"] = token.clone(),
            None => return items,
        }
    }
}

const STATEMENTS: [&str; 10] = [
    "SELECT * FROM Items",
    "SELECT r FROM Items WHERE a = 1",
    "SELECT * FROM Items WHERE p = 'x'",
    "SELECT * FROM Items WHERE p = 'x' ORDER BY r DESC",
    "SELECT * FROM Items WHERE p IN ['z', 'x', 'nobody']",
    "SELECT * FROM Items WHERE p IN ['z', 'x'] AND r > 2 AND a = 0 ORDER BY p DESC, r",
    "SELECT * FROM Items WHERE p = 'x' AND r IN [0, 3, 5] ORDER BY r DESC",
    "SELECT * FROM Items WHERE (p = 'x' AND r < 2) OR (p = 'x' AND r > 4) OR p = 'z'",
    "SELECT p, r FROM Items.\"by-g\" WHERE g = 'g' AND r >= 3",
    "SELECT p, r FROM Items.\"by-g\" WHERE a = 1",
];

#[test]
fn pages_together_are_the_whole() {
    let engine = filled();
    for statement in STATEMENTS {
        let request = json!({"Statement": statement});
        let whole = select(&engine, &request);
        assert!(whole.get("NextToken").is_none(), "{statement}");
        let whole = whole["Items"].as_array().unwrap();
        assert!(!whole.is_empty(), "{statement}");
        for limit in 1..9 {
            assert_eq!(
                &in_pages(&engine, &request, limit),
                whole,
                "{statement} {limit}"
            );
        }
    }
}

#[test]
fn a_token_serves_its_own_statement_alone() {
    let engine = filled();
    let tokens: Vec<Value> = STATEMENTS
        .iter()
        .map(|statement| {
            let page = select(&engine, &json!({"Statement": statement, "Limit": 1}));
            page["NextToken"].clone()
        })
        .collect();
    for (own, statement) in STATEMENTS.iter().enumerate() {
        for (other, token) in tokens.iter().enumerate() {
            let request = json!({"Statement": statement, "NextToken": token});
            let page = call(&engine, OperationName::ExecuteStatement, &request);
            match page {
                Ok(_) => assert_eq!(own, other),
                Err(error) => {
                    assert_ne!(own, other, "{error}");
                    assert_eq!(error.message(), "NextToken does not match request");
                }
            }
        }
    }
}

#[test]
fn a_page_ends_after_a_megabyte_of_all_partitions() {
    let engine = engine();
    let large = "x".repeat(300_000);
    for partition in ["x", "xy", "z"] {
        for sort in 0..2 {
            let item = json!({
                "p": {"S": partition}, "r": {"N": sort.to_string()}, "a": {"S": large}
            });
            let put = json!({"TableName": "Items", "Item": item});
            call(&engine, OperationName::PutItem, &put).unwrap();
        }
    }
    let statement = "SELECT p, r FROM Items WHERE p IN ['x', 'xy', 'z']";
    let page = select(
        &engine,
        &json!({"Statement": statement, "ReturnConsumedCapacity": "TOTAL"}),
    );
    assert_eq!(page["Items"].as_array().unwrap().len(), 4);
    assert_eq!(
        page["LastEvaluatedKey"],
        json!({"p": {"S": "xy"}, "r": {"N": "1"}})
    );
    let rest = json!({"Statement": statement, "NextToken": page["NextToken"]});
    let rest = select(&engine, &rest);
    assert_eq!(rest["Items"].as_array().unwrap().len(), 2);
    assert!(rest.get("NextToken").is_none());
}
