//! Statements that are operations of the store.

use super::repositories;
use crate::expectation::Answer;
use crate::json::{of_item, to_item, to_value};
use crate::rest::RestClient;
use crate::statement::{Part, Statement};
use monotable_item::Item;
use monotable_store::{
    AnyOperation, AnyOutput, Attach, Change, CheckSecret, Create, Delete, Detach, Error, Get,
    MoveRow, Options, Page, Put, Query, RequestFacts, Row, Store, Transact, Update,
};
use serde_json::{Value, json};

/// The operation of a statement, and its options.
pub(crate) fn operation(
    statement: &Statement,
    inside: Vec<AnyOperation>,
) -> Result<(AnyOperation, Options), String> {
    let entity = || statement.word_at(0).map(str::to_owned);
    let item = |place| to_item(statement.json_at(place)?);
    let operation = match statement.word.as_str() {
        "create" => AnyOperation::Create(Create {
            entity: entity()?,
            values: item(1)?,
        }),
        "put" => AnyOperation::Put(Put {
            entity: entity()?,
            values: item(1)?,
        }),
        "attach" => AnyOperation::Attach(Attach {
            entity: entity()?,
            values: item(1)?,
        }),
        "get" => AnyOperation::Get(Get {
            entity: entity()?,
            key: item(1)?,
        }),
        "delete" => AnyOperation::Delete(Delete {
            entity: entity()?,
            key: item(1)?,
        }),
        "detach" => AnyOperation::Detach(Detach {
            entity: entity()?,
            key: item(1)?,
        }),
        "update" => AnyOperation::Update(Update {
            entity: entity()?,
            key: item(1)?,
            change: change(statement.json_at(2)?)?,
        }),
        "move" => AnyOperation::MoveRow(MoveRow {
            name: entity()?,
            key: item(1)?,
            set: item(2)?,
        }),
        "query" => AnyOperation::Query(query(statement)?),
        "check-secret" => AnyOperation::CheckSecret(CheckSecret {
            entity: entity()?,
            key: item(1)?,
            attribute: statement.word_at(2)?.to_owned(),
            text: statement
                .json_at(3)?
                .as_str()
                .unwrap_or_default()
                .to_owned(),
        }),
        "transact" => AnyOperation::Transact(Transact { operations: inside }),
        _ => repositories::operation(statement, inside)?,
    };
    Ok((operation, options(statement)?))
}

/// `{"set": .., "unset": [..], "add": .., "append": ..}`, or the attributes to set alone.
fn change(json: &Value) -> Result<Change, String> {
    const WORDS: [&str; 4] = ["set", "unset", "add", "append"];
    let named = json
        .as_object()
        .is_some_and(|map| !map.is_empty() && map.keys().all(|key| WORDS.contains(&key.as_str())));
    if !named {
        return Ok(Change {
            set: to_item(json)?,
            ..Change::default()
        });
    }
    let item = |name: &str| json.get(name).map_or(Ok(Item::new()), to_item);
    let unset = json.get("unset").and_then(Value::as_array);
    let unset = unset.into_iter().flatten().filter_map(Value::as_str);
    Ok(Change {
        set: item("set")?,
        unset: unset.map(str::to_owned).collect(),
        add: item("add")?,
        append: item("append")?,
    })
}

fn query(statement: &Statement) -> Result<Query, String> {
    let parameters = match statement.parts.get(1) {
        Some(Part::Json(json)) => to_item(json)?,
        _ => Item::new(),
    };
    Ok(Query {
        pattern: statement.word_at(0)?.to_owned(),
        parameters,
        limit: statement
            .word_after("limit")
            .and_then(|word| word.parse().ok()),
        after: statement.word_after("after").map(str::to_owned),
        descending: statement.has("descending").then_some(true),
    })
}

fn options(statement: &Statement) -> Result<Options, String> {
    let mut expected = Item::new();
    if let Some(Part::Json(json)) = statement.after("expecting") {
        for (name, value) in json.as_object().into_iter().flatten() {
            expected.insert(name.clone(), to_value(value)?);
        }
    }
    Ok(Options {
        expected,
        token: statement.word_after("token").map(str::to_owned),
        identity: None,
        consistent: statement.has("consistent"),
        dry_run: statement.has("dry"),
        request: RequestFacts {
            ip: statement.word_after("ip").map(str::to_owned),
            source: statement.word_after("source").map(str::to_owned),
        },
    })
}

/// Calls an operation, over HTTP if there is a client for that.
pub(crate) async fn call(
    store: &Store,
    rest: Option<&RestClient>,
    operation: AnyOperation,
    options: Options,
) -> Answer {
    match rest {
        Some(rest) => rest.call(&operation, &options).await,
        None => answer(store.run(operation, options).await),
    }
}

/// What came of an operation.
fn answer(result: Result<AnyOutput, Error>) -> Answer {
    match result {
        Ok(AnyOutput::Row(row)) => Answer::Value(shown(&row)),
        Ok(AnyOutput::Rows(rows)) => Answer::Value(Value::Array(rows.iter().map(shown).collect())),
        Ok(AnyOutput::Flag(flag)) => Answer::Value(Value::Bool(flag)),
        Ok(AnyOutput::Page(page)) => Answer::Page(page_json(&page)),
        Ok(AnyOutput::Snapshot(snapshot)) => Answer::Page(repositories::snapshot(&snapshot)),
        Ok(AnyOutput::Committed(committed)) => Answer::Value(repositories::committed(&committed)),
        Ok(AnyOutput::Differences(found)) => Answer::Value(repositories::differences(&found)),
        Ok(AnyOutput::SweepReport(report)) => Answer::Value(repositories::swept(&report)),
        Ok(AnyOutput::PurgeReport(report)) => Answer::Value(json!({
            "partitions": report.partitions.len(),
            "items": report.items(),
        })),
        Err(error) => Answer::Error {
            kind: error.kind().name().to_owned(),
            message: error.to_string(),
        },
    }
}

/// A row as an object, its entity under `entity`.
pub(crate) fn shown(row: &Row) -> Value {
    let mut json = of_item(&row.values);
    if let Value::Object(map) = &mut json {
        map.entry("entity")
            .or_insert_with(|| Value::String(row.entity.clone()));
    }
    json
}

pub(crate) fn page_json(page: &Page) -> Value {
    let rows = |rows: &[Row]| Value::Array(rows.iter().map(shown).collect());
    let unknown = page.unknown.iter().map(|item| {
        shown(&Row {
            entity: "unknown".to_owned(),
            values: item.clone(),
        })
    });
    let all: Vec<Value> = page.rows.iter().map(shown).chain(unknown).collect();
    json!({
        "rows": all,
        "followed": rows(&page.followed),
        "dangling": page.dangling,
        "hidden": page.hidden,
        "cursor": page.cursor,
    })
}
