//! Tags of a table.

use crate::structure::structure;
use crate::{Error, wording};
use std::collections::HashSet;

/// Longest key, in characters.
const MAX_KEY_CHARS: usize = 128;
/// Longest value, in characters.
const MAX_VALUE_CHARS: usize = 256;
/// Most tags of a table.
pub(crate) const MAX_TAGS: usize = 50;
/// Keys that begin so, in any case, are AWS's own.
const RESERVED_PREFIX: &str = "aws:";

structure! {
    /// A name and a value, of the owner's choice.
    pub struct Tag {
        /// The name.
        key: String,
        /// The value.
        value: String,
    }
}

impl Tag {
    /// A tag.
    pub fn new(key: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            key: Some(key.into()),
            value: Some(value.into()),
        }
    }

    /// Checks tags that are to be set at once, each of them and how many they are.
    pub(crate) fn check_all(tags: &[Self]) -> Result<(), Error> {
        let mut keys = HashSet::new();
        for tag in tags {
            let key = check_key(tag.key.as_deref())?;
            match tag.value.as_deref() {
                Some(value) if has_length(value, 0..=MAX_VALUE_CHARS) && is_plain(value) => {}
                value => return Err(Error::validation(wording::invalid_tag_value(value))),
            }
            if !keys.insert(key) {
                return Err(Error::validation(wording::repeated_tag_key(key)));
            }
        }
        Self::check_count(tags.len())
    }

    /// Checks how many tags a table has.
    pub fn check_count(count: usize) -> Result<(), Error> {
        if count > MAX_TAGS {
            return Err(Error::validation(wording::TOO_MANY_TAGS));
        }
        Ok(())
    }
}

/// Checks that a tag may have this key, and that it is not one of AWS's own.
pub(crate) fn check_key(key: Option<&str>) -> Result<&str, Error> {
    let key = match key {
        Some(key) if has_length(key, 1..=MAX_KEY_CHARS) && is_plain(key) => key,
        key => return Err(Error::validation(wording::invalid_tag_key(key))),
    };
    let start = key.get(..RESERVED_PREFIX.len());
    if start.is_some_and(|start| start.eq_ignore_ascii_case(RESERVED_PREFIX)) {
        return Err(Error::validation(wording::reserved_tag_key(key)));
    }
    Ok(key)
}

fn has_length(text: &str, range: std::ops::RangeInclusive<usize>) -> bool {
    range.contains(&text.chars().count())
}

/// Letters and digits of any script, blanks, and a few signs.
fn is_plain(text: &str) -> bool {
    let is_sign = |character| matches!(character, '+' | '-' | '=' | '.' | '_' | ':' | '/' | '@');
    text.chars().all(|character| {
        character.is_alphanumeric() || character.is_whitespace() || is_sign(character)
    })
}
