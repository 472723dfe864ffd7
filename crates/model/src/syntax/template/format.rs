//! What a template does to a value before it shows it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One format of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    /// The day: `2025-09-20`.
    Date,
    /// A time, of fixed width.
    Time(TimeFormat),
    /// A number, zero-padded to a width.
    Pad(usize),
    /// Without blanks, or without this character, at both ends.
    Trim(Option<char>),
    /// Lower case.
    Lower,
    /// Upper case.
    Upper,
    /// Unicode's compatibility form.
    Nfkc,
    /// Unicode's composed form. No model says it: older guards of a claim may stand under it.
    Nfc,
    /// Unicode's decomposed form. No model says it: older guards of a claim may stand under it.
    Nfd,
    /// A phone number as `+4912345`. The code of a country is that of numbers that have none.
    E164(Option<u16>),
    /// The first and the last characters, the rest as stars.
    Mask {
        /// Characters shown at the start.
        first: usize,
        /// Characters shown at the end.
        last: usize,
    },
    /// The SHA-256 in hexadecimal.
    Sha256,
    /// At most so many bytes; what is longer ends in a hash of itself.
    Fit(usize),
    /// One of so many shards, by hash: a number of two or more digits.
    Shard(usize),
    /// A list in order.
    Sort,
    /// A list as one text.
    Join(String),
    /// The day after.
    Next,
}

/// The formats of times. All are UTC and of fixed width, so that they sort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TimeFormat {
    /// `2025-09-20T10:11:12`
    Seconds,
    /// `2025-09-20T10:11:12+0000`
    Zoned,
    /// `2025-09-20T10:11:12.123Z`
    #[default]
    Millis,
    /// `2025-09-20T10:11:12.123456Z`
    Micros,
}

impl TimeFormat {
    /// As it is written in a model.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Zoned => "zoned",
            Self::Millis => "millis",
            Self::Micros => "micros",
        }
    }

    /// The format of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Seconds, Self::Zoned, Self::Millis, Self::Micros];
        all.into_iter().find(|format| format.name() == name)
    }
}

impl Format {
    pub(crate) const NAMES: &[&str] = &[
        "date",
        "seconds",
        "zoned",
        "millis",
        "micros",
        "05",
        "trim",
        "trim(/)",
        "lower",
        "upper",
        "nfkc",
        "e164",
        "e164(49)",
        "mask(8,4)",
        "sha256",
        "fit(900)",
        "shard(8)",
        "sort",
        "join(::)",
        "next",
    ];

    pub(super) fn parse(text: &str) -> Option<Self> {
        if let Some(time) = TimeFormat::named(text) {
            return Some(Self::Time(time));
        }
        if let Some((name, argument)) = text.split_once('(') {
            return Self::with_argument(name, argument.strip_suffix(')')?);
        }
        Some(match text {
            "date" => Self::Date,
            "trim" => Self::Trim(None),
            "lower" => Self::Lower,
            "upper" => Self::Upper,
            "nfkc" => Self::Nfkc,
            "e164" => Self::E164(None),
            "sha256" => Self::Sha256,
            "sort" => Self::Sort,
            "next" => Self::Next,
            // As in Rust, C and Python: a zero, then the width.
            number => Self::Pad(
                number
                    .strip_prefix('0')?
                    .parse()
                    .ok()
                    .filter(|width| (1..=38).contains(width))?,
            ),
        })
    }

    fn with_argument(name: &str, argument: &str) -> Option<Self> {
        let positive = |text: &str| text.trim().parse().ok().filter(|number| *number > 0);
        Some(match name {
            "trim" => {
                let mut characters = argument.chars();
                let only = characters.next()?;
                characters
                    .next()
                    .is_none()
                    .then_some(Self::Trim(Some(only)))?
            }
            "mask" => {
                let (first, last) = argument.split_once(',')?;
                Self::Mask {
                    first: first.trim().parse().ok()?,
                    last: last.trim().parse().ok()?,
                }
            }
            "e164" => Self::E164(Some(country(argument)?)),
            "fit" => Self::Fit(positive(argument).filter(|bytes| (32..=2048).contains(bytes))?),
            "shard" => Self::Shard(positive(argument).filter(|shards| *shards <= 10_000)?),
            "join" => Self::Join(argument.to_owned()),
            _ => return None,
        })
    }

    /// Whether the value can be read back from what it shows.
    #[must_use]
    pub const fn is_invertible(&self) -> bool {
        matches!(self, Self::Pad(_) | Self::Time(_))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Date => f.write_str("date"),
            Self::Time(time) => f.write_str(time.name()),
            Self::Pad(width) => write!(f, "0{width}"),
            Self::Trim(None) => f.write_str("trim"),
            Self::Trim(Some(only)) => write!(f, "trim({only})"),
            Self::Lower => f.write_str("lower"),
            Self::Upper => f.write_str("upper"),
            Self::Nfkc => f.write_str("nfkc"),
            Self::Nfc => f.write_str("nfc"),
            Self::Nfd => f.write_str("nfd"),
            Self::E164(None) => f.write_str("e164"),
            Self::E164(Some(country)) => write!(f, "e164({country})"),
            Self::Mask { first, last } => write!(f, "mask({first},{last})"),
            Self::Sha256 => f.write_str("sha256"),
            Self::Fit(bytes) => write!(f, "fit({bytes})"),
            Self::Shard(shards) => write!(f, "shard({shards})"),
            Self::Sort => f.write_str("sort"),
            Self::Join(with) => write!(f, "join({with})"),
            Self::Next => f.write_str("next"),
        }
    }
}

/// The code of a country in phone numbers: one to three digits, the first of them no zero.
fn country(text: &str) -> Option<u16> {
    let is_code = (1..=3).contains(&text.len()) && !text.starts_with('0');
    text.parse().ok().filter(|_| is_code)
}
