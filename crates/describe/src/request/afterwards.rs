//! What is done with rows when they were read.

use super::pattern_request::Operation;
use super::plan::PatternPlan;
use monotable_model::model::{Access, Entity, EntityId, Key, KeyPlace, Model, Way};
use monotable_model::span::Name;

/// What a reader does with the rows, in sentences.
pub(super) fn sentences(model: &Model, access: &Access, plan: &PatternPlan) -> Vec<String> {
    let mut sentences = Vec::new();
    let name = |id: &EntityId| model.entity(*id).name.value.as_str();
    let drops: Vec<_> = access.drops.iter().map(name).collect();
    if !drops.is_empty() {
        sentences.push(format!(
            "Rows of `{}` are met and left out.",
            drops.join("`, `")
        ));
    }
    let asked = plan.requests.iter().any(|request| request.filter.is_some());
    if let Some(filter) = access.filter.as_ref().filter(|_| !asked) {
        sentences.push(format!("Rows are kept only if `{filter}`."));
    }
    let list = |names: &[Name]| {
        let names: Vec<_> = names.iter().map(|name| name.value.as_str()).collect();
        names.join("`, `")
    };
    if !access.distinct.is_empty() {
        sentences.push(format!(
            "Rows that agree on `{}` are one.",
            list(&access.distinct)
        ));
    }
    if access.distinct_pairs {
        sentences.push("Rows with the same two ends, in either order, are one.".to_owned());
    }
    if !access.sort.is_empty() {
        sentences.push(format!(
            "Rows are sorted by `{}`, as values and not as text.",
            list(&access.sort)
        ));
    }
    if access.one {
        sentences.push("There is at most one row; a second is an error.".to_owned());
    }
    sentences.extend(access.returns.iter().flat_map(|id| {
        let entity = model.entity(*id);
        hidden(model, access, entity)
    }));
    let pages = |operation: Operation| {
        let mut requests = plan.requests.iter();
        requests.any(|request| request.operation == operation)
    };
    if pages(Operation::Query) && !access.one {
        sentences.push(
            "`LastEvaluatedKey` of an answer is `ExclusiveStartKey` of the next page.".to_owned(),
        );
    }
    if pages(Operation::BatchGetItem) {
        sentences.push(
            "A batch has at most 100 keys, each once; `UnprocessedKeys` are asked again."
                .to_owned(),
        );
    }
    sentences
}

/// Rows of an entity that a reader leaves out, or misses.
fn hidden(model: &Model, access: &Access, entity: &Entity) -> Vec<String> {
    let mut sentences = Vec::new();
    let name = &entity.name.value;
    if let Some(read) = &entity.allow.read {
        sentences.push(format!("Rows of `{name}` are shown only if `{read}`."));
    }
    if let Some(flag) = entity.tombstone.first() {
        sentences.push(format!(
            "Rows of `{name}` with a tombstone (`{}`) are left out.",
            flag.name.value
        ));
    }
    let ttl = model.table(entity.table).ttl.as_ref();
    let expires = ttl.filter(|ttl| {
        let mut attributes = entity.attributes.iter();
        attributes.any(|attribute| attribute.stored == ttl.value)
    });
    if let Some(ttl) = expires {
        sentences.push(format!(
            "Rows of `{name}` whose `{}` has passed are left out, deleted or not.",
            ttl.value
        ));
    }
    sentences.extend(other_layouts(access, entity));
    sentences
}

fn other_layouts(access: &Access, entity: &Entity) -> Vec<String> {
    let place = match &access.way {
        Way::Get { .. } => KeyPlace::Primary,
        Way::Query { key, .. } => key.place,
        _ => return Vec::new(),
    };
    if access.layout.is_some() {
        return Vec::new();
    }
    let written = entity.key(place).map(shown);
    let layouts = entity.layouts.iter().filter_map(|layout| {
        let key = layout.keys.iter().find(|key| key.place == place)?;
        let other = shown(key);
        (Some(&other) != written.as_ref()).then(|| {
            format!(
                "Rows of `{}` in layout `{}` stand under `{other}`, and are asked for in the same way there.",
                entity.name.value, layout.name.value
            )
        })
    });
    layouts.collect()
}

fn shown(key: &Key) -> String {
    let parts: Vec<_> = key
        .templates()
        .map(|template| template.text.as_str())
        .collect();
    let global = if key.global { " (global)" } else { "" };
    format!("{}{global}", parts.join(" / "))
}
