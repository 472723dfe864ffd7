//! Repositories.

use super::super::schema::{Components, RowForm, page, refer, refer_operations};
use super::Paths;
use super::builder::OperationBuilder;
use super::parameters::describe_key;
use crate::response::JSON;
use crate::surface::list_key;
use crate::target::RepositoryPart;
use http::Method;
use monotable_model::model::{EntityId, Model, Repository};
use serde_json::{Map, Value, json};

pub(super) fn add(model: &Model, components: &mut Components<'_>, paths: &mut Paths) {
    for repository in &model.repositories {
        for part in RepositoryPart::ALL {
            add_part(model, components, paths, repository, part);
        }
    }
}

fn add_part(
    model: &Model,
    components: &mut Components<'_>,
    paths: &mut Paths,
    repository: &Repository,
    part: RepositoryPart,
) {
    let name = &repository.name.value;
    let (segments, key) = describe_key(&list_key(model.entity(repository.head)));
    let part_name = part.segment();
    let tag = format!("repository {name}");
    let begin = |summary: &str| {
        OperationBuilder::new(&format!("{name}_{part_name}"), &tag, summary).parameters(&key)
    };
    let committed = refer("Committed");
    let (method, operation) = match part {
        RepositoryPart::Commits => {
            let body = describe_commit(components, repository);
            let commit = begin("Commit a new revision")
                .writes()
                .body(&[(JSON, body)]);
            (Method::POST, commit.answer("200", committed, &[]))
        }
        RepositoryPart::Log => {
            let rows = components.refer_row(repository.log, RowForm::Read);
            let page = page(json!({ "type": "array", "items": rows }));
            let log = begin(
                "The revisions, the newest first; the row of the head comes along as `followed`",
            )
            .share(&["Limit", "Cursor"])
            .parameter(flag("oldest-first", "The oldest first."))
            .answer("200", page, &[]);
            (Method::GET, log.has_lines())
        }
        RepositoryPart::Rows => {
            let snapshot = describe_snapshot(components, &repository.entities);
            let rows = begin("The rows of a revision")
                .parameter(text(
                    "revision",
                    "The revision; the head if neither this nor `time` is given.",
                ))
                .parameter(time("time"))
                .parameter(flag("with-tombstones", "Also rows with a tombstone."))
                .parameter(text(
                    "under",
                    "Only what a relation leads to from the row with this id, in its order.",
                ));
            (Method::GET, rows.answer("200", snapshot, &[]))
        }
        RepositoryPart::Diff => {
            let diff = begin("What two revisions differ in")
                .parameter(text("from", "The one revision; or `from-time`."))
                .parameter(time("from-time"))
                .parameter(text(
                    "to",
                    "The other revision; the head if neither this nor `to-time` is given.",
                ))
                .parameter(time("to-time"));
            (Method::GET, diff.answer("200", refer("Differences"), &[]))
        }
        RepositoryPart::Rollback => {
            let body = object(
                json!({ "to": { "type": "string" }, "from": { "type": ["string", "null"] } }),
                &["to"],
            );
            let head = components.refer_row(repository.head, RowForm::Read);
            let rollback = begin("Move the head to another revision")
                .writes()
                .body(&[(JSON, body)]);
            (Method::POST, rollback.answer("200", head, &["ETag"]))
        }
        RepositoryPart::Revert => {
            let mut members = commit_members(components, repository);
            members.insert("to".to_owned(), refer("operation.at"));
            let body = object(Value::Object(members), &["to"]);
            let revert = begin("Commit the rows of an old revision anew")
                .writes()
                .body(&[(JSON, body)]);
            (Method::POST, revert.answer("200", committed, &[]))
        }
        RepositoryPart::Sweep => {
            let body = object(
                json!({ "older_than": { "type": "integer", "minimum": 0, "description": "Seconds." } }),
                &["older_than"],
            );
            let sweep = begin("Delete what commits left that never finished")
                .share(&["DryRun"])
                .body(&[(JSON, body)]);
            (Method::POST, sweep.answer("200", refer("SweepReport"), &[]))
        }
    };
    paths.add(
        &format!("/repositories/{name}{segments}/{part_name}"),
        method,
        operation,
    );
}

fn flag(name: &str, about: &str) -> Value {
    json!({ "name": name, "in": "query", "description": about, "schema": { "type": "boolean" } })
}

fn time(name: &str) -> Value {
    let about = "A time: the last revision up to it.";
    json!({ "name": name, "in": "query", "description": about, "schema": { "type": "string", "format": "date-time" } })
}

fn text(name: &str, about: &str) -> Value {
    json!({ "name": name, "in": "query", "description": about, "schema": { "type": "string", "minLength": 1 } })
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// What a revision says, and what it follows.
fn commit_members(components: &mut Components<'_>, repository: &Repository) -> Map<String, Value> {
    let values = components.refer_row(repository.log, RowForm::Patch);
    let mut members = Map::new();
    members.insert("values".to_owned(), values);
    members.insert(
        "parent".to_owned(),
        json!({ "type": ["string", "null"], "description": "What it follows; null for the first. If the head is another, there is a conflict." }),
    );
    members.insert(
        "rebase".to_owned(),
        json!({ "type": "string", "description": "What it follows; what others committed since is kept, unless they changed the same rows." }),
    );
    members
}

fn describe_commit(components: &mut Components<'_>, repository: &Repository) -> Value {
    let mut members = commit_members(components, repository);
    let changes = ["create", "put", "update", "delete"];
    let changes = refer_operations(components.model, &changes);
    let changes = json!({ "type": "array", "items": { "oneOf": changes } });
    members.insert("changes".to_owned(), changes);
    object(Value::Object(members), &[])
}

fn describe_snapshot(components: &mut Components<'_>, entities: &[EntityId]) -> Value {
    let rows = components.refer_rows(entities, RowForm::Read);
    let count = json!({ "type": "integer", "minimum": 0 });
    let link = object(
        json!({ "by": count, "from": count, "to": count }),
        &["by", "from", "to"],
    );
    object(
        json!({
            "revision": { "type": "string" },
            "rows": { "type": "array", "items": rows },
            "links": { "type": "array", "items": link },
        }),
        &["revision", "rows", "links"],
    )
}
