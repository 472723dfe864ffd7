//! Values held against the kinds of the model, and brought into the form that is stored.

mod blank;

use crate::field_error::Problem;
use crate::secret;
use monotable_item::{AttributeType, AttributeValue, Number};
use monotable_model::compiled::{Instant, Shown};
use monotable_model::model::{Bounds, EnumWord, Kind, TextRule, TimeFormat};

/// The value as it is stored, or why it is none of this kind.
pub(crate) fn accept(kind: &Kind, value: AttributeValue) -> Result<AttributeValue, Problem> {
    let wrong = || Problem::Wrong {
        wanted: kind.to_string(),
    };
    let accepted = match (kind, value) {
        (Kind::Any, value) => Some(value),
        (Kind::Never, _) => return Err(Problem::Reserved),
        (Kind::Text(rule), AttributeValue::S(text)) if text.is_empty() && !is_text(rule, &text) => {
            return Err(Problem::Empty {
                wanted: kind.to_string(),
            });
        }
        (Kind::Text(rule), AttributeValue::S(text)) => {
            is_text(rule, &text).then_some(AttributeValue::S(text))
        }
        (Kind::Integer(bounds), AttributeValue::N(number)) => integer(bounds, number),
        (Kind::Number(bounds), AttributeValue::N(number)) => {
            within(bounds, number).then_some(AttributeValue::N(number))
        }
        (Kind::Epoch, AttributeValue::N(number)) => integer(&FROM_ZERO, number),
        (Kind::Boolean, value @ AttributeValue::Bool(_)) => Some(value),
        (Kind::Date, AttributeValue::S(text)) => date(text),
        (Kind::Timestamp(format), AttributeValue::S(text)) => time(*format, &text),
        (Kind::Json, AttributeValue::S(text)) => {
            let json = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
            json.then_some(AttributeValue::S(text))
        }
        (Kind::Map, value @ AttributeValue::M(_))
        | (Kind::Binary, value @ AttributeValue::B(_)) => Some(value),
        (Kind::Enum(words), AttributeValue::S(text)) => word(words, &text),
        (
            Kind::Url | Kind::Uuid | Kind::UuidV7 | Kind::Ulid | Kind::Token(_),
            AttributeValue::S(text),
        ) => {
            let known = kind
                .language()
                .is_some_and(|language| language.accepts(&text));
            known.then_some(AttributeValue::S(text))
        }
        (Kind::List { of, length }, AttributeValue::L(values)) => {
            return list(of, length, values, wrong);
        }
        _ => None,
    };
    accepted.ok_or_else(wrong)
}

fn is_text(rule: &TextRule, text: &str) -> bool {
    rule.language.accepts(text)
}

/// Refuses a text with nothing in it that can be seen, unless the model wants such texts. A pattern may still be asked
/// for one, because older rows may have it.
pub(crate) fn refuse_blank(kind: &Kind, value: &AttributeValue) -> Result<(), Problem> {
    match (kind, value) {
        (Kind::Text(rule), AttributeValue::S(text)) if !rule.blank && blank::is_blank(text) => {
            Err(Problem::Blank {
                wanted: kind.to_string(),
            })
        }
        (Kind::List { of, .. }, AttributeValue::L(values)) => {
            values.iter().try_for_each(|value| refuse_blank(of, value))
        }
        _ => Ok(()),
    }
}

/// Whether a stored value has the type of a kind, whatever it says.
pub(crate) fn has_type_of(kind: &Kind, value: &AttributeValue) -> bool {
    match kind {
        Kind::Any => true,
        kind => type_of(kind) == Some(value.attribute_type()),
    }
}

/// The type that values of a kind are stored as; none if there are several or none.
pub(crate) const fn type_of(kind: &Kind) -> Option<AttributeType> {
    Some(match kind {
        Kind::Any | Kind::Never => return None,
        Kind::Integer(_) | Kind::Number(_) | Kind::Epoch => AttributeType::N,
        Kind::Boolean => AttributeType::Bool,
        Kind::Map => AttributeType::M,
        Kind::Binary => AttributeType::B,
        Kind::List { .. } => AttributeType::L,
        Kind::Text(_)
        | Kind::Date
        | Kind::Timestamp(_)
        | Kind::Json
        | Kind::Enum(_)
        | Kind::Url
        | Kind::Uuid
        | Kind::UuidV7
        | Kind::Ulid
        | Kind::Token(_) => AttributeType::S,
    })
}

const FROM_ZERO: Bounds = Bounds {
    least: Some(0),
    most: None,
};

fn within(bounds: &Bounds, number: Number) -> bool {
    bounds
        .least
        .is_none_or(|least| number >= Number::from(least))
        && bounds.most.is_none_or(|most| number <= Number::from(most))
}

fn integer(bounds: &Bounds, number: Number) -> Option<AttributeValue> {
    let whole = !number.to_string().contains('.');
    (whole && within(bounds, number)).then_some(AttributeValue::N(number))
}

fn date(text: String) -> Option<AttributeValue> {
    let day = text.len() == "2025-11-18".len() && Instant::parse(&text).is_ok();
    day.then_some(AttributeValue::S(text))
}

/// A time in any offset becomes UTC, in the format of the attribute.
fn time(format: TimeFormat, text: &str) -> Option<AttributeValue> {
    let time = Instant::parse(text)
        .ok()
        .filter(|_| text.len() > "2025-11-18".len())?;
    Some(AttributeValue::S(time.show(format)))
}

/// Any spelling of a word becomes the one that is written.
fn word(words: &[EnumWord], text: &str) -> Option<AttributeValue> {
    let found = words
        .iter()
        .find(|word| word.word == text || word.aliases.iter().any(|alias| alias == text))?;
    Some(AttributeValue::S(found.word.clone()))
}

fn list(
    of: &Kind,
    length: &Bounds,
    values: Vec<AttributeValue>,
    wrong: impl Fn() -> Problem,
) -> Result<AttributeValue, Problem> {
    if !within(length, Number::from(values.len() as u64)) {
        return Err(wrong());
    }
    let values: Result<_, _> = values.into_iter().map(|value| accept(of, value)).collect();
    Ok(AttributeValue::L(values.map_err(|_| wrong())?))
}

/// The text of a value in a template; None if it has none.
pub(crate) fn show(value: &AttributeValue) -> Option<Shown> {
    match value {
        AttributeValue::L(values) => {
            let texts: Option<Vec<_>> = values.iter().map(text).collect();
            texts.map(Shown::Many)
        }
        AttributeValue::M(_) => secret::digested(value).map(|(mask, sha256)| Shown::Digest {
            mask: mask.to_owned(),
            sha256: sha256.to_owned(),
        }),
        AttributeValue::Ss(values) => Some(Shown::Many(values.iter().cloned().collect())),
        other => text(other).map(Shown::One),
    }
}

/// The text of a single value.
pub(crate) fn show_text(value: &AttributeValue) -> Option<String> {
    text(value)
}

fn text(value: &AttributeValue) -> Option<String> {
    match value {
        AttributeValue::S(text) => Some(text.clone()),
        AttributeValue::N(number) => Some(number.to_string()),
        AttributeValue::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// The value that a text in a key stands for.
pub(crate) fn read(kind: &Kind, text: String) -> Option<AttributeValue> {
    match kind {
        kind if kind.is_number() => text.parse().ok().map(AttributeValue::N),
        Kind::Boolean => text.parse().ok().map(AttributeValue::Bool),
        _ => Some(AttributeValue::S(text)),
    }
}
