//! Values that fit a shape, or just do not.

use crate::description::{Description, Kind, Shape};
use crate::place::ENTRY;
use serde_json::{Map, Value, json};

/// The shape of DynamoDB's values.
pub(crate) const ATTRIBUTE_VALUE: &str = "AttributeValue";

/// A word that is on no list.
pub(crate) const UNKNOWN_WORD: &str = "monotable-knows-no-such-word";

/// Texts that are long enough for every name.
const USUAL_LENGTH: i64 = 3;

/// Members that a request needs to get past its first checks, although none of them is required.
const NEEDED: &[(&str, &[&str])] = &[(
    "CreateTableInput",
    &["AttributeDefinitions", "KeySchema", "ProvisionedThroughput"],
)];

/// Shapes whose description allows any text, although only certain texts get past the first checks of a request.
const WELL_FORMED: &[(&str, &str)] = &[(
    "ResourceArnString",
    "arn:aws:dynamodb:us-east-1:000000000000:table/aaa",
)];

/// A pattern that AWS's description has, with texts that tell whether it is enforced.
struct PatternTexts {
    pattern: &'static str,
    /// A text that fits, also when it is repeated where longer texts fit at all.
    unit: &'static str,
    unfitting: &'static str,
}

/// What letters fit, and `!!!` does not, is not listed here.
const PATTERNS: &[PatternTexts] = &[
    PatternTexts {
        pattern: "[0-9]{12}",
        unit: "123456789012",
        unfitting: "!!!",
    },
    PatternTexts {
        pattern: "([0-9a-f]{16})+",
        unit: "0123456789abcdef",
        unfitting: "!!!",
    },
    PatternTexts {
        pattern: r"[,;:|\t ]",
        unit: ",",
        unfitting: "!",
    },
    PatternTexts {
        pattern: r"[\x20-\x21\x23-\x2B\x2D-\x7E]*",
        unit: "a",
        unfitting: "\"",
    },
    PatternTexts {
        pattern: r"^[^\$]+$",
        unit: "a",
        unfitting: "$",
    },
];

const LETTERS: PatternTexts = PatternTexts {
    pattern: "",
    unit: "a",
    unfitting: "!!!",
};

fn pattern_texts(shape: &Shape) -> &'static PatternTexts {
    let pattern = shape.pattern.as_deref();
    let mut known = PATTERNS.iter();
    known
        .find(|texts| Some(texts.pattern) == pattern)
        .unwrap_or(&LETTERS)
}

/// A text that does not fit the pattern of a shape.
pub(crate) fn unfitting(shape: &Shape) -> &'static str {
    pattern_texts(shape).unfitting
}

/// The smallest usual value: what is required, and nothing else.
pub(crate) fn minimal(description: &Description, name: &str) -> Value {
    let Some(shape) = description.shape(name) else {
        return Value::Null;
    };
    match shape.kind {
        Kind::Structure if name == ATTRIBUTE_VALUE => json!({"S": "aaa"}),
        Kind::Structure => Value::Object(required(description, name, shape)),
        Kind::List | Kind::Map => sized(description, shape, shape.min.unwrap_or(1).max(1)),
        Kind::String => well_formed(name).unwrap_or_else(|| text(shape)),
        Kind::Blob => json!("YWFh"),
        Kind::Boolean => json!(true),
        Kind::Integer | Kind::Long => json!(shape.min.unwrap_or(1)),
        Kind::Double => json!(1.5),
        Kind::Timestamp => json!(1_700_000_000.123),
    }
}

fn required(description: &Description, name: &str, shape: &Shape) -> Map<String, Value> {
    let needed = NEEDED.iter().find(|(structure, _)| *structure == name);
    let needed = needed.map_or(&[][..], |(_, members)| members);
    let required = shape.required.iter().map(String::as_str);
    required
        .chain(needed.iter().copied())
        .filter_map(|member| Some((member.to_owned(), shape.members.get(member)?)))
        .map(|(member, to)| (member, minimal(description, &to.shape)))
        .collect()
}

fn well_formed(name: &str) -> Option<Value> {
    let known = WELL_FORMED.iter().find(|(shape, _)| *shape == name)?;
    Some(json!(known.1))
}

fn text(shape: &Shape) -> Value {
    match shape.words.first() {
        Some(word) => json!(word),
        None => {
            let usual = USUAL_LENGTH.max(shape.min.unwrap_or(0));
            let usual = usual.min(shape.max.unwrap_or(i64::MAX));
            let unit = pattern_texts(shape).unit;
            let count = usize::try_from(usual).unwrap_or(0);
            json!(unit.repeat(count.div_ceil(unit.len())))
        }
    }
}

/// A text of this length, which fits the pattern if a text of this length can.
fn letters(shape: &Shape, count: i64) -> Value {
    let count = usize::try_from(count).unwrap_or(0);
    let unit = pattern_texts(shape).unit;
    json!(unit.repeat(count.div_ceil(unit.len())).get(..count))
}

/// Whether a value of this size can fit the pattern of the shape.
pub(crate) fn can_fit(shape: &Shape, size: i64) -> bool {
    let unit = pattern_texts(shape).unit.len();
    shape.kind != Kind::String || usize::try_from(size).is_ok_and(|size| size % unit == 0)
}

/// A value of the shape with this length, or this number.
pub(crate) fn sized(description: &Description, shape: &Shape, size: i64) -> Value {
    let count = usize::try_from(size).unwrap_or(0);
    match shape.kind {
        Kind::String => letters(shape, size),
        Kind::List => {
            let element = shape.member.as_ref();
            let element = element.map_or(Value::Null, |to| minimal(description, &to.shape));
            Value::Array(vec![element; count])
        }
        Kind::Map => {
            let value = shape.value.as_ref();
            let value = value.map_or(Value::Null, |to| minimal(description, &to.shape));
            let keys = (0..count).map(|index| match index {
                0 => ENTRY.to_owned(),
                _ => format!("{ENTRY}{index}"),
            });
            Value::Object(keys.map(|key| (key, value.clone())).collect())
        }
        _ => json!(size),
    }
}

/// Values of another JSON type than the shape's. Texts are not refused everywhere that a number
/// belongs, nor the other way round, by JSON alone; a list and an object are.
pub(crate) fn of_other_types(kind: Kind) -> Vec<Value> {
    match kind {
        Kind::Structure | Kind::Map => vec![json!("a"), json!(1), json!([]), json!(true)],
        Kind::List => vec![json!("a"), json!(1), json!({}), json!(true)],
        Kind::String | Kind::Blob => vec![json!(1), json!([]), json!({}), json!(true)],
        Kind::Boolean => vec![json!("a"), json!(1), json!([]), json!({})],
        Kind::Integer | Kind::Long | Kind::Double | Kind::Timestamp => {
            vec![json!("a"), json!([]), json!({}), json!(true)]
        }
    }
}

/// Every type of DynamoDB's values.
pub(crate) fn attribute_values() -> Vec<Value> {
    vec![
        json!({"S": "a"}),
        json!({"N": "1"}),
        json!({"B": "YQ=="}),
        json!({"SS": ["a"]}),
        json!({"NS": ["1"]}),
        json!({"BS": ["YQ=="]}),
        json!({"M": {"a": {"S": "a"}}}),
        json!({"L": [{"S": "a"}]}),
        json!({"NULL": true}),
        json!({"BOOL": false}),
    ]
}
