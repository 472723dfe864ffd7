//! Answers of the REST API as what scripts compare: rows are read as items, so that every digit and every type counts.

use super::TextResponse;
use crate::expectation::Answer;
use crate::run::{page_json, shown};
use monotable_item::{AttributeValue, Item};
use monotable_store::wire::read_item;
use monotable_store::{AnyOperation, Page, Row};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// What came of an operation.
pub(super) fn read(operation: &AnyOperation, response: TextResponse) -> Answer {
    let TextResponse { status, body } = response;
    let read = if status.is_success() {
        read_output(operation, &body)
    } else {
        read_problem(&body)
    };
    read.unwrap_or_else(|problem| Answer::Error {
        kind: "Unreadable".to_owned(),
        message: format!("{status}: {problem}: {body}"),
    })
}

fn read_problem(body: &str) -> Result<Answer, String> {
    #[derive(Deserialize)]
    struct Problem {
        code: String,
        detail: String,
    }
    let problem: Problem = serde_json::from_str(body).map_err(|error| error.to_string())?;
    Ok(Answer::Error {
        kind: problem.code,
        message: problem.detail,
    })
}

fn read_output(operation: &AnyOperation, body: &str) -> Result<Answer, String> {
    match operation {
        // A pattern may compare two revisions: its answer has no count of hidden rows.
        AnyOperation::Query(_) | AnyOperation::Log(_) => {
            read_page(body).or_else(|_| read_differences(read_members(body)?))
        }
        AnyOperation::Diff(_) => read_differences(read_members(body)?),
        AnyOperation::Show(_) => read_snapshot(body),
        AnyOperation::Transact(_) => {
            let rows: RowsJson<'_> = read_members(body)?;
            Ok(Answer::Value(show_rows(&rows.rows)?))
        }
        AnyOperation::CheckSecret(_) => {
            let answer: Value = read_members(body)?;
            let holds = answer.get("holds").cloned();
            Ok(Answer::Value(holds.ok_or("no `holds`")?))
        }
        AnyOperation::Commit(_)
        | AnyOperation::CommitAll(_)
        | AnyOperation::Revert(_)
        | AnyOperation::Carry(_) => read_committed(body),
        AnyOperation::Sweep(_) => read_sweep(&read_members(body)?),
        AnyOperation::Purge(_) => read_purge(&read_members(body)?),
        AnyOperation::Create(_)
        | AnyOperation::Get(_)
        | AnyOperation::Update(_)
        | AnyOperation::Put(_)
        | AnyOperation::Delete(_)
        | AnyOperation::Attach(_)
        | AnyOperation::Detach(_)
        | AnyOperation::MoveRow(_)
        | AnyOperation::Rollback(_) => Ok(Answer::Value(shown(&read_row(body)?))),
    }
}

fn read_members<'b, T: Deserialize<'b>>(body: &'b str) -> Result<T, String> {
    serde_json::from_str(body).map_err(|error| error.to_string())
}

fn read_row(text: &str) -> Result<Row, String> {
    let mut values: Item = read_item(text).map_err(|error| error.to_string())?;
    match values.remove("$entity") {
        Some(AttributeValue::S(entity)) => Ok(Row { entity, values }),
        _ => Err("a row without `$entity`".to_owned()),
    }
}

fn read_rows(rows: &[&RawValue]) -> Result<Vec<Row>, String> {
    rows.iter().map(|row| read_row(row.get())).collect()
}

fn show_rows(rows: &[&RawValue]) -> Result<Value, String> {
    let rows = read_rows(rows)?;
    Ok(Value::Array(rows.iter().map(shown).collect()))
}

#[derive(Deserialize)]
struct RowsJson<'b> {
    #[serde(borrow)]
    rows: Vec<&'b RawValue>,
}

#[derive(Deserialize)]
struct PageJson<'b> {
    #[serde(borrow)]
    rows: Vec<&'b RawValue>,
    #[serde(borrow, default)]
    followed: Vec<&'b RawValue>,
    #[serde(borrow, default)]
    unknown: Vec<&'b RawValue>,
    #[serde(default)]
    dangling: Vec<String>,
    #[serde(default)]
    cursor: Option<String>,
}

fn read_page(body: &str) -> Result<Answer, String> {
    let page: PageJson<'_> = read_members(body)?;
    let unknown = page.unknown.iter().map(|item| read_item(item.get()));
    let unknown: Result<_, _> = unknown.collect();
    Ok(Answer::Page(page_json(&Page {
        rows: read_rows(&page.rows)?,
        followed: read_rows(&page.followed)?,
        unknown: unknown.map_err(|error| error.to_string())?,
        dangling: page.dangling,
        // The API does not tell.
        hidden: 0,
        cursor: page.cursor,
    })))
}

