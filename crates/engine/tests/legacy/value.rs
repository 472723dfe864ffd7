//! Small pools of names and values, so that requests meet what others wrote.

use fastrand::Rng;
use serde_json::{Value, json};

/// Attributes beside the key; `g` is the partition key of an index, of type S.
pub(crate) const ATTRIBUTES: [&str; 6] = ["a", "b", "c", "dotted.name", "size", "g"];

pub(crate) fn attribute(random: &mut Rng) -> &'static str {
    random.choice(ATTRIBUTES).unwrap()
}

pub(crate) fn partition(random: &mut Rng) -> Value {
    json!({"S": random.choice(["x", "xy", "z"]).unwrap()})
}

pub(crate) fn sort(random: &mut Rng) -> Value {
    json!({"N": random.i8(0..4).to_string()})
}

pub(crate) fn key(random: &mut Rng) -> Value {
    json!({"p": partition(random), "r": sort(random)})
}

fn text(random: &mut Rng) -> &'static str {
    random.choice(["", "x", "xy", "y", "é"]).unwrap()
}

/// A string, a number or bytes.
pub(crate) fn scalar(random: &mut Rng) -> Value {
    match random.u8(0..3) {
        0 => json!({"S": text(random)}),
        1 => json!({"N": random.choice(["0", "1", "2", "-1.5"]).unwrap()}),
        _ => json!({"B": random.choice(["", "AQ==", "AQI="]).unwrap()}),
    }
}

pub(crate) fn set(random: &mut Rng) -> Value {
    match random.u8(0..3) {
        0 => random.choice([json!({"SS": ["x"]}), json!({"SS": ["x", "xy"]})]),
        1 => random.choice([json!({"NS": ["1"]}), json!({"NS": ["1", "2"]})]),
        _ => random.choice([json!({"BS": ["AQ=="]}), json!({"BS": ["AQ==", "AQI="]})]),
    }
    .unwrap()
}

pub(crate) fn list(random: &mut Rng) -> Value {
    let elements: Vec<Value> = (0..random.usize(0..3)).map(|_| scalar(random)).collect();
    json!({"L": elements})
}

/// A value of any type.
pub(crate) fn any(random: &mut Rng) -> Value {
    match random.u8(0..10) {
        0..4 => scalar(random),
        4..6 => set(random),
        6 => list(random),
        7 => json!({"M": {"x": scalar(random)}}),
        8 => json!({"BOOL": random.bool()}),
        _ => json!({"NULL": true}),
    }
}

/// An item; `g` is mostly what the index takes.
pub(crate) fn item(random: &mut Rng) -> Value {
    let mut item = key(random);
    for name in ATTRIBUTES {
        if random.bool() {
            item[name] = match name {
                "g" if random.u8(0..20) > 0 => partition(random),
                _ => any(random),
            };
        }
    }
    item
}
