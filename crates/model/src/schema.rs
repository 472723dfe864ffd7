//! The shape of a model as a JSON Schema, for editors.
//!
//! It knows sections, keys, kinds of values and closed lists of words. What names mean, and what stands inside
//! templates and predicates, only the reader knows. One file for each group of sections; `shapes` has what they share.

mod access;
mod claim;
mod entity;
mod file;
mod movement;
mod policy;
mod rows;
mod shapes;
mod table;
#[cfg(test)]
mod tests;

use serde_json::{Value, json};

/// The JSON Schema (2020-12) of a model, as it is shipped in `docs/model.schema.json`.
#[must_use]
pub fn json_schema() -> Value {
    let mut keys = file::keys();
    keys.extend(file::sections());
    keys.extend(sections().map(|(name, about, shape)| (name, shapes::named(&shape, about))));
    if let Some((_, entities)) = keys.iter_mut().find(|(name, _)| *name == "entity") {
        // Other names have no such rule.
        let capital = json!({ "pattern": "^[A-Z]" });
        *entities = shapes::with(entities.take(), "propertyNames", capital);
    }
    let schema = shapes::closed(&keys, &["monotable", "model", "table"]);
    let schema = shapes::with(schema, "$schema", json!(DIALECT));
    let schema = shapes::with(schema, "$id", json!(ID));
    let schema = shapes::with(schema, "title", json!("A Monotable model"));
    shapes::described(schema, ABOUT)
}

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
/// Absolute, or taplo refuses the schema; and without a host, because nothing is fetched.
const ID: &str = "urn:monotable:model-1.json";
const ABOUT: &str = "A single-table design for DynamoDB: tables, entities and access patterns.";

/// The sections that are written once for each thing.
fn sections() -> impl Iterator<Item = (&'static str, &'static str, Value)> {
    [
        ("table", "Tables and their indexes.", table::table()),
        (
            "environment",
            "Deployments in which tables have other names.",
            table::environment(),
        ),
        ("entity", "Kinds of rows.", entity::entity()),
        (
            "access",
            "The ways in which a program reads.",
            access::access(),
        ),
        (
            "repository",
            "Rows with a history of revisions.",
            rows::repository(),
        ),
        (
            "derive",
            "Rows that are kept equal to what other rows say.",
            rows::derive(),
        ),
        (
            "check",
            "Rules that are asked at writes and may need other rows.",
            policy::check(),
        ),
        ("grant", "Rows that say who may do what.", policy::grant()),
        (
            "move",
            "Changes of keys, each as one operation.",
            movement::movement(),
        ),
        (
            "path",
            "Paths such as a/b/c as trees of folders.",
            movement::path(),
        ),
        (
            "carry",
            "Rows taken from one snapshot into another.",
            movement::carry(),
        ),
        ("audit", "A row for each operation.", rows::audit()),
        ("archive", "The old row, kept.", rows::archive()),
    ]
    .into_iter()
}
