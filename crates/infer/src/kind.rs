//! Types of attributes, from their values.

use crate::rendering::{is_date, is_timestamp};
use crate::word::{is_id_like, is_ulid, is_uuid};
use monotable_item::AttributeValue;
use std::collections::BTreeSet;

/// An enum has no more words.
const MAX_WORDS: usize = 8;
/// Fewer rows show nothing about an enum.
const MIN_ROWS: usize = 8;
/// Times as seconds since 1970: from 2001 to 2100.
const EPOCH: std::ops::Range<i64> = 1_000_000_000..4_102_444_800;
/// Names of attributes that hold anything, however few values a sample has.
const OPEN_ENDINGS: &[&str] = &[
    "id",
    "ids",
    "key",
    "name",
    "email",
    "by",
    "urn",
    "url",
    "title",
    "text",
    "path",
    "value",
    "code",
    "number",
    "user",
    "username",
    "owner",
    "place",
    "address",
    "city",
    "message",
    "description",
    "note",
    "notes",
    "ref",
    "version",
    "locale",
    "ts",
    "at",
    "date",
];

/// A type and what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundKind {
    pub(crate) kind: String,
    pub(crate) clauses: Vec<String>,
    pub(crate) remark: Option<String>,
}

impl From<&str> for FoundKind {
    fn from(kind: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            clauses: Vec::new(),
            remark: None,
        }
    }
}

/// The narrowest type that all values have.
pub(crate) fn find(name: &str, values: &[&AttributeValue]) -> FoundKind {
    let texts: Option<Vec<&str>> = values.iter().map(|value| as_text(value)).collect();
    if let Some(texts) = texts {
        return find_text(name, &texts);
    }
    let all = |is: fn(&AttributeValue) -> bool| values.iter().all(|value| is(value));
    if all(|value| matches!(value, AttributeValue::N(_))) {
        return find_number(name, values);
    }
    if all(|value| matches!(value, AttributeValue::Bool(_))) {
        return "boolean".into();
    }
    if all(|value| matches!(value, AttributeValue::M(_))) {
        return "map".into();
    }
    if all(|value| matches!(value, AttributeValue::B(_))) {
        return "binary".into();
    }
    if all(|value| matches!(value, AttributeValue::L(_))) {
        return find_list(values);
    }
    let is_set = |value: &AttributeValue| {
        matches!(
            value,
            AttributeValue::Ss(_) | AttributeValue::Ns(_) | AttributeValue::Bs(_)
        )
    };
    let mut found = FoundKind::from("any");
    found.remark = Some(if all(is_set) {
        "A set; the language has no word for sets, so any value is accepted.".to_owned()
    } else {
        "Its values have several types.".to_owned()
    });
    found
}

fn as_text(value: &AttributeValue) -> Option<&str> {
    match value {
        AttributeValue::S(text) => Some(text),
        _ => None,
    }
}

/// The type of texts.
pub(crate) fn find_text(name: &str, texts: &[&str]) -> FoundKind {
    let all = |is: fn(&str) -> bool| !texts.is_empty() && texts.iter().all(|text| is(text));
    if all(is_uuid) && texts.iter().all(|text| !text.contains(char::is_uppercase)) {
        return "uuid".into();
    }
    if all(is_ulid) {
        return "ulid".into();
    }
    if all(is_date) {
        return "date".into();
    }
    if all(is_timestamp)
        && let Some(kind) = find_time(texts)
    {
        return kind.into();
    }
    if all(|text| text.starts_with("https://") || text.starts_with("http://")) {
        return "url".into();
    }
    if let Some(found) = find_enum(name, texts) {
        return found;
    }
    let is_blank = |text: &&&str| text.trim().is_empty() && !text.is_empty();
    let has_empty = texts.iter().any(|text| text.is_empty());
    let mut found = FoundKind::from(if has_empty { "text(0..)" } else { "text" });
    if texts.iter().any(|text| is_blank(&text)) {
        found.clauses.push("blank".to_owned());
    }
    found
}

/// The width that all times have.
fn find_time(texts: &[&str]) -> Option<&'static str> {
    let ends = |ending: &str, length: usize| {
        texts
            .iter()
            .all(|text| text.len() == length && text.ends_with(ending))
    };
    if ends("Z", 24) {
        Some("timestamp")
    } else if ends("Z", 27) {
        Some("timestamp(micros)")
    } else if texts.iter().all(|text| text.len() == 19) {
        Some("timestamp(seconds)")
    } else if ends("+0000", 24) {
        Some("timestamp(zoned)")
    } else {
        None
    }
}

fn find_enum(name: &str, texts: &[&str]) -> Option<FoundKind> {
    let words: BTreeSet<&str> = texts.iter().copied().collect();
    let is_word = |word: &&str| {
        let is_sayable = |c: char| c.is_ascii_alphanumeric() || "_-.:+".contains(c);
        (1..=32).contains(&word.len()) && word.chars().all(is_sayable) && !is_id_like(word)
    };
    let lower = name.to_lowercase();
    let is_open = OPEN_ENDINGS.iter().any(|ending| lower.ends_with(ending));
    let is_few = (2..=MAX_WORDS).contains(&words.len())
        && texts.len() >= MIN_ROWS
        && words.len() * 4 <= texts.len();
    if is_open || !is_few || !words.iter().all(is_word) {
        return None;
    }
    let kind: Vec<&str> = words.into_iter().collect();
    Some(FoundKind {
        kind: kind.join(" | "),
        clauses: Vec::new(),
        remark: Some(format!(
            "{} words in {} rows; there may be others.",
            kind.len(),
            texts.len()
        )),
    })
}

fn find_number(name: &str, values: &[&AttributeValue]) -> FoundKind {
    let numbers = values.iter().map(|value| match value {
        AttributeValue::N(number) => number.to_string().parse::<i64>().ok(),
        _ => None,
    });
    let numbers: Option<Vec<i64>> = numbers.collect();
    let Some(numbers) = numbers else {
        return "number".into();
    };
    let lower = name.to_lowercase();
    let is_time = ["ttl", "expires", "expire", "expiry", "timetolive"]
        .iter()
        .any(|word| lower.contains(word))
        || lower.ends_with("at");
    if is_time && numbers.iter().all(|number| EPOCH.contains(number)) {
        return "epoch".into();
    }
    if numbers.iter().all(|number| *number >= 0) {
        "integer(0..)".into()
    } else {
        "integer".into()
    }
}

fn find_list(values: &[&AttributeValue]) -> FoundKind {
    let mut elements: Vec<&AttributeValue> = Vec::new();
    for value in values {
        if let AttributeValue::L(list) = value {
            elements.extend(list);
        }
    }
    let all = |is: fn(&AttributeValue) -> bool| {
        !elements.is_empty() && elements.iter().all(|value| is(value))
    };
    let is_text = |value: &AttributeValue| matches!(value, AttributeValue::S(text) if !text.trim().is_empty());
    if all(is_text) {
        "[text]".into()
    } else if all(|value| matches!(value, AttributeValue::N(_))) {
        "[number]".into()
    } else if all(|value| matches!(value, AttributeValue::M(_))) {
        "[map]".into()
    } else {
        "[any]".into()
    }
}
