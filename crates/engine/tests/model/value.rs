//! The small pools that keys and attributes are drawn from, so that collisions happen.

use monotable_item::{AttributeValue, Item, Number};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

/// The type of a key attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    S,
    N,
    B,
}

/// A key value, ordered as DynamoDB orders keys of one type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyPart {
    S(String),
    N(Number),
    B(Vec<u8>),
}

impl KeyPart {
    pub fn of(value: &AttributeValue) -> Option<Self> {
        match value {
            AttributeValue::S(text) => Some(Self::S(text.clone())),
            AttributeValue::N(number) => Some(Self::N(*number)),
            AttributeValue::B(bytes) => Some(Self::B(bytes.clone())),
            _ => None,
        }
    }
}

pub fn kind_of(value: &AttributeValue) -> Option<Kind> {
    match value {
        AttributeValue::S(_) => Some(Kind::S),
        AttributeValue::N(_) => Some(Kind::N),
        AttributeValue::B(_) => Some(Kind::B),
        _ => None,
    }
}

pub fn is_empty(value: &AttributeValue) -> bool {
    match value {
        AttributeValue::S(text) => text.is_empty(),
        AttributeValue::B(bytes) => bytes.is_empty(),
        _ => false,
    }
}

/// One of a few keys of a type: prefixes of each other, zeros, the ends of the ranges.
pub fn key_value(kind: Kind, pick: u8) -> AttributeValue {
    const TEXTS: [&str; 6] = ["a", "ab", "b", "a\u{0}b", "é", "\u{10FFFF}"];
    const NUMBERS: [&str; 6] = ["0", "-1.5", "1E30", "10", "-1E-20", "9"];
    const BYTES: [&[u8]; 6] = [&[0], &[0, 0], &[0, 1], &[255], &[255, 255], &[1]];
    let at = usize::from(pick) % 6;
    match kind {
        Kind::S => TEXTS[at].into(),
        Kind::N => AttributeValue::N(NUMBERS[at].parse().unwrap()),
        Kind::B => AttributeValue::B(BYTES[at].to_vec()),
    }
}

/// The attributes beside the keys. `x`, `y` and `z` are keys of indexes, of types S, N and B.
pub const ATTRIBUTES: [&str; 8] = ["a", "n", "s", "m", "l", "x", "y", "z"];

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        (-3i32..4).prop_map(Number::from),
        Just("2.5".parse().unwrap())
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(""), Just("a"), Just("ab"), Just("b"), Just("é")].prop_map(str::to_owned)
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    vec(0u8..2, 0..3)
}

/// A value that `<` and its like take.
pub fn ordered() -> impl Strategy<Value = AttributeValue> {
    prop_oneof![
        text().prop_map(AttributeValue::S),
        number().prop_map(AttributeValue::N),
        bytes().prop_map(AttributeValue::B),
    ]
}

pub fn set() -> impl Strategy<Value = AttributeValue> {
    prop_oneof![
        3 => btree_set(text(), 1..4).prop_map(AttributeValue::Ss),
        1 => btree_set(number(), 1..3).prop_map(AttributeValue::Ns),
        1 => btree_set(bytes(), 1..3).prop_map(AttributeValue::Bs),
    ]
}

pub fn list() -> impl Strategy<Value = AttributeValue> {
    vec(ordered(), 0..3).prop_map(AttributeValue::L)
}

pub fn map() -> impl Strategy<Value = AttributeValue> {
    let member = || proptest::option::of(ordered());
    (member(), member()).prop_map(|(j, k)| {
        let members = [("j", j), ("k", k)];
        let members = members.into_iter();
        let map: Item = members
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect();
        AttributeValue::M(map)
    })
}

pub fn numeric() -> impl Strategy<Value = AttributeValue> {
    number().prop_map(AttributeValue::N)
}

pub fn any_value() -> impl Strategy<Value = AttributeValue> {
    prop_oneof![
        4 => ordered(),
        1 => any::<bool>().prop_map(AttributeValue::Bool),
        1 => Just(AttributeValue::Null),
        1 => set(),
        1 => list(),
        1 => map(),
    ]
}

/// A value that usually has the type that the attribute is meant for.
pub fn value_of(attribute: &'static str) -> BoxedStrategy<AttributeValue> {
    let key = |kind: Kind| (0u8..4).prop_map(move |pick| key_value(kind, pick)).boxed();
    let meant = match attribute {
        "n" => numeric().boxed(),
        "s" => set().boxed(),
        "m" => map().boxed(),
        "l" => list().boxed(),
        "x" => key(Kind::S),
        "y" => key(Kind::N),
        "z" => key(Kind::B),
        _ => any_value().boxed(),
    };
    prop_oneof![12 => meant, 1 => any_value()].boxed()
}

/// One of the attributes with a value for it.
pub fn attribute() -> impl Strategy<Value = (&'static str, AttributeValue)> {
    proptest::sample::select(&ATTRIBUTES[..])
        .prop_flat_map(|name| value_of(name).prop_map(move |value| (name, value)))
}
