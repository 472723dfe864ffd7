//! What an attribute holds.

use super::{Bounds, EnumWord, TimeFormat};
use monotable_language::Language;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::LazyLock;

/// What an attribute holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// Text.
    Text(TextRule),
    /// A whole number.
    Integer(Bounds),
    /// A number.
    Number(Bounds),
    /// True or false.
    Boolean,
    /// A day: `2025-11-18`.
    Date,
    /// A time, as text of fixed width, UTC.
    Timestamp(TimeFormat),
    /// A time in seconds since 1970, as a number.
    Epoch,
    /// An http or https address.
    Url,
    /// Text that is JSON.
    Json,
    /// A map.
    Map,
    /// Anything.
    Any,
    /// Bytes.
    Binary,
    /// Nothing: the name is reserved.
    Never,
    /// A UUID of any version.
    Uuid,
    /// A UUID that sorts by time.
    UuidV7,
    /// A ULID.
    Ulid,
    /// So many letters and digits.
    Token(usize),
    /// One of a few words.
    Enum(Vec<EnumWord>),
    /// Several of a kind.
    List {
        /// What each element is.
        of: Box<Kind>,
        /// How many there may be.
        length: Bounds,
    },
}

/// Which texts are allowed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TextRule {
    /// Characters, least and most; one at least unless said otherwise.
    pub length: Bounds,
    /// The pattern that the whole text matches.
    pub matches: Option<String>,
    /// Characters that it never has.
    pub without: String,
    /// Whether it may have nothing that can be seen.
    pub blank: bool,
    /// All of it as a language. It is written apart, because many rules have the same.
    #[serde(skip, default = "Language::nothing")]
    pub language: Language,
}

impl Kind {
    /// The texts that a value of this kind shows in a key; None if it cannot stand in one.
    #[must_use]
    pub fn language(&self) -> Option<Language> {
        Some(match self {
            Self::Text(rule) => rule.language.clone(),
            Self::Integer(bounds) => match bounds.least {
                Some(0..) => Language::natural(),
                _ => Language::integer(),
            },
            Self::Number(_) => NUMBER.clone(),
            Self::Boolean => Language::one_of(&["true", "false"]),
            Self::Date => DATE.clone(),
            Self::Timestamp(format) => time_language(*format),
            Self::Epoch => Language::natural(),
            Self::Url => URL.clone(),
            Self::Json | Self::Any => Language::nonempty_text(),
            Self::Uuid | Self::UuidV7 => UUID.clone(),
            Self::Ulid => ULID.clone(),
            Self::Token(length) => {
                let letters = Language::ascii(&[(b'A', b'Z'), (b'a', b'z'), (b'0', b'9')]);
                letters.repeat(*length, Some(*length))
            }
            Self::Enum(words) => {
                let words: Vec<_> = words.iter().map(|word| word.word.as_str()).collect();
                Language::one_of(&words)
            }
            Self::Map | Self::Binary | Self::Never | Self::List { .. } => return None,
        })
    }

    /// Whether DynamoDB can order by it: what a key attribute is declared as.
    #[must_use]
    pub const fn is_number(&self) -> bool {
        matches!(self, Self::Integer(_) | Self::Number(_) | Self::Epoch)
    }

    /// Whether it is a time or a day.
    #[must_use]
    pub const fn is_time(&self) -> bool {
        matches!(self, Self::Date | Self::Timestamp(_))
    }
}

// Languages that every model asks for, built once. They are put together and not parsed, so that a program that binds a compiled
// model needs no parser of regular expressions, with all its tables.
static NUMBER: LazyLock<Language> = LazyLock::new(|| {
    let digits = Language::digits(1).repeat(1, None);
    let fraction = Language::literal(".").concat(&digits);
    let sign = Language::one_of(&["+", "-"]).optional();
    let exponent = Language::literal("E").concat(&sign).concat(&digits);
    let minus = Language::literal("-").optional();
    let whole = minus.concat(&Language::natural());
    whole
        .concat(&fraction.optional())
        .concat(&exponent.optional())
});
static URL: LazyLock<Language> = LazyLock::new(|| {
    let spaces: Vec<char> = ('\0'..='\u{3000}').filter(|c| c.is_whitespace()).collect();
    let scheme = Language::one_of(&["http://", "https://"]);
    scheme.concat(&Language::text_without(&spaces, 1))
});
static UUID: LazyLock<Language> = LazyLock::new(Language::uuid);
static ULID: LazyLock<Language> = LazyLock::new(Language::ulid);
static DATE: LazyLock<Language> = LazyLock::new(Language::date);
static SECONDS: LazyLock<Language> = LazyLock::new(|| time(&Language::empty_text()));
static ZONED: LazyLock<Language> = LazyLock::new(|| time(&Language::literal("+0000")));
static MILLIS: LazyLock<Language> = LazyLock::new(|| time(&fraction(3, 3).concat(&zulu())));
static MICROS: LazyLock<Language> = LazyLock::new(|| time(&fraction(6, 6).concat(&zulu())));
static FINE_SECONDS: LazyLock<Language> = LazyLock::new(|| time(&fraction(6, 6).optional()));
static FINE_ZONED: LazyLock<Language> = LazyLock::new(|| {
    time(
        &fraction(6, 6)
            .optional()
            .concat(&Language::literal("+0000")),
    )
});

