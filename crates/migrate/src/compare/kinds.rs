//! Whether every value of one type is one of another.

use crate::example::example_value;
use monotable_language::{Verdict, is_subset};
use monotable_model::model::{Bounds, EnumWord, Kind, TextRule};
use serde_json::{Value, json};

/// Whether the values of a type are values of another.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Inclusion {
    /// All are.
    Proven,
    /// This one is not.
    Refuted(Value),
    /// It is not known.
    NotProven,
}

/// Whether every value of `inner` is one of `outer`.
pub(super) fn include(inner: &Kind, outer: &Kind) -> Inclusion {
    if matches!(outer, Kind::Any) {
        return Inclusion::Proven;
    }
    match (inner, outer) {
        (Kind::Integer(a), Kind::Integer(b) | Kind::Number(b))
        | (Kind::Number(a), Kind::Number(b)) => include_range(a, b),
        (Kind::Number(a), Kind::Integer(_)) => fraction(a),
        (Kind::Epoch, Kind::Epoch)
        | (Kind::Boolean, Kind::Boolean)
        | (Kind::Map, Kind::Map)
        | (Kind::Binary, Kind::Binary) => Inclusion::Proven,
        (Kind::Epoch, Kind::Integer(b) | Kind::Number(b))
            if b.most.is_none() && b.least.is_none_or(|least| least <= 0) =>
        {
            Inclusion::Proven
        }
        (Kind::Enum(a), Kind::Enum(b)) => include_words(a, b),
        (Kind::Text(a), Kind::Text(b)) => include_texts(a, b),
        (
            Kind::List {
                of: a,
                length: some,
            },
            Kind::List {
                of: b,
                length: more,
            },
        ) => include_lists((a, some), (b, more)),
        (_, Kind::Never) => Inclusion::Refuted(example_value(inner)),
        _ if is_text(inner) && is_text(outer) => include_spellings(inner, outer),
        _ if stored_type(inner) == stored_type(outer) => Inclusion::NotProven,
        (Kind::Any, _) => Inclusion::Refuted(other_value(outer)),
        _ => Inclusion::Refuted(example_value(inner)),
    }
}

/// A value that a type does not have, of those that anything has.
fn other_value(outer: &Kind) -> Value {
    if is_text(outer) {
        json!(true)
    } else {
        json!("any")
    }
}

fn is_text(kind: &Kind) -> bool {
    stored_type(kind) == "S"
}

/// DynamoDB's type of a value.
const fn stored_type(kind: &Kind) -> &'static str {
    match kind {
        Kind::Integer(_) | Kind::Number(_) | Kind::Epoch => "N",
        Kind::Boolean => "BOOL",
        Kind::Map => "M",
        Kind::Binary => "B",
        Kind::List { .. } => "L",
        Kind::Any => "any",
        Kind::Never => "none",
        Kind::Text(_)
        | Kind::Date
        | Kind::Timestamp(_)
        | Kind::Url
        | Kind::Json
        | Kind::Uuid
        | Kind::UuidV7
        | Kind::Ulid
        | Kind::Token(_)
        | Kind::Enum(_) => "S",
    }
}

fn include_range(inner: &Bounds, outer: &Bounds) -> Inclusion {
    let below = match (inner.least, outer.least) {
        (_, None) => None,
        (None, Some(least)) => Some(least.saturating_sub(1)),
        (Some(least), Some(wanted)) => (least < wanted).then_some(least),
    };
    let above = match (inner.most, outer.most) {
        (_, None) => None,
        (None, Some(most)) => Some(most.saturating_add(1)),
        (Some(most), Some(wanted)) => (most > wanted).then_some(most),
    };
    match below.or(above) {
        Some(outside) => Inclusion::Refuted(json!(outside)),
        None => Inclusion::Proven,
    }
}

fn fraction(inner: &Bounds) -> Inclusion {
    let least = inner.least.unwrap_or(0).max(0);
    if inner.most.is_none_or(|most| most > least) {
        #[expect(clippy::cast_precision_loss, reason = "an example")]
        return Inclusion::Refuted(json!(least as f64 + 0.5));
    }
    Inclusion::NotProven
}

