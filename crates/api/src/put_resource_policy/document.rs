//! The form in which AWS gives a policy back: no blanks, members in one order, statements as a list, and lists of one
//! element as that element. An account that is a principal is its root user.

use serde_json::{Map, Value};

const DOCUMENT: [&str; 3] = ["Version", "Id", "Statement"];
const STATEMENT: [&str; 9] = [
    "Sid",
    "Effect",
    "Principal",
    "NotPrincipal",
    "Action",
    "NotAction",
    "Resource",
    "NotResource",
    "Condition",
];
/// Members of a statement that are one text or several.
const TEXTS: [&str; 4] = ["Action", "NotAction", "Resource", "NotResource"];

/// Members of a statement that say who it is about.
const PRINCIPALS: [&str; 2] = ["Principal", "NotPrincipal"];

/// A policy in that form.
pub(super) fn canonical(members: &Map<String, Value>) -> String {
    write_object(members, &DOCUMENT, |name, value| match (name, value) {
        ("Statement", Value::Array(statements)) => write_statements(statements),
        ("Statement", statement) => write_statements(std::slice::from_ref(statement)),
        (_, value) => value.to_string(),
    })
}

fn write_statements(statements: &[Value]) -> String {
    let statements: Vec<String> = statements
        .iter()
        .map(|statement| match statement {
            Value::Object(members) => write_object(members, &STATEMENT, write_member),
            other => other.to_string(),
        })
        .collect();
    format!("[{}]", statements.join(","))
}

fn write_member(name: &str, value: &Value) -> String {
    match value {
        Value::Object(kinds) if PRINCIPALS.contains(&name) => {
            write_object(kinds, &[], |_, names| write_principals(names))
        }
        Value::Array(elements) if TEXTS.contains(&name) => match elements.as_slice() {
            [only] => only.to_string(),
            _ => value.to_string(),
        },
        _ => value.to_string(),
    }
}

/// Principals of one kind: each once, and accounts by the ARN of their root user.
fn write_principals(names: &Value) -> String {
    let names = match names {
        Value::Array(names) => names.as_slice(),
        only => std::slice::from_ref(only),
    };
    let mut written: Vec<Value> = Vec::new();
    for name in names {
        let is_account = |name: &str| name.len() == 12 && name.bytes().all(|b| b.is_ascii_digit());
        let name = match name.as_str().filter(|name| is_account(name)) {
            Some(account) => Value::from(format!("arn:aws:iam::{account}:root")),
            None => name.clone(),
        };
        if !written.contains(&name) {
            written.push(name);
        }
    }
    match written.as_slice() {
        [only] => only.to_string(),
        _ => Value::Array(written).to_string(),
    }
}

/// An object: the members of `order` first, in that order, then the others.
fn write_object(
    members: &Map<String, Value>,
    order: &[&str],
    write: impl Fn(&str, &Value) -> String,
) -> String {
    let first = order.iter().filter_map(|name| members.get_key_value(*name));
    let others = members
        .iter()
        .filter(|(name, _)| !order.contains(&name.as_str()));
    let written: Vec<String> = first
        .chain(others)
        .map(|(name, value)| {
            let value = write(name, value);
            format!("{}:{value}", Value::from(name.as_str()))
        })
        .collect();
    format!("{{{}}}", written.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_one_order_and_single_elements_no_list() {
        let text = r#"{"Statement": {"Resource": ["a"], "Action": ["x", "y"], "Effect": "Deny",
                       "Other": 1, "Sid": "s"}, "Version": "2012-10-17"}"#;
        let Ok(Value::Object(members)) = serde_json::from_str(text) else {
            panic!("it is an object");
        };
        assert_eq!(
            canonical(&members),
            r#"{"Version":"2012-10-17","Statement":[{"Sid":"s","Effect":"Deny","Action":["x","y"],"Resource":"a","Other":1}]}"#
        );
    }
}
