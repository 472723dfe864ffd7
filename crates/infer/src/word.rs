//! A key as words: texts between separators, and values that attributes show.

use crate::rendering::{Rendering, is_date, is_timestamp, padding};

/// A part of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// Separators and labels, as they stand.
    Text(String),
    /// A text between separators.
    Value {
        text: String,
        /// The attributes that show so, with their formats.
        sources: Vec<Source>,
    },
}

/// An attribute with formats.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Source {
    pub(crate) attribute: String,
    pub(crate) formats: Vec<String>,
}

/// Cuts a key into words.
pub(crate) fn split(key: &str, separator: char, renderings: &[Rendering]) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = key;
    while !rest.is_empty() {
        if let Some(behind) = rest.strip_prefix(separator) {
            push_text(&mut words, &separator.to_string());
            rest = behind;
            continue;
        }
        let shown = longest(rest, separator, renderings);
        let end = shown
            .map(str::len)
            .or_else(|| rest.find(separator))
            .unwrap_or(rest.len());
        let (word, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        rest = behind;
        match (shown, labelled(word, renderings)) {
            (None, Some((label, value))) => {
                push_text(&mut words, label);
                words.push(value_of(value, renderings));
            }
            _ => words.push(value_of(word, renderings)),
        }
    }
    words
}

fn push_text(words: &mut Vec<Word>, text: &str) {
    match words.last_mut() {
        Some(Word::Text(last)) => last.push_str(text),
        _ => words.push(Word::Text(text.to_owned())),
    }
}

/// The longest value that the rest begins with, and that a separator follows.
fn longest<'r>(rest: &str, separator: char, renderings: &'r [Rendering]) -> Option<&'r str> {
    let fits = |text: &str| {
        rest.strip_prefix(text)
            .is_some_and(|behind| behind.is_empty() || behind.starts_with(separator))
    };
    let texts = renderings.iter().map(|rendering| rendering.text.as_str());
    texts
        .filter(|text| fits(text))
        .max_by_key(|text| text.len())
}

/// A label and the value behind it, as in `taskid_t1`.
fn labelled<'w>(word: &'w str, renderings: &[Rendering]) -> Option<(&'w str, &'w str)> {
    let texts = renderings.iter().map(|rendering| rendering.text.as_str());
    let labels = texts.filter_map(|text| {
        let label = word.strip_suffix(text)?;
        let name = label.strip_suffix(['_', '=', ':', '-', '.'])?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        let is_label = !name.is_empty() && name.chars().all(is_name);
        is_label.then_some(label)
    });
    let label = labels.min_by_key(|label| label.len())?;
    word.split_at_checked(label.len())
}

fn value_of(text: &str, renderings: &[Rendering]) -> Word {
    let mut sources: Vec<Source> = Vec::new();
    for rendering in renderings {
        let formats = if rendering.text == text {
            Some(rendering.formats.clone())
        } else if rendering.formats.is_empty() {
            padding(text, &rendering.text).map(|format| vec![format])
        } else {
            None
        };
        if let Some(formats) = formats {
            sources.push(Source {
                attribute: rendering.attribute.clone(),
                formats,
            });
        }
    }
    Word::Value {
        text: text.to_owned(),
        sources,
    }
}

/// Whether a word looks like an id or a time, and not like something that a design writes.
pub(crate) fn is_id_like(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let is_hex = word.len() >= 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_number = !word.is_empty() && digits == word.len();
    is_number
        || is_hex
        || is_date(word)
        || is_timestamp(word)
        || is_uuid(word)
        || is_ulid(word)
        || word.contains('@')
        || (word.len() >= 16 && digits >= 4)
        || word.len() >= 32
        || word.starts_with("urn:")
        || word.starts_with("arn:")
}

/// `f01de200-0000-4000-8000-000000000001`.
pub(crate) fn is_uuid(word: &str) -> bool {
    let groups: Vec<&str> = word.split('-').collect();
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    lengths == [8, 4, 4, 4, 12]
        && groups
            .iter()
            .all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// 26 characters of Crockford's base 32.
pub(crate) fn is_ulid(word: &str) -> bool {
    let is_known =
        |byte: u8| byte.is_ascii_digit() || (byte.is_ascii_uppercase() && !b"ILOU".contains(&byte));
    word.len() == 26
        && word.bytes().all(is_known)
        && word.starts_with(|first: char| ('0'..='7').contains(&first))
}

/// `USER`, `TENANT_GRANT`: what designs write, and values seldom are.
pub(crate) fn is_shouted(word: &str) -> bool {
    let is_known = |byte: u8| {
        byte.is_ascii_uppercase() || byte == b'_' || byte == b'-' || byte.is_ascii_digit()
    };
    word.bytes().all(is_known)
        && word.starts_with(|first: char| first.is_ascii_uppercase())
        && word.len() > 1
}
