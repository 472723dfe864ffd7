//! What a format makes of a language. Where it is not exact it is too large, never too small.

use crate::model::{Format, Kind};
use crate::model::{date_language, time_language};
use monotable_language::Language;

/// The texts that a format shows for these texts.
pub(super) fn shown(language: &Language, kind: Option<&Kind>, format: &Format) -> Language {
    match format {
        Format::Date | Format::Next => date_language(),
        Format::Time(time) => time_language(*time),
        Format::Pad(width) => Language::digits(*width),
        Format::E164(_) => Language::literal("+").concat(&Language::digits(1).repeat(4, Some(15))),
        Format::Sha256 => Language::ascii(&[(b'0', b'9'), (b'a', b'f')]).repeat(64, Some(64)),
        Format::Shard(shards) => Language::digits(shard_width(*shards)),
        // Blanks at the ends go, nothing is added; all-blank text becomes empty.
        Format::Trim(_) => {
            if language.can_be_empty() || can_be_only_trimmed(language, format) {
                language.union(&Language::empty_text())
            } else {
                language.clone()
            }
        }
        Format::Lower | Format::Upper => recased(language),
        // Compatibility forms can become any character.
        Format::Nfkc | Format::Nfc | Format::Nfd => Language::nonempty_text(),
        Format::Mask { .. } => loosened(language, "*"),
        // What is short enough stays as it is.
        Format::Fit(bytes) => match language.byte_length().max {
            Some(most) if most <= *bytes => language.clone(),
            _ => loosened(language, "~"),
        },
        Format::Sort => language.clone(),
        Format::Join(with) => joined(kind, with),
    }
}

/// How many digits a shard has.
pub fn shard_width(shards: usize) -> usize {
    (shards.saturating_sub(1)).to_string().len().max(2)
}

fn can_be_only_trimmed(language: &Language, format: &Format) -> bool {
    match format {
        Format::Trim(Some(only)) => language.can_contain(*only),
        _ => language.can_contain(' '),
    }
}

/// Case changes keep everything that is no letter; letters may become others.
fn recased(language: &Language) -> Language {
    loosened(language, "")
}

/// Any text of the characters that it can have, as far as delimiters are concerned, and those added.
fn loosened(language: &Language, added: &str) -> Language {
    let excluded: Vec<char> = ('!'..='~')
        .filter(|c| c.is_ascii_punctuation() && !added.contains(*c) && !language.can_contain(*c))
        .collect();
    let least = usize::from(!language.can_be_empty());
    Language::text_without(&excluded, least)
}

fn joined(kind: Option<&Kind>, with: &str) -> Language {
    let element = match kind {
        Some(Kind::List { of, .. }) => of.language(),
        _ => None,
    };
    match element {
        Some(element) => {
            let more = Language::literal(with).concat(&element);
            element.concat(&more.repeat(0, None))
        }
        None => Language::nonempty_text(),
    }
}