fn include_words(inner: &[EnumWord], outer: &[EnumWord]) -> Inclusion {
    let is_known = |text: &str| {
        let mut words = outer.iter();
        words.any(|word| word.word == text || word.aliases.iter().any(|alias| alias == text))
    };
    let words = inner.iter().map(|word| &word.word);
    let aliases = inner.iter().flat_map(|word| &word.aliases);
    match words.chain(aliases).find(|text| !is_known(text)) {
        Some(unknown) => Inclusion::Refuted(json!(unknown)),
        None => Inclusion::Proven,
    }
}

fn include_texts(inner: &TextRule, outer: &TextRule) -> Inclusion {
    match is_subset(&inner.language, &outer.language) {
        Verdict::Refuted(word) if inner.blank || !word.trim().is_empty() => {
            Inclusion::Refuted(json!(word))
        }
        Verdict::Proven if inner.blank && !outer.blank => {
            if inner.language.accepts(" ") {
                Inclusion::Refuted(json!(" "))
            } else {
                Inclusion::NotProven
            }
        }
        Verdict::Proven => Inclusion::Proven,
        Verdict::Refuted(_) | Verdict::NotProven(_) => Inclusion::NotProven,
    }
}

fn include_lists((a, some): (&Kind, &Bounds), (b, more): (&Kind, &Bounds)) -> Inclusion {
    let least = |bounds: &Bounds| Bounds {
        least: Some(bounds.least.unwrap_or(0)),
        most: bounds.most,
    };
    match include_range(&least(some), &least(more)) {
        Inclusion::Refuted(Value::Number(count)) => {
            let count = count.as_u64().unwrap_or(0).min(1_000);
            return Inclusion::Refuted(json!(
                (0..count).map(|_| example_value(a)).collect::<Vec<_>>()
            ));
        }
        Inclusion::Proven => {}
        other => return other,
    }
    match include(a, b) {
        Inclusion::Refuted(element) if some.most.is_none_or(|most| most > 0) => {
            let count = some.least.unwrap_or(1).clamp(1, 1_000);
            Inclusion::Refuted(json!(
                (0..count).map(|_| element.clone()).collect::<Vec<_>>()
            ))
        }
        Inclusion::Refuted(_) => Inclusion::Proven,
        other => other,
    }
}

/// Types of text that are not both of the same kind.
fn include_spellings(inner: &Kind, outer: &Kind) -> Inclusion {
    let is_same = match (inner, outer) {
        (Kind::Date, Kind::Date)
        | (Kind::Url, Kind::Url)
        | (Kind::Json, Kind::Json)
        | (Kind::Uuid | Kind::UuidV7, Kind::Uuid)
        | (Kind::UuidV7, Kind::UuidV7)
        | (Kind::Ulid, Kind::Ulid) => true,
        (Kind::Timestamp(a), Kind::Timestamp(b)) => a == b,
        (Kind::Token(a), Kind::Token(b)) => a == b,
        _ => false,
    };
    if is_same {
        return Inclusion::Proven;
    }
    // Times are read in every precision, so one of another is neither surely refused nor in order.
    if matches!((inner, outer), (Kind::Timestamp(_), Kind::Timestamp(_))) {
        return Inclusion::NotProven;
    }
    let (Some(values), Some(wanted)) = (inner.language(), outer.language()) else {
        return Inclusion::NotProven;
    };
    let example = example_value(inner);
    if let Value::String(text) = &example
        && !wanted.accepts(text)
    {
        return Inclusion::Refuted(example);
    }
    // What a language has may be more than the type allows; only text is exactly its language.
    match (is_subset(&values, &wanted), outer) {
        (Verdict::Proven, Kind::Text(_)) => Inclusion::Proven,
        (Verdict::Refuted(word), _)
            if matches!(inner, Kind::Text(_) | Kind::Enum(_) | Kind::Token(_))
                && !word.trim().is_empty() =>
        {
            Inclusion::Refuted(json!(word))
        }
        _ => Inclusion::NotProven,
    }
}
