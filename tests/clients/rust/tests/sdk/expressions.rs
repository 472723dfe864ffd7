//! Every function, operator and clause of the expressions, from the cases that all clients share.

use crate::library::{Library, key};
use crate::wire::{cases, item, names, text, unordered};
use aws_sdk_dynamodb::types::ReturnValue;
use serde_json::Value;
use std::collections::HashMap;

/// Only the placeholders that occur: DynamoDB refuses any other, and empty lists of them.
fn used<T>(expression: &str, placeholders: HashMap<String, T>) -> Option<HashMap<String, T>> {
    let word = |c: char| c.is_alphanumeric() || c == ':' || c == '#';
    let words: Vec<_> = expression.split(|c| !word(c)).collect();
    let found: HashMap<_, _> = placeholders
        .into_iter()
        .filter(|(name, _)| words.contains(&name.as_str()))
        .collect();
    (!found.is_empty()).then_some(found)
}

fn list<'a>(cases: &'a Value, name: &str) -> std::slice::Iter<'a, Value> {
    cases[name].as_array().unwrap().iter()
}

#[tokio::test]
async fn conditions_and_filters() {
    let (library, cases) = (Library::new().await, cases());
    library.put(item(&cases["item"])).await;
    for case in list(&cases, "conditions") {
        let expression = text(&case["expression"]);
        let names = used(&expression, names(&cases["names"]));
        let values = used(&expression, item(&cases["values"]));
        let put = library
            .client
            .put_item()
            .table_name(&library.table)
            .set_item(Some(item(&cases["item"])));
        let put = put.condition_expression(&expression);
        let put = put.set_expression_attribute_names(names.clone());
        let held = match put
            .set_expression_attribute_values(values.clone())
            .send()
            .await
        {
            Ok(_) => true,
            Err(error) => {
                let error = error.into_service_error();
                assert!(
                    error.is_conditional_check_failed_exception(),
                    "{expression}: {error:?}"
                );
                false
            }
        };
        let scan = library
            .client
            .scan()
            .table_name(&library.table)
            .filter_expression(&expression);
        let scan = scan
            .set_expression_attribute_names(names)
            .set_expression_attribute_values(values);
        let count = scan.send().await.unwrap().count;
        let expected = case["holds"].as_bool().unwrap();
        assert_eq!(
            (held, count),
            (expected, i32::from(expected)),
            "{expression}"
        );
    }
}

#[tokio::test]
async fn updates() {
    let (library, cases) = (Library::new().await, cases());
    for case in list(&cases, "updates") {
        library.put(item(&cases["item"])).await;
        let update = library
            .client
            .update_item()
            .table_name(&library.table)
            .set_key(Some(key("ada", 1)));
        let answer = update
            .update_expression(text(&case["expression"]))
            .set_expression_attribute_names(case.get("names").map(names))
            .set_expression_attribute_values(case.get("values").map(item))
            .return_values(ReturnValue::AllNew)
            .send()
            .await
            .unwrap();
        let expected = changed(&cases["item"], &case["changes"]);
        assert_eq!(
            unordered(answer.attributes.unwrap()),
            unordered(item(&expected)),
            "{case}"
        );
    }
}

/// The item after the changes, of which null is a removal.
fn changed(item: &Value, changes: &Value) -> Value {
    let mut item = item.as_object().unwrap().clone();
    item.extend(changes.as_object().unwrap().clone());
    item.retain(|_, value| !value.is_null());
    Value::Object(item)
}

#[tokio::test]
async fn projections() {
    let (library, cases) = (Library::new().await, cases());
    library.put(item(&cases["item"])).await;
    for case in list(&cases, "projections") {
        let get = library
            .client
            .get_item()
            .table_name(&library.table)
            .set_key(Some(key("ada", 1)));
        let get = get.projection_expression(text(&case["expression"]));
        let found = get
            .set_expression_attribute_names(case.get("names").map(names))
            .send()
            .await
            .unwrap();
        assert_eq!(found.item, Some(item(&case["item"])), "{case}");
    }
}

#[tokio::test]
async fn wrong_expressions_are_refused_by_name() {
    let (library, cases) = (Library::new().await, cases());
    for case in list(&cases, "refused") {
        let delete = library
            .client
            .delete_item()
            .table_name(&library.table)
            .set_key(Some(key("ada", 1)));
        let refused = delete
            .condition_expression(text(&case["expression"]))
            .send()
            .await;
        let error = refused.unwrap_err().into_service_error();
        assert_eq!(error.meta().code(), Some("ValidationException"));
        let expected = format!("Invalid ConditionExpression: {}; ", text(&case["problem"]));
        assert!(
            error.meta().message().unwrap().starts_with(&expected),
            "{case}: {error:?}"
        );
    }
}
