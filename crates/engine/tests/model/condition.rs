//! Conditions and filters: as text for the engine, as plain recursion for the model.

use crate::path::{Path, Placeholders, any_path};
use crate::value::{KeyPart, any_value, kind_of, ordered};
use monotable_item::AttributeValue;
use monotable_item::Item;
use proptest::prelude::*;
use std::cmp::Ordering;

#[derive(Clone, Debug)]
pub enum Test {
    Exists(Path),
    Missing(Path),
    Equal(Path, AttributeValue),
    Unequal(Path, AttributeValue),
    /// `<`, `<=`, `>`, `>=`
    Order(Path, &'static str, AttributeValue),
    Between(Path, AttributeValue, AttributeValue),
    OneOf(Path, Vec<AttributeValue>),
    Contains(Path, AttributeValue),
    HasType(Path, &'static str),
    SizeAtLeast(Path, i32),
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
}

impl Test {
    pub fn holds(&self, item: &Item) -> bool {
        match self {
            Self::Exists(path) => path.find(item).is_some(),
            Self::Missing(path) => path.find(item).is_none(),
            Self::Equal(path, value) => path.find(item) == Some(value),
            Self::Unequal(path, value) => path.find(item) != Some(value),
            Self::Order(path, operator, value) => {
                let order = path.find(item).and_then(|found| compare(found, value));
                order.is_some_and(|order| accepts(operator, order))
            }
            Self::Between(path, low, high) => path.find(item).is_some_and(|found| {
                compare(found, low).is_some_and(Ordering::is_ge)
                    && compare(found, high).is_some_and(Ordering::is_le)
            }),
            Self::OneOf(path, values) => {
                path.find(item).is_some_and(|found| values.contains(found))
            }
            Self::Contains(path, value) => {
                path.find(item).is_some_and(|found| contains(found, value))
            }
            Self::HasType(path, name) => path
                .find(item)
                .is_some_and(|found| found.attribute_type().to_string() == *name),
            Self::SizeAtLeast(path, least) => path
                .find(item)
                .and_then(size)
                .is_some_and(|size| size as i64 >= i64::from(*least)),
            Self::Not(test) => !test.holds(item),
            Self::And(left, right) => left.holds(item) && right.holds(item),
            Self::Or(left, right) => left.holds(item) || right.holds(item),
        }
    }

    pub fn render(&self, out: &mut Placeholders) -> String {
        match self {
            Self::Exists(path) => format!("attribute_exists({})", path.render(out)),
            Self::Missing(path) => format!("attribute_not_exists({})", path.render(out)),
            Self::Equal(path, value) => format!("{} = {}", path.render(out), out.value(value)),
            Self::Unequal(path, value) => format!("{} <> {}", path.render(out), out.value(value)),
            Self::Order(path, operator, value) => {
                format!("{} {operator} {}", path.render(out), out.value(value))
            }
            Self::Between(path, low, high) => format!(
                "{} BETWEEN {} AND {}",
                path.render(out),
                out.value(low),
                out.value(high)
            ),
            Self::OneOf(path, values) => {
                let path = path.render(out);
                let values: Vec<_> = values.iter().map(|value| out.value(value)).collect();
                format!("{path} IN ({})", values.join(", "))
            }
            Self::Contains(path, value) => {
                format!("contains({}, {})", path.render(out), out.value(value))
            }
            Self::HasType(path, name) => {
                format!(
                    "attribute_type({}, {})",
                    path.render(out),
                    out.value(&(*name).into())
                )
            }
            Self::SizeAtLeast(path, least) => {
                format!(
                    "size({}) >= {}",
                    path.render(out),
                    out.value(&(*least).into())
                )
            }
            Self::Not(test) => format!("NOT ({})", test.render(out)),
            Self::And(left, right) => format!("({}) AND ({})", left.render(out), right.render(out)),
            Self::Or(left, right) => format!("({}) OR ({})", left.render(out), right.render(out)),
        }
    }

    pub fn attributes(&self) -> Vec<&'static str> {
        match self {
            Self::Exists(path)
            | Self::Missing(path)
            | Self::Equal(path, _)
            | Self::Unequal(path, _)
            | Self::Order(path, _, _)
            | Self::Between(path, _, _)
            | Self::OneOf(path, _)
            | Self::Contains(path, _)
            | Self::HasType(path, _)
            | Self::SizeAtLeast(path, _) => vec![path.attribute],
            Self::Not(test) => test.attributes(),
            Self::And(left, right) | Self::Or(left, right) => {
                [left.attributes(), right.attributes()].concat()
            }
        }
    }
}

/// The order of two values of one type that has an order.
pub fn compare(left: &AttributeValue, right: &AttributeValue) -> Option<Ordering> {
    (kind_of(left)? == kind_of(right)?).then(|| KeyPart::of(left).cmp(&KeyPart::of(right)))
}

pub fn accepts(operator: &str, order: Ordering) -> bool {
    match operator {
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        _ => order.is_ge(),
    }
}

fn contains(found: &AttributeValue, value: &AttributeValue) -> bool {
    match (found, value) {
        (AttributeValue::S(text), AttributeValue::S(part)) => text.contains(part.as_str()),
        (AttributeValue::B(bytes), AttributeValue::B(part)) => {
            part.is_empty() || bytes.windows(part.len()).any(|window| window == part)
        }
        (AttributeValue::Ss(set), AttributeValue::S(element)) => set.contains(element),
        (AttributeValue::Ns(set), AttributeValue::N(element)) => set.contains(element),
        (AttributeValue::Bs(set), AttributeValue::B(element)) => set.contains(element),
        (AttributeValue::L(list), value) => list.contains(value),
        _ => false,
    }
}

fn size(value: &AttributeValue) -> Option<usize> {
    match value {
        AttributeValue::S(text) => Some(text.encode_utf16().count()),
        AttributeValue::B(bytes) => Some(bytes.len()),
        AttributeValue::M(map) => Some(map.len()),
        AttributeValue::L(list) => Some(list.len()),
        AttributeValue::Ss(set) => Some(set.len()),
        AttributeValue::Ns(set) => Some(set.len()),
        AttributeValue::Bs(set) => Some(set.len()),
        AttributeValue::N(_) | AttributeValue::Bool(_) | AttributeValue::Null => None,
    }
}

pub fn test() -> impl Strategy<Value = Test> {
    let operator = proptest::sample::select(vec!["<", "<=", ">", ">="]);
    let types = proptest::sample::select(vec!["S", "N", "B", "SS", "M", "L", "BOOL", "NULL"]);
    let between = (any_path(), ordered(), ordered()).prop_filter_map("bounds", |bounds| {
        let (path, low, high) = bounds;
        if compare(&low, &high)?.is_le() {
            Some(Test::Between(path, low, high))
        } else {
            Some(Test::Between(path, high, low))
        }
    });
    let leaf = prop_oneof![
        3 => any_path().prop_map(Test::Exists),
        3 => any_path().prop_map(Test::Missing),
        3 => (any_path(), any_value()).prop_map(|(path, value)| Test::Equal(path, value)),
        2 => (any_path(), any_value()).prop_map(|(path, value)| Test::Unequal(path, value)),
        3 => (any_path(), operator, ordered()).prop_map(|(path, op, value)| Test::Order(path, op, value)),
        1 => between,
        1 => (any_path(), proptest::collection::vec(any_value(), 1..3))
            .prop_map(|(path, values)| Test::OneOf(path, values)),
        1 => (any_path(), ordered()).prop_map(|(path, value)| Test::Contains(path, value)),
        1 => (any_path(), types).prop_map(|(path, name)| Test::HasType(path, name)),
        1 => (any_path(), 0i32..3).prop_map(|(path, least)| Test::SizeAtLeast(path, least)),
    ];
    leaf.prop_recursive(2, 4, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            inner.prop_map(|test| Test::Not(Box::new(test))),
            pair.clone()
                .prop_map(|(left, right)| Test::And(Box::new(left), Box::new(right))),
            pair.prop_map(|(left, right)| Test::Or(Box::new(left), Box::new(right))),
        ]
    })
}
