//! OneTable: the schema object as JSON, with `indexes`, `models` and `params`.
//!
//! OneTable writes the name of the model into every item (`_type`), renders key attributes from `value` templates, and
//! keeps unique values as items of their own; all of that becomes declarations that write the same bytes.

mod fields;
mod guard;
mod indexes;
mod template;

use crate::document::Node;
use crate::error::ImportError;
use monotable_sketch::{Entity, Names, Sketch, name_entity};

/// What holds for all models of a schema.
pub(crate) struct Parameters {
    /// The attribute with the name of the model.
    type_field: String,
    /// Whether dates are stored as ISO texts; else as milliseconds.
    iso_dates: bool,
    created: Option<String>,
    updated: Option<String>,
}

/// Whether a file is a schema of OneTable.
pub(crate) fn is_schema(document: &Node) -> bool {
    let primary = document.get("indexes").and_then(|node| node.get("primary"));
    primary.is_some() && document.get("models").is_some()
}

pub(crate) fn import(document: &Node) -> Result<Sketch, ImportError> {
    let mut sketch = Sketch::default();
    let mut table = indexes::read(document)?;
    let parameters = Parameters::read(document);
    let mut names = Names::default();
    for (model, fields) in document.need("models")?.map()? {
        let mut entity = Entity {
            name: names.claim(&name_entity(model)),
            is: vec![(parameters.type_field.clone(), model.clone())],
            ..Entity::default()
        };
        let guards = fields::read(model, fields, &parameters, &mut table, &mut entity)?;
        let owner = sketch.entities.len();
        sketch.entities.push(entity);
        for guard in guards {
            let guard = guard::Guard { owner, ..guard };
            guard::add(
                &mut sketch,
                &mut names,
                &parameters.type_field,
                &table,
                guard,
            )?;
        }
    }
    if sketch.entities.is_empty() {
        return Err(document.need("models")?.error("there is no model here"));
    }
    sketch.tables.push(table);
    Ok(sketch)
}

impl Parameters {
    fn read(document: &Node) -> Self {
        let parameters = document.get("params");
        let text = |name: &str, default: &str| {
            let said = parameters.and_then(|node| node.get(name)?.as_text());
            said.unwrap_or(default).to_owned()
        };
        let timestamps = parameters.and_then(|node| node.get("timestamps")?.as_scalar());
        let keeps = |which: &str| {
            let timestamps = timestamps.as_deref();
            timestamps == Some("true") || timestamps == Some(which)
        };
        Self {
            type_field: text("typeField", "_type"),
            iso_dates: parameters.is_some_and(|node| node.is_true("isoDates")),
            created: keeps("create").then(|| text("createdField", "created")),
            updated: keeps("update").then(|| text("updatedField", "updated")),
        }
    }
}
