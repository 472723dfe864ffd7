//! Walks along a relation.

use super::condition::{Asked, index_name};
use super::given::{Given, Known};
use super::pattern_request::{Operation, PatternRequest, Repeat};
use super::plan::PatternPlan;
use super::reach::{Wanted, add_row, lookup, referred};
use super::ways;
use monotable_model::model::{EntityId, Model, Walk};
use monotable_model::span::Name;

/// Adds the requests of one round; the answer is those that bring the rows walked to.
pub(super) fn add(
    plan: &mut PatternPlan,
    model: &Model,
    walks: &[Walk],
    known: &Known,
) -> Vec<usize> {
    let first = plan.next();
    let mut found = Vec::new();
    for walk in walks {
        let links = add_links(plan, model, walk, known);
        found.extend(add_ends(plan, model, walk, &links, first));
        if let Some(filter) = &walk.filter {
            plan.afterwards.push(format!(
                "Rows of `{}` count only if `{filter}`.",
                model.entity(walk.entity).name.value
            ));
        }
    }
    plan.afterwards.push(
        "`<current: ..>` is the caller's parameter first, then each row that was found.".to_owned(),
    );
    found
}

/// The end that a walk comes from.
fn origin<'m>(model: &'m Model, walk: &Walk) -> Option<&'m Name> {
    let row = model.entity(walk.entity);
    match &row.relation {
        Some(relation) if relation.to.value == walk.end.value => Some(&relation.from),
        Some(relation) => Some(&relation.to),
        // Without a relation: the other reference of the row.
        None => row
            .attributes
            .iter()
            .find(|attribute| {
                attribute.reference.is_some() && attribute.name.value != walk.end.value
            })
            .map(|attribute| &attribute.name),
    }
}

fn target(model: &Model, entity: EntityId, attribute: &str) -> Option<EntityId> {
    let reference = model
        .entity(entity)
        .attribute(attribute)?
        .reference
        .as_ref();
    reference.map(|reference| reference.target)
}

fn add_links(plan: &mut PatternPlan, model: &Model, walk: &Walk, known: &Known) -> Vec<usize> {
    let row = model.entity(walk.entity);
    let Some(origin) = origin(model, walk) else {
        return Vec::new();
    };
    let Some(from) = target(model, walk.entity, &origin.value) else {
        return Vec::new();
    };
    let current = |name: &str| Given::Text(format!("<current: {name}>"));
    let mut own = Known::default();
    for attribute in &model.entity(from).attributes {
        own.set(&attribute.name.value, current(&attribute.name.value));
    }
    let id = model.entity(from).id.clone().unwrap_or_default();
    own.set(&origin.value, current(&id));
    let via = row
        .attribute(&origin.value)
        .and_then(|attribute| attribute.reference.as_ref())
        .and_then(|reference| reference.via);
    if let Some(via) = via {
        let mut asked = known.clone();
        asked.set(&origin.value, current(&id));
        return ways::add(plan, model, model.pattern(via), &asked);
    }
    let Some(key) = lookup(model, walk.entity, &own, Some(&origin.value)) else {
        return Vec::new();
    };
    let returns = [walk.entity];
    let asked = Asked {
        model,
        table: row.table,
        returns: &returns,
        known: &own,
    };
    let condition = asked.condition(&key);
    let table = model.table(row.table);
    let purpose = format!(
        "The rows of `{}` that lead from here to `{}`.",
        row.name.value, walk.end.value
    );
    let mut request = PatternRequest::new(Operation::Query, &table.physical, purpose);
    request.index = index_name(table, key.place);
    request.key_condition = Some(condition.expression);
    request.names = condition.names;
    request.values = condition.values;
    vec![plan.push(request)]
}

fn add_ends(
    plan: &mut PatternPlan,
    model: &Model,
    walk: &Walk,
    links: &[usize],
    first: usize,
) -> Vec<usize> {
    let Some(end) = target(model, walk.entity, &walk.end.value) else {
        return Vec::new();
    };
    let known = referred(plan, model, walk.entity, &walk.end, links);
    let wanted = Wanted {
        entity: end,
        known: &known,
        purpose: format!("The rows of `{}` walked to.", model.entity(end).name.value),
        repeat: Repeat::UntilNothingNew { from: first },
        batch: true,
    };
    add_row(plan, model, &wanted)
}
