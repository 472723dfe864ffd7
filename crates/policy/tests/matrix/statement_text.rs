//! PartiQL by cutting texts: enough for the statements of this test.

use crate::facts::{Draft, partition_key};
use serde_json::Value;
use std::collections::BTreeSet;

pub(crate) fn draft(body: &Value) -> Draft {
    let text = body["Statement"].as_str().unwrap();
    let text = match body["Parameters"][0]["S"].as_str() {
        Some(value) => text.replace('?', &format!("'{value}'")),
        None => text.to_owned(),
    };
    let text = without_in(&text);
    let inner = text
        .strip_prefix("EXISTS(")
        .and_then(|text| text.strip_suffix(')'));
    let is_exists = inner.is_some();
    let text = inner.unwrap_or(&text);
    let (text, returning) = text.split_once(" RETURNING ").unwrap_or((text, ""));
    let (head, condition) = text.split_once(" WHERE ").unwrap_or((text, ""));
    let (table, index) = target(head);
    let action = match head.split(' ').next().unwrap() {
        "SELECT" => "PartiQLSelect",
        "INSERT" => "PartiQLInsert",
        "UPDATE" => "PartiQLUpdate",
        "DELETE" => "PartiQLDelete",
        other => panic!("{other}"),
    };
    let mut draft = Draft::new(action, &Value::from(table)).on_index(index);
    draft.name(names_in_condition(condition));
    let names = partition_key(table, index);
    if action == "PartiQLInsert" {
        let (_, item) = head.split_once('{').unwrap();
        let members: Vec<_> = item
            .trim_end_matches('}')
            .split(", ")
            .map(|member| member.split_once(": ").unwrap())
            .collect();
        draft.name(members.iter().map(|(name, _)| unquoted(name)));
        let own = members
            .iter()
            .find(|(name, _)| names.contains(&unquoted(name).as_str()));
        draft.partitions(own.iter().map(|(_, value)| vec![unquoted(value)]).collect());
        return draft;
    }
    if action == "PartiQLUpdate" {
        let (_, changes) = head.split_once(" SET ").unwrap();
        draft.name(
            changes
                .split(", ")
                .map(|change| change.split(" = ").next().unwrap().to_owned()),
        );
    }
    let pinned = pinned(condition, names.first().copied().unwrap_or_default());
    if let (Some(values), false) = (&pinned, names.is_empty()) {
        draft.partitions(vec![values.iter().cloned().collect()]);
    }
    let returned = match returning {
        "" => None,
        "ALL OLD *" => Some("ALL_OLD"),
        "MODIFIED NEW *" => Some("UPDATED_NEW"),
        other => panic!("{other}"),
    };
    if let Some(returned) = returned {
        draft = draft.with("returnvalues", returned);
    }
    if action != "PartiQLSelect" || is_exists {
        return draft;
    }
    let columns = head
        .strip_prefix("SELECT ")
        .unwrap()
        .split(" FROM ")
        .next()
        .unwrap();
    if columns != "*" {
        draft.name(columns.split(", ").map(str::to_owned));
    }
    let select = match (columns, index) {
        ("*", None) => "ALL_ATTRIBUTES",
        ("*", Some(_)) => "ALL_PROJECTED_ATTRIBUTES",
        _ => "SPECIFIC_ATTRIBUTES",
    };
    let is_full = pinned.is_none() || names.is_empty();
    draft
        .with("select", select)
        .with("fulltablescan", &is_full.to_string())
}

/// `a IN [x, y]` as `a = x OR a = y`, where nothing else stands beside it.
fn without_in(text: &str) -> String {
    let Some((before, list)) = text.split_once(" IN [") else {
        return text.to_owned();
    };
    let (head, name) = before.rsplit_once(' ').unwrap();
    let values = list.trim_end_matches(']').split(", ");
    let comparisons: Vec<_> = values.map(|value| format!("{name} = {value}")).collect();
    format!("{head} {}", comparisons.join(" OR "))
}

fn target(head: &str) -> (&str, Option<&str>) {
    let mut quoted = head.split('"').skip(1).step_by(2);
    (quoted.next().unwrap(), quoted.next())
}

fn unquoted(text: &str) -> String {
    text.trim_matches('\'').to_owned()
}

fn names_in_condition(condition: &str) -> BTreeSet<String> {
    let comparisons = condition
        .split(" OR ")
        .flat_map(|branch| branch.split(" AND "));
    let comparisons = comparisons.filter(|comparison| !comparison.is_empty());
    comparisons
        .map(|comparison| comparison.split(" = ").next().unwrap().to_owned())
        .collect()
}

/// The values of the partition key, if every alternative has one.
fn pinned(condition: &str, key: &str) -> Option<BTreeSet<String>> {
    let branches = condition.split(" OR ");
    branches
        .map(|branch| {
            let mut comparisons = branch
                .split(" AND ")
                .filter_map(|comparison| comparison.split_once(" = "));
            comparisons
                .find(|(name, _)| *name == key)
                .map(|(_, value)| unquoted(value))
        })
        .collect()
}
