//! The operations of a model by their addresses.

mod builder;
mod entities;
mod parameters;
mod patterns;
mod repositories;
mod whole;

pub(super) use parameters::list_parameters;

use super::schema::Components;
use builder::OperationBuilder;
use http::Method;
use monotable_model::model::Model;
use serde_json::{Map, Value, json};

/// Operations by path and method.
struct Paths {
    items: Map<String, Value>,
    /// The parameters in which a program says for whom it calls.
    words_for_others: Vec<&'static str>,
}

impl Paths {
    fn add(&mut self, path: &str, method: Method, operation: OperationBuilder) {
        let item = self
            .items
            .entry(path.to_owned())
            .or_insert_with(|| json!({}));
        if let Value::Object(members) = item {
            let operation = operation.share(&self.words_for_others);
            members.insert(method.as_str().to_ascii_lowercase(), operation.finish());
        }
    }
}

/// Every operation of a model.
pub(super) fn list_paths(model: &Model, components: &mut Components<'_>) -> Value {
    let mut paths = Paths {
        items: Map::new(),
        words_for_others: parameters::name_words_for_others(model),
    };
    entities::add(model, components, &mut paths);
    patterns::add(model, components, &mut paths);
    repositories::add(model, components, &mut paths);
    whole::add(model, components, &mut paths);
    Value::Object(paths.items)
}

/// What operations are grouped by.
pub(super) fn list_tags(model: &Model) -> Value {
    let mut tags: Vec<Value> = model
        .stored()
        .map(|(_, entity)| {
            let about = entity
                .notes
                .about
                .as_deref()
                .unwrap_or("Rows of this entity.");
            json!({ "name": entity.name.value, "description": about })
        })
        .collect();
    tags.push(json!({ "name": "patterns", "description": "The access patterns of the model." }));
    let repositories = model.repositories.iter().map(|repository| {
        let about = repository
            .notes
            .about
            .as_deref()
            .unwrap_or("Versioned rows.");
        json!({ "name": format!("repository {}", repository.name.value), "description": about })
    });
    tags.extend(repositories);
    tags.push(json!({ "name": "operations", "description": "Several writes at once, and any operation by its JSON." }));
    Value::Array(tags)
}
