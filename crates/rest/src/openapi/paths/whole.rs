//! Moves, carries, transactions, and any operation.

use super::super::schema::{Components, RowForm, refer, refer_operations};
use super::Paths;
use super::builder::OperationBuilder;
use super::parameters::describe_principal;
use crate::response::JSON;
use crate::surface::{list_key, list_moves, offers_purges};
use http::Method;
use monotable_model::model::{Entity, Model};
use serde_json::{Value, json};

pub(super) fn add(model: &Model, components: &mut Components<'_>, paths: &mut Paths) {
    for declared in list_moves(model) {
        let name = declared.name;
        let summary = declared
            .about
            .map_or_else(|| format!("The move {name}"), str::to_owned);
        let body = body_with_key(components, declared.of, "set");
        let moving =
            OperationBuilder::new(&format!("move_{name}"), &declared.of.name.value, &summary)
                .writes()
                .body(&[(JSON, body)])
                .answer("200", refer("Row"), &["ETag"]);
        paths.add(&format!("/moves/{name}"), Method::POST, moving);
    }
    for carry in &model.carries {
        let name = &carry.name.value;
        let head = model.entity(model.repository(carry.from).head);
        let summary = carry.notes.about.clone();
        let summary = summary.unwrap_or_else(|| format!("The carry {name}"));
        let body = body_with_key(components, head, "values");
        let carrying = OperationBuilder::new(&format!("carry_{name}"), "operations", &summary)
            .writes()
            .body(&[(JSON, body)])
            .answer("200", refer("Committed"), &[]);
        paths.add(&format!("/carries/{name}"), Method::POST, carrying);
    }
    add_transactions(model, paths);
    if !model.repositories.is_empty() {
        let commits = json!({ "type": "array", "minItems": 1, "items": refer("operation.commit") });
        let commit = OperationBuilder::new(
            "commitAll",
            "operations",
            "Commit to several repositories, all or none",
        )
        .writes()
        .body(&[(JSON, only("commits", &commits))])
        .answer("200", refer("Committed"), &[]);
        paths.add("/commits", Method::POST, commit);
    }
    if offers_purges(model) {
        let owner = describe_principal(model);
        let purge = OperationBuilder::new("purge", "operations", "Delete everything of an owner")
            .share(&["DryRun"])
            .body(&[(JSON, only("owner", &owner))])
            .answer("200", refer("PurgeReport"), &[]);
        paths.add("/purges", Method::POST, purge);
    }
    add_any(paths);
}

fn add_transactions(model: &Model, paths: &mut Paths) {
    let writes = ["create", "put", "update", "delete", "attach", "detach"];
    let writes = refer_operations(model, &writes);
    let operations = json!({ "type": "array", "minItems": 1, "items": { "oneOf": writes } });
    let transact = OperationBuilder::new("transact", "operations", "Several writes, all or none")
        .writes()
        .body(&[(JSON, only("operations", &operations))])
        .answer("200", refer("Rows"), &[]);
    paths.add("/transactions", Method::POST, transact);
}

/// Any operation by the JSON that clients of all languages share.
fn add_any(paths: &mut Paths) {
    let answers = [
        "Row",
        "Rows",
        "Page",
        "SecretHolds",
        "Committed",
        "Snapshot",
        "Differences",
        "SweepReport",
        "PurgeReport",
    ];
    let answers = answers.map(refer);
    let any = OperationBuilder::new("runOperation", "operations", "Any operation, by its JSON")
        .writes()
        .with_conditions()
        .share(&["Consistent"])
        .body(&[(JSON, refer("operation"))])
        .answer("200", json!({ "anyOf": answers }), &[]);
    paths.add("/operations", Method::POST, any);
}

fn only(name: &str, schema: &Value) -> Value {
    json!({
        "type": "object",
        "properties": { name: schema },
        "required": [name],
        "additionalProperties": false,
    })
}

/// A body with a key and some values.
fn body_with_key(components: &mut Components<'_>, entity: &Entity, values: &str) -> Value {
    let found = components.model.entity_named(&entity.name.value);
    let key = match found {
        Some((id, _)) if !list_key(entity).is_empty() => components.refer_row(id, RowForm::Key),
        _ => json!({ "type": "object" }),
    };
    json!({
        "type": "object",
        "properties": { "key": key, values: { "type": "object" } },
        "required": ["key"],
        "additionalProperties": false,
    })
}
