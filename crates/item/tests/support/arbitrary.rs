//! Random values and items, for the tests beside this file.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    dead_code,
    missing_docs,
    unreachable_pub,
    reason = "tests"
)]

use monotable_item::{AttributeValue, Item, Number};
use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;

pub fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-c]{0,3}", "\\PC{0,12}", "[\\x00-\\x03é𝄞\"\\\\]{0,4}"]
}

/// Attributes have names.
pub fn name() -> impl Strategy<Value = String> {
    text().prop_filter("empty", |text| !text.is_empty())
}

pub fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(Number::from),
        (-20i32..20).prop_map(Number::from),
        "-?[0-9]{1,5}\\.[0-9]{1,5}".prop_map(|text| text.parse().unwrap()),
        "[1-9][0-9]{0,37}E-?[0-7]?[0-9]".prop_map(|text| text.parse().unwrap()),
    ]
}

pub fn value() -> impl Strategy<Value = AttributeValue> {
    let leaf = prop_oneof![
        text().prop_map(AttributeValue::S),
        number().prop_map(AttributeValue::N),
        vec(any::<u8>(), 0..6).prop_map(AttributeValue::B),
        any::<bool>().prop_map(AttributeValue::Bool),
        Just(AttributeValue::Null),
        btree_set(text(), 1..4).prop_map(AttributeValue::Ss),
        btree_set(number(), 1..4).prop_map(AttributeValue::Ns),
        btree_set(vec(any::<u8>(), 0..4), 1..4).prop_map(AttributeValue::Bs),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(AttributeValue::L),
            btree_map(name(), inner, 0..4)
                .prop_map(|map| AttributeValue::M(map.into_iter().collect())),
        ]
    })
}

pub fn item() -> impl Strategy<Value = Item> {
    btree_map(name(), value(), 0..6).prop_map(|map| map.into_iter().collect())
}