static ANY_SECONDS: LazyLock<Language> =
    LazyLock::new(|| time(&any_fraction().concat(&zulu().optional())));
static ANY_ZONED: LazyLock<Language> = LazyLock::new(|| {
    let zone = Language::one_of(&["+0000", "+00:00", "Z"]);
    time(&any_fraction().concat(&zone))
});
static ANY_UTC: LazyLock<Language> = LazyLock::new(|| {
    let two = Language::digits(2);
    let colon = Language::literal(":").optional();
    let offset = Language::one_of(&["+", "-"])
        .concat(&two)
        .concat(&colon)
        .concat(&two);
    time(&any_fraction().concat(&zulu().union(&offset)))
});

fn zulu() -> Language {
    Language::literal("Z")
}

/// A fraction of a second of so many digits.
fn fraction(least: usize, most: usize) -> Language {
    let digits = Language::digits(1).repeat(least, Some(most));
    Language::literal(".").concat(&digits)
}

fn any_fraction() -> Language {
    fraction(1, 9).optional()
}

/// Minutes and seconds: `[0-5][0-9]`.
fn sixty() -> Language {
    Language::ascii(&[(b'0', b'5')]).concat(&Language::digits(1))
}

/// Hours: `[01][0-9]` and `2[0-3]`.
fn hours() -> Language {
    let late = Language::literal("2").concat(&Language::ascii(&[(b'0', b'3')]));
    let early = Language::ascii(&[(b'0', b'1')]).concat(&Language::digits(1));
    early.union(&late)
}

fn time(tail: &Language) -> Language {
    let colon = Language::literal(":");
    let parts = [
        &Language::literal("T"),
        &hours(),
        &colon,
        &sixty(),
        &colon,
        &sixty(),
        tail,
    ];
    let start = DATE.clone();
    parts
        .into_iter()
        .fold(start, |time, part| time.concat(part))
}

/// The times of a format.
#[must_use]
pub(crate) fn time_language(format: TimeFormat) -> Language {
    match format {
        TimeFormat::Seconds => SECONDS.clone(),
        TimeFormat::Zoned => ZONED.clone(),
        TimeFormat::Millis => MILLIS.clone(),
        TimeFormat::Micros => MICROS.clone(),
    }
}

/// The times of a format, also those that a fraction tells apart from others of the same second.
#[must_use]
pub(crate) fn fine_time_language(format: TimeFormat) -> Language {
    match format {
        TimeFormat::Seconds => FINE_SECONDS.clone(),
        TimeFormat::Zoned => FINE_ZONED.clone(),
        TimeFormat::Millis | TimeFormat::Micros => time_language(format),
    }
}

/// The times of a format in every precision that other programs write: `10:00:00Z`, `10:00:00.5Z`, nanoseconds, and with an
/// offset where the format says UTC. Where one of them goes on behind a time of the format itself, it does so with a fraction
/// or a zone, so a key with such a time is read in one way only.
#[must_use]
pub(crate) fn stored_time_language(format: TimeFormat) -> Language {
    match format {
        TimeFormat::Seconds => ANY_SECONDS.clone(),
        TimeFormat::Zoned => ANY_ZONED.clone(),
        TimeFormat::Millis | TimeFormat::Micros => ANY_UTC.clone(),
    }
}

/// The days.
pub(crate) fn date_language() -> Language {
    DATE.clone()
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(rule) => write!(f, "text{rule}"),
            Self::Integer(bounds) => write!(f, "integer{}", Parenthesised(bounds)),
            Self::Number(bounds) => write!(f, "number{}", Parenthesised(bounds)),
            Self::Boolean => f.write_str("boolean"),
            Self::Date => f.write_str("date"),
            Self::Timestamp(format) => write!(f, "timestamp({})", format.name()),
            Self::Epoch => f.write_str("epoch"),
            Self::Url => f.write_str("url"),
            Self::Json => f.write_str("json"),
            Self::Map => f.write_str("map"),
            Self::Any => f.write_str("any"),
            Self::Binary => f.write_str("binary"),
            Self::Never => f.write_str("never"),
            Self::Uuid => f.write_str("uuid"),
            Self::UuidV7 => f.write_str("uuidv7"),
            Self::Ulid => f.write_str("ulid"),
            Self::Token(length) => write!(f, "token({length})"),
            Self::Enum(words) => {
                let words: Vec<_> = words.iter().map(|word| word.word.as_str()).collect();
                f.write_str(&words.join(" | "))
            }
            Self::List { of, length } => write!(f, "[{of}]{}", Parenthesised(length)),
        }
    }
}

impl fmt::Display for TextRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.length.most.is_some() || self.length.least != Some(1) {
            write!(f, "{}", Parenthesised(&self.length))?;
        }
        if let Some(matches) = &self.matches {
            write!(f, ", matches /{matches}/")?;
        }
        if !self.without.is_empty() {
            write!(f, ", without {}", self.without)?;
        }
        if self.blank {
            f.write_str(", blank")?;
        }
        Ok(())
    }
}

struct Parenthesised<'b>(&'b Bounds);

impl fmt::Display for Parenthesised<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bounds { least, most } = self.0;
        if least.is_none() && most.is_none() {
            return Ok(());
        }
        let end = |end: &Option<i64>| end.map_or_else(String::new, |end| end.to_string());
        write!(f, "({}..{})", end(least), end(most))
    }
}
