//! What is done with rows after they were read: those of other entities left out, filtered, sorted, each once.

use super::Found;
use super::parameters::Given;
use crate::session::Session;
use monotable_expr::predicate::{Context, Root};
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::model::{Access, Relation};
use std::cmp::Ordering;

/// The rows that a pattern keeps, one by one.
pub(super) fn kept(
    session: &Session,
    access: &Access,
    given: &Given,
    rows: Vec<Found>,
) -> Vec<Found> {
    let Some(filter) = &access.filter else {
        let mut rows = rows;
        rows.retain(|found| access.returns.contains(&found.record.entity));
        return rows;
    };
    let parameters = EncodedItem::from(&given.values);
    let settings = session.around.all_settings(session.model());
    let principal = EncodedItem::from(&session.around.principal);
    rows.into_iter()
        .filter(|found| access.returns.contains(&found.record.entity))
        .filter(|found| {
            let row = EncodedItem::from(&found.record.values);
            let context = Context::new(row.view())
                .with(Root::Param, parameters.view())
                .with(Root::Setting, settings.view())
                .with(Root::Principal, principal.view());
            filter.parsed().matches(|path| context.get(path))
        })
        .collect()
}

/// Rows that agree are one, and all of them in the order that the pattern gives them.
pub(super) fn arranged(session: &Session, access: &Access, mut rows: Vec<Found>) -> Vec<Found> {
    if !access.distinct.is_empty() {
        let mut seen: Vec<Vec<Option<AttributeValue>>> = Vec::new();
        rows.retain(|found| {
            let names = access.distinct.iter();
            let values = names.map(|name| found.record.values.get(&name.value).cloned());
            let values: Vec<_> = values.collect();
            let new = !seen.contains(&values);
            if new {
                seen.push(values);
            }
            new
        });
    }
    if access.distinct_pairs {
        let mut seen: Vec<(Option<String>, Option<String>)> = Vec::new();
        rows.retain(|found| {
            let relation = session.entity(found.record.entity).relation.as_ref();
            let Some(relation) = relation else {
                return true;
            };
            let pair = pair(relation, &found.record.values);
            let new = !seen.contains(&pair);
            if new {
                seen.push(pair);
            }
            new
        });
    }
    if !access.sort.is_empty() {
        rows.sort_by(|left, right| by_values(access, &left.record.values, &right.record.values));
    }
    rows
}

fn pair(relation: &Relation, values: &Item) -> (Option<String>, Option<String>) {
    let text = |name: &str| match values.get(name) {
        Some(AttributeValue::S(text)) => Some(text.clone()),
        _ => None,
    };
    let (one, other) = (text(&relation.from.value), text(&relation.to.value));
    match one <= other {
        true => (one, other),
        false => (other, one),
    }
}

fn by_values(access: &Access, left: &Item, right: &Item) -> Ordering {
    for name in &access.sort {
        let order = compare(left.get(&name.value), right.get(&name.value));
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

/// Values in their own order: numbers as numbers, texts as bytes; what is absent comes first.
fn compare(left: Option<&AttributeValue>, right: Option<&AttributeValue>) -> Ordering {
    match (left, right) {
        (Some(AttributeValue::N(left)), Some(AttributeValue::N(right))) => left.cmp(right),
        (Some(AttributeValue::S(left)), Some(AttributeValue::S(right))) => left.cmp(right),
        (left, right) => left.is_some().cmp(&right.is_some()),
    }
}
