//! What is done with rows after they were read: those of other entities left out, filtered, sorted, each once.

use super::StoredRow;
use crate::allowed::Allowed;
use crate::pattern::Parameters;
use crate::scope::Scope;
use monotable_expr::predicate::{Context, Root};
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::model::Relation;
use monotable_model::plan::{Keep, Shape, Within};
use std::cmp::Ordering;

/// The rows that a pattern keeps, one by one.
pub(super) fn keep<F: AsRef<StoredRow>>(
    scope: &Scope,
    keep: &Keep,
    given: &Parameters,
    rows: Vec<F>,
) -> Vec<F> {
    let mut rows = rows;
    rows.retain(|found| {
        let record = &found.as_ref().record;
        keep.entities.contains(&record.entity) && is_within(keep, given, &record.values)
    });
    let Some(filter) = &keep.filter else {
        return rows;
    };
    let parameters = EncodedItem::from(&given.values);
    let settings = scope.circumstances.all_settings(scope.model());
    let principal = EncodedItem::from(&scope.circumstances.principal);
    rows.into_iter()
        .filter(|found| {
            let row = EncodedItem::from(&found.as_ref().record.values);
            let context = Context::new(row.view())
                .with(Root::Param, parameters.view())
                .with(Root::Setting, settings.view())
                .with(Root::Principal, principal.view());
            filter.parsed().matches(|path| context.get(path))
        })
        .collect()
}

/// Whether texts are within the ranges, and have the beginnings, that are asked for: a key goes on behind its value, so its
/// order is not quite that of the values.
fn is_within(keep: &Keep, given: &Parameters, values: &Item) -> bool {
    let text = |values: &Item, name: &str| match values.get(name) {
        Some(AttributeValue::S(text)) => Some(text.clone()),
        _ => None,
    };
    keep.within.iter().all(|within| {
        let (Within::Range(name) | Within::Begins(name)) = within;
        let Some(value) = text(values, name) else {
            return true;
        };
        let given = |name: &str| text(&given.values, name);
        match within {
            Within::Range(name) => {
                given(&format!("{name}.from")).is_none_or(|from| from <= value)
                    && given(&format!("{name}.to")).is_none_or(|to| value <= to)
            }
            Within::Begins(name) => given(name).is_none_or(|begins| value.starts_with(&begins)),
        }
    })
}

/// Rows that agree are one, and all of them in the order that the pattern gives them.
pub(super) fn arrange(
    scope: &Scope,
    shape: &Shape,
    mut rows: Vec<Allowed<StoredRow>>,
) -> Vec<Allowed<StoredRow>> {
    if !shape.distinct.is_empty() {
        let mut seen: Vec<Vec<Option<AttributeValue>>> = Vec::new();
        rows.retain(|found| {
            let names = shape.distinct.iter();
            let values = names.map(|name| found.record.values.get(name).cloned());
            let values: Vec<_> = values.collect();
            let new = !seen.contains(&values);
            if new {
                seen.push(values);
            }
            new
        });
    }
    if shape.distinct_pairs {
        let mut seen: Vec<(Option<String>, Option<String>)> = Vec::new();
        rows.retain(|found| {
            let relation = scope.entity(found.record.entity).relation.as_ref();
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
    if !shape.sort.is_empty() {
        rows.sort_by(|left, right| by_values(shape, &left.record.values, &right.record.values));
    }
    rows
}

fn pair(relation: &Relation, values: &Item) -> (Option<String>, Option<String>) {
    let text = |name: &str| match values.get(name) {
        Some(AttributeValue::S(text)) => Some(text.clone()),
        _ => None,
    };
    let (one, other) = (text(&relation.from.value), text(&relation.to.value));
    if one <= other {
        (one, other)
    } else {
        (other, one)
    }
}

fn by_values(shape: &Shape, left: &Item, right: &Item) -> Ordering {
    for name in &shape.sort {
        let order = compare(left.get(name), right.get(name));
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

/// Values in their own order. What is absent comes first, then numbers, then texts: those that are whole numbers, as
/// numbers, and the others as bytes. So ids that once were counted and now are made by chance keep their order.
fn compare(left: Option<&AttributeValue>, right: Option<&AttributeValue>) -> Ordering {
    match (left, right) {
        (Some(AttributeValue::N(left)), Some(AttributeValue::N(right))) => left.cmp(right),
        (Some(AttributeValue::S(left)), Some(AttributeValue::S(right))) => texts(left, right),
        (left, right) => rank(left).cmp(&rank(right)),
    }
}

/// The place of a kind among the others.
const fn rank(value: Option<&AttributeValue>) -> u8 {
    match value {
        None => 0,
        Some(AttributeValue::N(_)) => 1,
        Some(AttributeValue::S(_)) => 2,
        Some(_) => 3,
    }
}

fn texts(left: &str, right: &str) -> Ordering {
    match (digits(left), digits(right)) {
        // Without leading zeros the longer one is the greater; `2` and `02` differ all the same.
        (Some(a), Some(b)) => (a.len(), a, left).cmp(&(b.len(), b, right)),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => left.cmp(right),
    }
}

/// The digits of a text that is a whole number, without leading zeros.
fn digits(text: &str) -> Option<&str> {
    let whole = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    whole.then(|| text.trim_start_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_ids_come_before_others_and_in_their_order() {
        let mut texts = [
            "01J8",
            "10",
            "b",
            "",
            "2",
            "02",
            "0",
            "123456789012345678901234567890",
        ]
        .map(AttributeValue::from);
        texts.sort_by(|left, right| compare(Some(left), Some(right)));
        let wanted = [
            "0",
            "02",
            "2",
            "10",
            "123456789012345678901234567890",
            "",
            "01J8",
            "b",
        ];
        assert_eq!(texts, wanted.map(AttributeValue::from));
    }

    #[test]
    fn every_kind_has_its_place() {
        let number = AttributeValue::N(3.into());
        let (text, flag) = (AttributeValue::from("1"), AttributeValue::Bool(true));
        let mut values = [Some(&flag), Some(&text), None, Some(&number)];
        values.sort_by(|left, right| compare(*left, *right));
        assert_eq!(values, [None, Some(&number), Some(&text), Some(&flag)]);
    }
}
