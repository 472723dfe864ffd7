//! What the words of keys are separated by.

use crate::sample::text;
use monotable_item::Item;

/// In the order of preference, if two are as frequent.
const CANDIDATES: &[char] = &['#', '|', '/', ':', '~', ';', '^', '&', '+', '.', '_'];

/// The character that most primary keys contain, or else most keys: indexes are often on attributes of rows, whose values have
/// signs of their own. Those of ids and times, such as `-`, are none.
pub(crate) fn find(items: &[Item], primary: &[&str], all: &[&str]) -> char {
    let found = most_frequent(items, primary);
    found.or_else(|| most_frequent(items, all)).unwrap_or('#')
}

fn most_frequent(items: &[Item], key_attributes: &[&str]) -> Option<char> {
    let mut best = None;
    let mut most = 0;
    for candidate in CANDIDATES {
        let texts = items
            .iter()
            .flat_map(|item| key_attributes.iter().filter_map(|name| text(item, name)));
        let count = texts.filter(|text| is_separated(text, *candidate)).count();
        if count > most {
            best = Some(*candidate);
            most = count;
        }
    }
    best
}

/// Times have colons, and addresses have slashes: those are no separators.
fn is_separated(text: &str, separator: char) -> bool {
    let is_time = separator == ':' && text.contains('T') && text.ends_with('Z');
    text.contains(separator) && !is_time && !text.contains("://")
}
