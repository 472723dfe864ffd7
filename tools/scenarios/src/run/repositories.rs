//! Statements about repositories.

use super::calls::shown;
use crate::json::to_item;
use crate::statement::{Part, Statement};
use monotable_item::Item;
use monotable_store::{
    AnyOperation, At, Carry, Commit, CommitAll, Committed, Diff, Difference, Differences, Log,
    Parent, Purge, Revert, Rollback, Show, Snapshot, Sweep, SweepReport,
};
use serde_json::{Value, json};
use std::time::Duration;

/// The operation of a statement.
pub(super) fn operation(
    statement: &Statement,
    inside: Vec<AnyOperation>,
) -> Result<AnyOperation, String> {
    let name = || statement.word_at(0).map(str::to_owned);
    let item = |place| to_item(statement.json_at(place)?);
    Ok(match statement.word.as_str() {
        "commit" => AnyOperation::CommitAll(CommitAll {
            commits: vec![Commit {
                repository: name()?,
                key: item(1)?,
                values: optional(statement, 2)?,
                parent: parent(statement),
                changes: inside,
            }],
        }),
        "commits" => {
            let commits = inside.into_iter().flat_map(|operation| match operation {
                AnyOperation::CommitAll(CommitAll { commits }) => commits,
                _ => Vec::new(),
            });
            AnyOperation::CommitAll(CommitAll {
                commits: commits.collect(),
            })
        }
        "carry" => AnyOperation::Carry(Carry {
            name: name()?,
            key: item(1)?,
            values: optional(statement, 2)?,
        }),
        "purge" => AnyOperation::Purge(Purge { owner: item(0)? }),
        "log" => AnyOperation::Log(Log {
            repository: name()?,
            key: item(1)?,
            limit: statement
                .word_after("limit")
                .and_then(|word| word.parse().ok()),
            after: statement.word_after("after").map(str::to_owned),
            oldest_first: statement.has("oldest"),
        }),
        "show" => AnyOperation::Show(Show {
            repository: name()?,
            key: item(1)?,
            at: at(statement.word_after("at")),
            with_tombstones: statement.has("buried"),
            under: statement.word_after("under").map(str::to_owned),
        }),
        "diff" => AnyOperation::Diff(Diff {
            repository: name()?,
            key: item(1)?,
            from: at(Some(statement.word_at(2)?)),
            to: at(Some(statement.word_at(3)?)),
        }),
        "rollback" => AnyOperation::Rollback(Rollback {
            repository: name()?,
            key: item(1)?,
            to: statement.word_at(2)?.to_owned(),
            from: statement.word_after("from").map(str::to_owned),
        }),
        "revert" => AnyOperation::Revert(Revert {
            repository: name()?,
            key: item(1)?,
            to: at(Some(statement.word_at(2)?)),
            values: optional(statement, 3)?,
            parent: parent(statement),
        }),
        "sweep" => {
            let seconds = statement
                .word_after("older")
                .and_then(|word| word.parse().ok());
            AnyOperation::Sweep(Sweep {
                repository: name()?,
                key: item(1)?,
                older_than: Duration::from_secs(seconds.unwrap_or(0)),
            })
        }
        other => return Err(format!("there is no statement `{other}`")),
    })
}

fn optional(statement: &Statement, place: usize) -> Result<Item, String> {
    match statement.parts.get(place) {
        Some(Part::Json(json)) => to_item(json),
        _ => Ok(Item::new()),
    }
}

fn parent(statement: &Statement) -> Parent {
    let revision = |word| statement.word_after(word).map(str::to_owned);
    match (revision("parent"), revision("rebase")) {
        (Some(revision), _) => Parent::Is(revision),
        (None, Some(revision)) => Parent::Rebased(revision),
        (None, None) if statement.has("first") => Parent::None,
        (None, None) => Parent::Head,
    }
}

/// `head`, a time, or a revision.
fn at(word: Option<&str>) -> At {
    match word {
        None | Some("head") => At::Head,
        Some(time) if monotable_model::compiled::Instant::parse(time).is_ok() => {
            At::Time(time.to_owned())
        }
        Some(revision) => At::Revision(revision.to_owned()),
    }
}

/// The first revision as an object, with all of them and the warnings.
pub(super) fn committed(committed: &Committed) -> Value {
    let rows: Vec<Value> = committed.revisions.iter().map(shown).collect();
    let mut json = rows.first().cloned().unwrap_or_else(|| json!({}));
    if let Value::Object(map) = &mut json {
        map.insert("revisions".to_owned(), Value::Array(rows));
        map.insert("warnings".to_owned(), json!(committed.warnings));
    }
    json
}

pub(super) fn snapshot(snapshot: &Snapshot) -> Value {
    json!({
        "revision": snapshot.revision,
        "rows": snapshot.rows.iter().map(shown).collect::<Vec<_>>(),
    })
}

/// The counts of a sweep; with what somebody has to mend, if there is something.
pub(super) fn swept(report: &SweepReport) -> Value {
    let mut json = json!({
        "intents": report.intents(),
        "rows": report.rows(),
        "left": report.young(),
    });
    let problems = report.problems().map(|kept| kept.reason.to_string());
    let problems: Vec<String> = problems.collect();
    if let (Value::Object(map), false) = (&mut json, problems.is_empty()) {
        map.insert("problems".to_owned(), json!(problems));
    }
    json
}

pub(super) fn differences(found: &Differences) -> Value {
    let rows = found.rows.iter().map(|difference| match difference {
        Difference::Added(row) => json!({"is": "added", "row": shown(row)}),
        Difference::Removed(row) => json!({"is": "removed", "row": shown(row)}),
        Difference::Moved { before, after } => {
            json!({"is": "moved", "before": shown(before), "row": shown(after)})
        }
        Difference::Changed {
            before,
            after,
            attributes,
        } => json!({
            "is": "changed",
            "before": shown(before),
            "row": shown(after),
            "attributes": attributes,
        }),
    });
    Value::Array(rows.collect())
}
