//! How the attributes of an item may show in its keys.

use monotable_item::{AttributeValue, Item};

/// An attribute in a form that a key may show.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rendering {
    pub(crate) attribute: String,
    /// As a template writes them; those that need the word to be known, such as padding, come later.
    pub(crate) formats: Vec<String>,
    pub(crate) text: String,
}

/// Longer texts are never in keys.
const MAX_BYTES: usize = 1024;

/// All renderings of an item, without those of attributes that are made for keys.
pub(crate) fn render(item: &Item, made: &[&str]) -> Vec<Rendering> {
    let mut all = Vec::new();
    for (name, value) in item.iter() {
        if made.contains(&name.as_str()) {
            continue;
        }
        match value {
            AttributeValue::S(text) if text.len() <= MAX_BYTES => add_text(&mut all, name, text),
            AttributeValue::N(number) => add(&mut all, name, &[], number.to_string()),
            AttributeValue::Bool(flag) => add(&mut all, name, &[], flag.to_string()),
            _ => {}
        }
    }
    all
}

fn add(all: &mut Vec<Rendering>, name: &str, formats: &[&str], text: String) {
    if text.is_empty() {
        return;
    }
    all.push(Rendering {
        attribute: name.to_owned(),
        formats: formats.iter().map(|format| (*format).to_owned()).collect(),
        text,
    });
}

fn add_text(all: &mut Vec<Rendering>, name: &str, text: &str) {
    add(all, name, &[], text.to_owned());
    let trimmed = text.trim();
    if trimmed != text {
        add(all, name, &["trim"], trimmed.to_owned());
    }
    let lower = text.to_lowercase();
    if lower != text {
        add(all, name, &["lower"], lower.clone());
    }
    if lower.trim() != lower {
        add(all, name, &["trim", "lower"], lower.trim().to_owned());
    }
    let upper = text.to_uppercase();
    if upper != text {
        add(all, name, &["upper"], upper);
    }
    if is_timestamp(text)
        && let Some(day) = text.get(..10)
    {
        add(all, name, &["date"], day.to_owned());
    }
    if let Some(phone) = phone(text) {
        add(all, name, &["e164"], phone);
    }
}

/// A phone number with its country, without blanks.
fn phone(text: &str) -> Option<String> {
    let rest = text.strip_prefix('+')?;
    let is_part = |c: char| c.is_ascii_digit() || " -()/.".contains(c);
    let digits: String = rest.chars().filter(char::is_ascii_digit).collect();
    let whole = format!("+{digits}");
    (rest.chars().all(is_part) && digits.len() >= 7 && whole != text).then_some(whole)
}

/// `2025-09-20T10:11:12`, with whatever follows.
pub(crate) fn is_timestamp(text: &str) -> bool {
    let pattern = "0000-00-00T00:00:00";
    text.len() >= pattern.len() && has_form(text, pattern)
}

/// `2025-09-20`.
pub(crate) fn is_date(text: &str) -> bool {
    text.len() == 10 && has_form(text, "0000-00-00")
}

/// Whether text begins as a pattern in which `0` stands for any digit.
fn has_form(text: &str, pattern: &str) -> bool {
    pattern
        .bytes()
        .zip(text.bytes())
        .all(|(wanted, found)| match wanted {
            b'0' => found.is_ascii_digit(),
            other => found == other,
        })
}

/// The format with which a number shows as this word: `00042` is 42 with five digits.
pub(crate) fn padding(word: &str, number: &str) -> Option<String> {
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let plain = word.trim_start_matches('0');
    let plain = if plain.is_empty() { "0" } else { plain };
    let is_padded = word.len() > number.len() && plain == number;
    (is_number && is_padded && word.len() <= 38).then(|| format!("{:02}", word.len()))
}

/// What a template shows of a value with these formats; none if it cannot.
pub(crate) fn apply(value: &AttributeValue, formats: &[String]) -> Option<String> {
    let mut text = match value {
        AttributeValue::S(text) => text.clone(),
        AttributeValue::N(number) => number.to_string(),
        AttributeValue::Bool(flag) => flag.to_string(),
        _ => return None,
    };
    for format in formats {
        text = match format.as_str() {
            "trim" => text.trim().to_owned(),
            "lower" => text.to_lowercase(),
            "upper" => text.to_uppercase(),
            "date" if is_timestamp(&text) => text.get(..10)?.to_owned(),
            "e164" => phone(&text).unwrap_or(text),
            width => {
                let width: usize = width.parse().ok()?;
                format!("{text:0>width$}")
            }
        };
    }
    Some(text)
}
