//! Small worlds: few names, few values, so that things often meet.

use crate::ast::Step;
use monotable_item::{AttributeValue, Item, Number};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use proptest::sample::select;

/// Attribute names; the last two cannot be written without placeholder.
pub(crate) const NAMES: [&str; 5] = ["a", "b", "c", "name", "x.y"];

fn name() -> impl Strategy<Value = String> {
    select(&NAMES[..]).prop_map(str::to_owned)
}

pub(crate) fn text() -> impl Strategy<Value = String> {
    select(vec!["", "a", "ab", "abc", "b", "bc", "é", "𝄞a"]).prop_map(str::to_owned)
}

pub(crate) fn number() -> impl Strategy<Value = Number> {
    select(vec![
        "0", "1", "2", "3", "-1", "1.5", "10", "1e20", "-1e20", "0.001",
    ])
    .prop_map(|text| text.parse().unwrap())
}

pub(crate) fn bytes() -> impl Strategy<Value = Vec<u8>> {
    select(vec![&b""[..], b"a", b"ab", b"b", b"\xff"]).prop_map(<[u8]>::to_vec)
}

fn scalar() -> impl Strategy<Value = AttributeValue> {
    prop_oneof![
        3 => text().prop_map(AttributeValue::S),
        4 => number().prop_map(AttributeValue::N),
        2 => bytes().prop_map(AttributeValue::B),
        1 => any::<bool>().prop_map(AttributeValue::Bool),
        1 => Just(AttributeValue::Null),
        2 => btree_set(text(), 1..4).prop_map(AttributeValue::Ss),
        2 => btree_set(number(), 1..4).prop_map(AttributeValue::Ns),
        1 => btree_set(bytes(), 1..4).prop_map(AttributeValue::Bs),
    ]
}

pub(crate) fn value() -> impl Strategy<Value = AttributeValue> {
    scalar().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(AttributeValue::L),
            vec((name(), inner), 0..4)
                .prop_map(|entries| AttributeValue::M(entries.into_iter().collect())),
        ]
    })
}

pub(crate) fn item() -> impl Strategy<Value = Item> {
    vec((name(), value()), 0..5).prop_map(|entries| entries.into_iter().collect())
}

/// A path that starts with a name.
pub(crate) fn path() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        name().prop_map(Step::Name),
        (0_usize..4).prop_map(Step::Index),
    ];
    (name(), vec(step, 0..3)).prop_map(|(first, rest)| {
        let mut path = vec![Step::Name(first)];
        path.extend(rest);
        path
    })
}
