//! Values that a model would accept, for readers.

use monotable_model::model::{Attribute, Entity, Kind, TextRule, TimeFormat};
use serde_json::{Map, Value, json};

/// A value of a kind.
pub(super) fn show_value(name: &str, kind: &Kind) -> Value {
    match kind {
        Kind::Text(rule) => show_text(name, rule),
        Kind::Integer(bounds) | Kind::Number(bounds) => {
            json!(
                bounds
                    .least
                    .unwrap_or(1)
                    .max(1)
                    .min(bounds.most.unwrap_or(i64::MAX))
            )
        }
        Kind::Boolean => json!(true),
        Kind::Date => json!("2025-11-18"),
        Kind::Timestamp(format) => json!(show_time(*format)),
        Kind::Epoch => json!(1_763_467_200),
        Kind::Url => json!("https://example.com/"),
        Kind::Json => json!("{\"a\": 1}"),
        Kind::Map => json!({ "a": 1 }),
        Kind::Any => json!("anything"),
        Kind::Binary => json!({ "$bytes": "AQID" }),
        Kind::Never => Value::Null,
        Kind::Uuid => json!("7c9e6679-7425-40de-944b-e07fc1f90ae7"),
        Kind::UuidV7 => json!("019a9650-2f00-7000-8000-000000000000"),
        Kind::Ulid => json!("01KAB500R00000000000000000"),
        Kind::Token(length) => json!("a1".repeat(length.div_ceil(2)).get(..*length)),
        Kind::Enum(words) => json!(words.first().map(|word| word.word.as_str())),
        Kind::List { of, length } => {
            let count = length.least.unwrap_or(1).max(1);
            let count = usize::try_from(count).unwrap_or(1);
            Value::Array(vec![show_value(name, of); count])
        }
    }
}

const fn show_time(format: TimeFormat) -> &'static str {
    match format {
        TimeFormat::Seconds => "2025-11-18T12:00:00",
        TimeFormat::Zoned => "2025-11-18T12:00:00+0000",
        TimeFormat::Millis => "2025-11-18T12:00:00.000Z",
        TimeFormat::Micros => "2025-11-18T12:00:00.000000Z",
    }
}

/// A text that the rule accepts, out of a few that usual rules accept; null if it accepts none of them.
fn show_text(name: &str, rule: &TextRule) -> Value {
    let lower = name.to_lowercase();
    let usual = [
        "ann@example.com",
        &lower,
        "+4915112345678",
        "example",
        "1",
        "AB",
        "en",
        "1.0.0",
        "/a/b",
        "a.b",
        "",
    ];
    let is_address = lower.contains("email");
    let skipped = usize::from(!is_address);
    let ordered = usual.iter().skip(skipped).chain(usual.iter().take(skipped));
    let mut fitting = ordered.filter(|text| rule.language.accepts(text));
    fitting.next().map_or(Value::Null, |text| json!(text))
}

/// A new row with what a caller must give.
pub(super) fn show_new_row(entity: &Entity) -> Option<Value> {
    let mut row = Map::new();
    for attribute in entity.attributes.iter().filter(|known| is_shown(known)) {
        let value = show_value(&attribute.name.value, &attribute.kind);
        if value.is_null() {
            return None;
        }
        row.insert(attribute.name.value.clone(), value);
    }
    (!row.is_empty()).then_some(Value::Object(row))
}

fn is_shown(attribute: &Attribute) -> bool {
    attribute.must_be_given()
        || attribute.presence.required_if.is_some() && !attribute.is_set_by_the_store()
}
