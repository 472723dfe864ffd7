//! Batches and transactions of statements, beside the operations that they stand for.

use super::{call, cases, class, engine};
use crate::condition::condition;
use crate::notation::Notation;
use crate::value;
use monotable_api::OperationName;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A statement and the action of a transaction that it stands for.
fn action(random: &mut fastrand::Rng) -> (Value, Value) {
    let mut notation = Notation::new(random);
    let key = value::key(notation.random);
    let equalities = format!(
        "p = '{}' AND r = {}",
        text(&key["p"]["S"]),
        text(&key["r"]["N"])
    );
    let kind = notation.random.u8(0..4);
    if kind == 0 {
        let item = json!({"p": key["p"], "r": key["r"], "a": {"S": "inserted"}});
        let statement = format!(
            "INSERT INTO Items VALUE {{'p': '{}', 'r': {}, 'a': 'inserted'}}",
            text(&key["p"]["S"]),
            text(&key["r"]["N"])
        );
        let put = json!({
            "TableName": "Items", "Item": item, "ConditionExpression": "attribute_not_exists(p)"
        });
        return (json!({"Statement": statement}), json!({"Put": put}));
    }
    let condition = condition(&mut notation).grouped();
    let (name, statement, expression) = match kind {
        1 => (
            "Update",
            format!(
                "UPDATE Items SET b = 1 WHERE {equalities} AND {}",
                condition.statement
            ),
            format!("attribute_exists(p) AND {}", condition.expression),
        ),
        2 => (
            "Delete",
            format!(
                "DELETE FROM Items WHERE {equalities} AND {}",
                condition.statement
            ),
            format!("attribute_not_exists(p) OR {}", condition.expression),
        ),
        _ => (
            "ConditionCheck",
            format!(
                "EXISTS(SELECT * FROM Items WHERE {equalities} AND {})",
                condition.statement
            ),
            condition.expression,
        ),
    };
    let mut action = json!({
        "TableName": "Items", "Key": key, "ConditionExpression": expression,
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD"
    });
    let mut statement = notation.statement(&statement);
    statement["ReturnValuesOnConditionCheckFailure"] = json!("ALL_OLD");
    notation.substitutions.add_to(&mut action);
    if name == "Update" {
        action["UpdateExpression"] = json!("SET b = :set");
        action["ExpressionAttributeValues"][":set"] = json!({"N": "1"});
    }
    (statement, json!({name: action}))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

#[test]
fn transactions_of_statements_equal_those_of_actions() {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..u64::from(cases::cases(40)) {
        let mut random = fastrand::Rng::with_seed(seed);
        let (statements, actions) = (engine(), engine());
        for number in 0..60 {
            let item = json!({"TableName": "Items", "Item": value::item(&mut random)});
            for engine in [&statements, &actions] {
                let _ = call(engine, OperationName::PutItem, &item);
            }
            let parts: Vec<_> = (0..random.usize(1..3))
                .map(|_| action(&mut random))
                .collect();
            let (by_statement, by_action): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
            let by_statement = json!({"TransactStatements": by_statement});
            let by_action = json!({"TransactItems": by_action});
            let one = call(
                &statements,
                OperationName::ExecuteTransaction,
                &by_statement,
            );
            let other = call(&actions, OperationName::TransactWriteItems, &by_action);
            let one = one.map(drop).map_err(|error| {
                let body = String::from_utf8(error.to_body()).unwrap();
                body.replace("DuplicateItem", "ConditionalCheckFailed")
                    .replace(
                        "Duplicate primary key exists in table",
                        "The conditional request failed",
                    )
            });
            let other_body = other
                .as_ref()
                .map(drop)
                .map_err(|error| String::from_utf8(error.to_body()).unwrap());
            let outcome = match &other {
                Ok(_) => "done".to_owned(),
                Err(error) => class(error),
            };
            // A rule of expressions has the name of the expression before it.
            if outcome == "ValidationException" {
                assert!(one.is_err(), "seed {seed}, {number}: {by_statement}");
            } else {
                assert_eq!(
                    one, other_body,
                    "seed {seed}, {number}: {by_statement}\n{by_action}"
                );
            }
            *seen.entry(outcome).or_default() += 1;
        }
        let scan = json!({"TableName": "Items"});
        assert_eq!(
            call(&statements, OperationName::Scan, &scan).unwrap(),
            call(&actions, OperationName::Scan, &scan).unwrap(),
            "seed {seed}"
        );
    }
    for outcome in [
        "done",
        "TransactionCanceledException",
        "ValidationException",
    ] {
        assert!(seen.get(outcome) > Some(&20), "{seen:?}");
    }
}

#[test]
fn a_batch_answers_what_its_statements_answer_alone() {
    let (together, alone) = (engine(), engine());
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..200 {
        let statements: Vec<Value> = (0..random.usize(1..5))
            .map(|position| {
                // Each on an item of its own, so that their order means nothing.
                let key = format!("p = 'x' AND r = {position}");
                let text = match random.u8(0..4) {
                    0 => format!("INSERT INTO Items VALUE {{'p': 'x', 'r': {position}, 'a': 0}}"),
                    1 => format!("UPDATE Items SET a = a + 1 WHERE {key} RETURNING ALL NEW *"),
                    2 => format!("DELETE FROM Items WHERE {key} AND a > 1 RETURNING ALL OLD *"),
                    _ => format!("UPDATE Items SET b = a WHERE {key} AND b IS MISSING"),
                };
                json!({"Statement": text, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"})
            })
            .collect();
        let batch = json!({"Statements": statements});
        let batch = call(&together, OperationName::BatchExecuteStatement, &batch).unwrap();
        for (statement, response) in statements
            .iter()
            .zip(batch["Responses"].as_array().unwrap())
        {
            match call(&alone, OperationName::ExecuteStatement, statement) {
                Ok(output) => {
                    assert_eq!(response.get("Error"), None, "{statement}");
                    assert_eq!(response.get("Item"), output["Items"].get(0), "{statement}");
                }
                Err(error) => {
                    let code = response["Error"]["Code"].as_str().unwrap();
                    assert!(
                        error.code().starts_with(code),
                        "{statement}: {error} {response}"
                    );
                    assert_eq!(response["Error"]["Message"], json!(error.message()));
                }
            }
        }
        let read = json!({"Statement": "SELECT * FROM Items WHERE p = 'x'"});
        assert_eq!(
            call(&together, OperationName::ExecuteStatement, &read).unwrap(),
            call(&alone, OperationName::ExecuteStatement, &read).unwrap()
        );
    }
}