fn read_snapshot(body: &str) -> Result<Answer, String> {
    #[derive(Deserialize)]
    struct Snapshot<'b> {
        revision: String,
        #[serde(borrow)]
        rows: Vec<&'b RawValue>,
    }
    let snapshot: Snapshot<'_> = read_members(body)?;
    Ok(Answer::Page(json!({
        "revision": snapshot.revision,
        "rows": show_rows(&snapshot.rows)?,
    })))
}

fn read_committed(body: &str) -> Result<Answer, String> {
    #[derive(Deserialize)]
    struct Committed<'b> {
        #[serde(borrow)]
        revisions: Vec<&'b RawValue>,
        #[serde(default)]
        warnings: Vec<String>,
    }
    let committed: Committed<'_> = read_members(body)?;
    let rows = read_rows(&committed.revisions)?;
    let rows: Vec<Value> = rows.iter().map(shown).collect();
    let mut json = rows.first().cloned().unwrap_or_else(|| json!({}));
    if let Value::Object(map) = &mut json {
        map.insert("revisions".to_owned(), Value::Array(rows));
        map.insert("warnings".to_owned(), json!(committed.warnings));
    }
    Ok(Answer::Value(json))
}

#[derive(Deserialize)]
struct DiffJson<'b> {
    #[serde(borrow)]
    rows: Vec<DifferenceJson<'b>>,
}

#[derive(Deserialize)]
struct DifferenceJson<'b> {
    is: String,
    #[serde(borrow, default)]
    before: Option<&'b RawValue>,
    #[serde(borrow, default)]
    after: Option<&'b RawValue>,
    #[serde(default)]
    attributes: Option<Vec<String>>,
}

/// A script has what there is under `row`: the row after, or the one that is gone.
fn read_differences(differences: DiffJson<'_>) -> Result<Answer, String> {
    let mut list = Vec::new();
    for difference in differences.rows {
        let show = |row: Option<&RawValue>| match row {
            Some(row) => read_row(row.get()).map(|row| Some(shown(&row))),
            None => Ok(None),
        };
        let (before, after) = (show(difference.before)?, show(difference.after)?);
        let mut json = json!({ "is": difference.is });
        if let Value::Object(map) = &mut json {
            match (before, after) {
                (Some(row), None) | (None, Some(row)) => {
                    map.insert("row".to_owned(), row);
                }
                (Some(before), Some(after)) => {
                    map.insert("before".to_owned(), before);
                    map.insert("row".to_owned(), after);
                }
                (None, None) => return Err("a difference without a row".to_owned()),
            }
            if let Some(attributes) = difference.attributes {
                map.insert("attributes".to_owned(), json!(attributes));
            }
        }
        list.push(json);
    }
    Ok(Answer::Value(Value::Array(list)))
}

fn read_sweep(report: &Value) -> Result<Answer, String> {
    let list = |name: &str| report.get(name).and_then(Value::as_array);
    let reason = |one: &Value| one.get("reason").cloned().unwrap_or_default();
    let removed = list("removed").ok_or("no `removed`")?;
    let kept = list("kept").ok_or("no `kept`")?;
    let intents = removed.iter().filter(|one| reason(one) != "orphaned");
    let rows = removed.iter().filter_map(|one| one.get("rows")?.as_u64());
    let young = kept.iter().filter(|one| reason(one) == "too_young");
    let mut json = json!({
        "intents": intents.count(),
        "rows": rows.sum::<u64>(),
        "left": young.count(),
    });
    let problems = kept.iter().filter_map(|one| one.get("reason")?.as_object());
    let problems: Vec<&Value> = problems.flat_map(serde_json::Map::values).collect();
    if let (Value::Object(map), false) = (&mut json, problems.is_empty()) {
        map.insert("problems".to_owned(), json!(problems));
    }
    Ok(Answer::Value(json))
}

fn read_purge(report: &Value) -> Result<Answer, String> {
    let partitions = report.get("partitions").and_then(Value::as_array);
    let partitions = partitions.ok_or("no `partitions`")?;
    let items = partitions
        .iter()
        .filter_map(|one| one.get("items")?.as_u64());
    Ok(Answer::Value(json!({
        "partitions": partitions.len(),
        "items": items.sum::<u64>(),
    })))
}
