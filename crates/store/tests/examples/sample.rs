//! Values that a model allows, made of its declarations alone.

use monotable_item::{AttributeValue, Item, Number};
use monotable_model::model::{Bounds, Kind};

/// A value of a kind; `variant` tells several of them apart.
pub(crate) fn value(kind: &Kind, variant: usize) -> Option<AttributeValue> {
    let text = |text: String| Some(AttributeValue::S(text));
    match kind {
        Kind::Text(_) | Kind::Token(_) => {
            let words = kind.language()?.words(40);
            let visible = words.iter().filter(|word| !word.trim().is_empty());
            let visible: Vec<_> = visible.collect();
            // The first words are of one character, where there may be more.
            let chosen = visible.get(variant).or(visible.last())?;
            text((*chosen).clone())
        }
        Kind::Integer(bounds) => Some(AttributeValue::N(Number::from(
            least(bounds) + variant as i64,
        ))),
        Kind::Number(bounds) => Some(AttributeValue::N(Number::from(least(bounds)))),
        Kind::Epoch => Some(AttributeValue::N(Number::from(4_102_444_800_i64))),
        Kind::Boolean => Some(AttributeValue::Bool(true)),
        Kind::Date => text(format!("2026-01-0{}", variant + 1)),
        Kind::Timestamp(_) => text(format!("2026-01-0{}T10:00:00.000Z", variant + 1)),
        Kind::Url => text(format!("https://example.com/{variant}")),
        Kind::Json => text(r#"{"a": 1}"#.to_owned()),
        Kind::Map => Some(AttributeValue::M(Item::new().with("a", 1))),
        Kind::Any => text(format!("anything {variant}")),
        Kind::Binary => Some(AttributeValue::B(vec![1, 2])),
        Kind::Never => None,
        Kind::Uuid => text(format!("550e8400-e29b-41d4-a716-44665544000{variant}")),
        Kind::UuidV7 => text(format!("01890a5d-ac96-774b-bcce-b302099a800{variant}")),
        Kind::Ulid => text(format!("01ARZ3NDEKTSV4RRFFQ69G5FA{variant}")),
        Kind::Enum(words) => text(words.first()?.word.clone()),
        Kind::List { of, length } => {
            let many = usize::try_from(length.least.unwrap_or(1)).ok()?.max(1);
            let values: Option<Vec<_>> = (0..many).map(|number| value(of, number)).collect();
            values.map(AttributeValue::L)
        }
    }
}

/// What declarations alone do not tell: values that mechanisms wait for, in the examples that show those mechanisms.
pub(crate) fn hint(entity: &str, attribute: &str) -> Option<AttributeValue> {
    let member = || AttributeValue::from("550e8400-e29b-41d4-a716-446655440007");
    match (entity, attribute) {
        ("Group", "phone") => Some("+4930123456".into()),
        ("Comment", "body") => Some("Re: this".into()),
        ("Board", "members") => Some(AttributeValue::L(vec![member()])),
        ("Board", "shared") => Some(AttributeValue::Bool(true)),
        _ => None,
    }
}

/// The attribute that a parameter of another name stands for.
pub(crate) fn meant_by(parameter: &str) -> Option<&'static str> {
    match parameter {
        "author" => Some("userId"),
        _ => None,
    }
}

fn least(bounds: &Bounds) -> i64 {
    bounds.least.unwrap_or(1)
}
