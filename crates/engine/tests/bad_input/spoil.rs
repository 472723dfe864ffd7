//! Ways to spoil a request.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// One change at one place of a body. Places are numbers, taken modulo how many there are.
#[derive(Clone, Debug)]
pub struct Spoil {
    place: usize,
    how: How,
}

#[derive(Clone, Debug)]
enum How {
    Drop,
    Replace(Value),
    /// Write a member twice, the second time with this value.
    Twice(Value),
    Rename(String),
    /// Wrap in so many lists or maps.
    Nest(u16),
    /// Repeat a list's elements so many times.
    Repeat(u8),
}

/// Starts a string that stands for raw text: numbers that `Value` cannot hold.
const RAW: &str = "\u{1}raw:";
/// Starts the name of a member that is written under the rest of the name: a second one of that name.
const AGAIN: &str = "\u{1}again:";

fn expression() -> impl Strategy<Value = String> {
    let token = proptest::sample::select(vec![
        "SET",
        "REMOVE",
        "ADD",
        "DELETE",
        "AND",
        "OR",
        "NOT",
        "IN",
        "BETWEEN",
        "pk",
        "sk",
        "#a",
        ":one",
        ":v",
        "m.k[0]",
        "[99999999999]",
        "(",
        ")",
        ",",
        "=",
        "<>",
        "<",
        "+",
        "-",
        ".",
        "size",
        "attribute_exists",
        "begins_with",
        "if_not_exists",
        "list_append",
        "\u{0}",
        "é",
        "\"",
        " ",
    ]);
    proptest::collection::vec(token, 0..12).prop_map(|tokens| tokens.join(" "))
}

fn attribute_value() -> impl Strategy<Value = Value> {
    proptest::sample::select(vec![
        json!({"S": ""}),
        json!({"N": "1"}),
        json!({"N": "1E999"}),
        json!({"N": "NaN"}),
        json!({"N": "1234567890123456789012345678901234567890"}),
        json!({"N": 5}),
        json!({"B": "!"}),
        json!({"B": ""}),
        json!({"B": "AAE="}),
        json!({"SS": []}),
        json!({"SS": ["x", "x"]}),
        json!({"NS": ["1", "1.0"]}),
        json!({"BS": ["AA==", 3]}),
        json!({"NULL": false}),
        json!({"BOOL": "true"}),
        json!({"M": []}),
        json!({"L": {}}),
        json!({"S": "x", "N": "1"}),
        json!({"X": "y"}),
        json!({}),
    ])
}

fn junk() -> impl Strategy<Value = Value> {
    let raw = |text: &str| Value::String(format!("{RAW}{text}"));
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        proptest::sample::select(vec![
            raw("1e999"),
            raw("-1e-999"),
            raw("99999999999999999999999999"),
            raw("18446744073709551615"),
            raw("9223372036854775807"),
            raw("-0"),
            raw("\"\\ud800\""),
            raw("{\"S\":\"a\""),
        ]),
        Just(json!([])),
        Just(json!({})),
        "\\PC{0,20}".prop_map(Value::from),
        (0usize..5000).prop_map(|length| Value::from("x".repeat(length))),
        expression().prop_map(Value::from),
        expression().prop_map(Value::from),
        attribute_value(),
        attribute_value(),
    ]
}

pub fn spoil() -> impl Strategy<Value = Spoil> {
    let how = prop_oneof![
        3 => Just(How::Drop),
        6 => junk().prop_map(How::Replace),
        1 => junk().prop_map(How::Twice),
        1 => prop_oneof!["\\PC{0,4}", "[a-z#:]{1,3}"].prop_map(How::Rename),
        1 => prop_oneof![1u16..40, 100u16..400].prop_map(How::Nest),
        1 => (2u8..60).prop_map(How::Repeat),
    ];
    (any::<prop::sample::Index>(), how).prop_map(|(place, how)| Spoil {
        place: place.index(1 << 20),
        how,
    })
}

impl Spoil {
    pub fn apply(&self, body: &mut Value) {
        let places = count(body);
        let mut left = self.place % places;
        self.visit(body, &mut left);
    }

    /// Walks to the place; whether it was found.
    fn visit(&self, value: &mut Value, left: &mut usize) -> bool {
        if *left == 0 {
            self.change_value(value);
            return true;
        }
        *left -= 1;
        match value {
            Value::Object(members) => {
                let names: Vec<String> = members.keys().cloned().collect();
                names.into_iter().any(|name| {
                    if *left == 0 {
                        self.change_member(members, &name);
                        return true;
                    }
                    members
                        .get_mut(&name)
                        .is_some_and(|value| self.visit(value, left))
                })
            }
            Value::Array(elements) => elements.iter_mut().any(|element| self.visit(element, left)),
            _ => false,
        }
    }

    fn change_member(&self, members: &mut Map<String, Value>, name: &str) {
        match &self.how {
            How::Drop => {
                members.remove(name);
            }
            How::Twice(value) => {
                members.insert(format!("{AGAIN}{name}"), value.clone());
            }
            How::Rename(other) => {
                let value = members.remove(name).unwrap_or_default();
                members.insert(other.clone(), value);
            }
            How::Replace(_) | How::Nest(_) | How::Repeat(_) => {
                if let Some(value) = members.get_mut(name) {
                    self.change_value(value);
                }
            }
        }
    }

    fn change_value(&self, value: &mut Value) {
        match &self.how {
            How::Drop | How::Rename(_) => *value = Value::Null,
            How::Replace(junk) | How::Twice(junk) => *value = junk.clone(),
            How::Nest(depth) => {
                for level in 0..*depth {
                    let inner = value.take();
                    *value = match level % 3 {
                        0 => json!({"L": [inner]}),
                        1 => json!({"M": {"k": inner}}),
                        _ => json!([inner]),
                    };
                }
            }
            How::Repeat(times) => {
                if let Value::Array(elements) = value {
                    let once = elements.clone();
                    *elements = std::iter::repeat_n(once, usize::from(*times))
                        .flatten()
                        .collect();
                }
            }
        }
    }
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Object(members) => members.values().map(count).sum(),
        Value::Array(elements) => elements.iter().map(count).sum(),
        _ => 0,
    }
}

/// The body as text, raw parts and second members included.
pub fn render(value: &Value) -> String {
    let mut text = String::new();
    write_value(value, &mut text);
    text
}

fn write_value(value: &Value, text: &mut String) {
    match value {
        Value::String(string) if string.starts_with(RAW) => text.push_str(&string[RAW.len()..]),
        Value::Object(members) => {
            text.push('{');
            for (at, (name, value)) in members.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                let name = name.strip_prefix(AGAIN).unwrap_or(name);
                write!(text, "{}:", Value::from(name)).unwrap();
                write_value(value, text);
            }
            text.push('}');
        }
        Value::Array(elements) => {
            text.push('[');
            for (at, value) in elements.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                write_value(value, text);
            }
            text.push(']');
        }
        other => write!(text, "{other}").unwrap(),
    }
}
