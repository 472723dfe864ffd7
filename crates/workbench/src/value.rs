//! Values as people read and write them.

use monotable_item::{AttributeValue, Item};
use monotable_store::wire::{PlainItem, PlainValue, read_item};

/// Lists show so many characters of a value.
const LONGEST_IN_LIST: usize = 400;

/// A value shown as JSON is cut after so many characters.
const LONGEST_IN_JSON: usize = 10_000;

/// A value on one line: texts and numbers as they are, everything else as JSON.
pub(crate) fn show_value(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => text.clone(),
        AttributeValue::N(number) => number.to_string(),
        AttributeValue::Bool(flag) => flag.to_string(),
        other => serde_json::to_string(&PlainValue(other)).unwrap_or_default(),
    }
}

/// A text as long as lists show it; the whole value stands beside the chosen row.
pub(crate) fn shorten_text(text: &str) -> String {
    shorten(text, LONGEST_IN_LIST)
}

/// The beginning of a text, with a sign if there is more.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    let mut characters = text.chars();
    let mut short: String = characters.by_ref().take(most).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    short
}

/// Whether lists show a text as a whole.
pub(crate) fn is_short(text: &str) -> bool {
    text.len() <= LONGEST_IN_LIST
}

/// An item as JSON on one line, for addresses and forms.
pub(crate) fn write_item(item: &Item) -> String {
    serde_json::to_string(&PlainItem(item)).unwrap_or_default()
}

/// A value as JSON, for forms that say what was read.
pub(crate) fn write_value(value: &AttributeValue) -> String {
    serde_json::to_string(&PlainValue(value)).unwrap_or_default()
}

/// A value as JSON for people. One that is too long is a text of its beginning.
pub(crate) fn write_value_for_reading(value: &AttributeValue) -> String {
    let text = write_value(value);
    if text.len() <= LONGEST_IN_JSON {
        return text;
    }
    let mut start: String = show_value(value).chars().take(LONGEST_IN_JSON).collect();
    start.push('…');
    serde_json::to_string(&start).unwrap_or_default()
}

/// An item as JSON over several lines, as people read it.
pub(crate) fn draw_item(item: &Item) -> String {
    serde_json::to_string_pretty(&PlainItem(item)).unwrap_or_default()
}

/// An item from its JSON; none if the text is none.
pub(crate) fn parse_item(text: &str) -> Option<Item> {
    read_item(text).ok()
}

/// A number with commas between thousands.
pub(crate) fn show_count(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 row`, `3 rows`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let plural = match (count, noun.strip_suffix('y')) {
        (1, _) => return format!("1 {noun}"),
        (_, Some(stem)) if noun.ends_with("entity") => format!("{stem}ies"),
        _ => format!("{noun}s"),
    };
    format!("{} {plural}", show_count(count as u64))
}

/// A size in bytes, as people read it.
#[expect(
    clippy::cast_precision_loss,
    reason = "sizes of items are far below 2^52 bytes, and are shown with one digit"
)]
pub(crate) fn show_size(bytes: usize) -> String {
    if bytes < 1024 {
        format!("{bytes} B")
    } else {
        format!("{:.1} KB", bytes as f64 / 1024.0)
    }
}

/// Units without a needless fraction.
pub(crate) fn show_units(units: f64) -> String {
    let text = format!("{units:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_easily() {
        assert_eq!(show_count(1_234_567), "1,234,567");
        assert_eq!(show_count(999), "999");
        assert_eq!(counted(2, "entity"), "2 entities");
        assert_eq!(counted(1, "row"), "1 row");
        assert_eq!(show_units(0.5), "0.5");
        assert_eq!(show_units(8.0), "8");
    }

    #[test]
    fn long_values_are_cut_and_stay_json() {
        let short = AttributeValue::S("\"a\"".to_owned());
        assert_eq!(write_value_for_reading(&short), r#""\"a\"""#);
        let long = AttributeValue::S("\"".repeat(LONGEST_IN_JSON + 1));
        let text: String = serde_json::from_str(&write_value_for_reading(&long)).unwrap();
        assert_eq!(text, format!("{}…", "\"".repeat(LONGEST_IN_JSON)));
    }
}
