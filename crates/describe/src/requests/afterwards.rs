//! What is done with rows when they were read.

use super::sentences::remark;
use monotable_model::model::{Access, Entity, EntityId, Key, Layout, Model};
use monotable_model::plan::{Listing, Operation, Paging, Reach, ReadPlan, Shape};

/// What the store does with the rows, in sentences.
pub(crate) fn list_sentences(
    model: &Model,
    access: &Access,
    plan: &ReadPlan,
    listing: &Listing,
) -> Vec<String> {
    let remarks = listing.remarks.iter();
    let mut sentences: Vec<_> = remarks.map(|said| remark(model, said)).collect();
    let name = |id: &EntityId| model.entity(*id).name.value.as_str();
    let drops: Vec<_> = plan.keep.drops.iter().map(name).collect();
    if !drops.is_empty() {
        sentences.push(format!(
            "Rows of `{}` are met and left out.",
            drops.join("`, `")
        ));
    }
    if let Some(filter) = &plan.keep.filter {
        sentences.push(format!(
            "Rows are kept only if `{filter}`. The store decides this on the rows that it has read; no filter is sent."
        ));
    }
    add_shape(&plan.shape, &mut sentences);
    for id in &plan.keep.entities {
        add_hidden(model, access, plan, model.entity(*id), &mut sentences);
    }
    add_pages(plan, listing, &mut sentences);
    sentences
}

fn add_shape(shape: &Shape, sentences: &mut Vec<String>) {
    if !shape.distinct.is_empty() {
        let names = shape.distinct.join("`, `");
        sentences.push(format!("Rows that agree on `{names}` are one."));
    }
    if shape.distinct_pairs {
        sentences.push("Rows with the same two ends, in either order, are one.".to_owned());
    }
    if !shape.sort.is_empty() {
        let names = shape.sort.join("`, `");
        sentences.push(format!(
            "Rows are sorted by `{names}`, as values and not as text."
        ));
    }
    if shape.one {
        sentences.push("There is at most one row; a second is an error.".to_owned());
    }
    if !shape.only.is_empty() {
        let names = shape.only.join("`, `");
        sentences.push(format!("The answer has `{names}` of each row only."));
    }
}

/// Rows of an entity that a reader leaves out, or misses.
fn add_hidden(
    model: &Model,
    access: &Access,
    plan: &ReadPlan,
    entity: &Entity,
    sentences: &mut Vec<String>,
) {
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
    if access.layout.is_none() {
        let layouts = entity.layouts.iter();
        sentences.extend(layouts.filter_map(|layout| missed(plan, entity, layout)));
    }
}

/// What a query says of rows that stand elsewhere in another layout: it does not ask there.
fn missed(plan: &ReadPlan, entity: &Entity, layout: &Layout) -> Option<String> {
    let Reach::Query(step) = &plan.reach else {
        return None;
    };
    let place = step.key.at.place;
    let written = entity.key(place).map(shown);
    let other = shown(layout.keys.iter().find(|key| key.place == place)?);
    (Some(&other) != written.as_ref()).then(|| {
        format!(
            "Rows of `{}` in layout `{}` have the key `{other}`, and are found if the condition takes it in.",
            entity.name.value, layout.name.value
        )
    })
}

fn shown(key: &Key) -> String {
    let parts: Vec<_> = key
        .templates()
        .map(|template| template.text.as_str())
        .collect();
    let global = if key.global { " (global)" } else { "" };
    format!("{}{global}", parts.join(" / "))
}

fn add_pages(plan: &ReadPlan, listing: &Listing, sentences: &mut Vec<String>) {
    let sends = |operation: Operation| {
        let mut requests = listing.requests.iter();
        requests.any(|request| request.operation == operation)
    };
    if sends(Operation::Query) && !plan.shape.one {
        sentences.push(match plan.shape.paging {
            Paging::ByKey => {
                "`LastEvaluatedKey` of an answer is `ExclusiveStartKey` of the next page."
                    .to_owned()
            }
            Paging::ByCount => {
                "All rows are read, with `LastEvaluatedKey` of an answer as `ExclusiveStartKey` of the next request; pages \
                 are parts of them."
                    .to_owned()
            }
        });
    }
    if sends(Operation::BatchGetItem) {
        sentences.push(
            "A batch has at most 100 keys, each once, and one key alone is a GetItem; `UnprocessedKeys` are asked again."
                .to_owned(),
        );
    }
}
