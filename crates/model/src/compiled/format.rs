//! What formats do to values.

mod normal_form;
mod phone;

use super::time::{Instant, TimeProblem};
use crate::model::Format;
use normal_form::{NormalForm, normalize};
use sha2::{Digest, Sha256};
use std::fmt;

/// How many stars a mask shows, whatever it hides.
const STARS: usize = 16;

/// How many hexadecimal digits of a hash end a text that was cut.
const FIT_DIGITS: usize = 16;

/// Why a value cannot be shown in a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatProblem {
    /// The value is no time.
    NoTime(TimeProblem),
    /// The value is no whole number from 0.
    NoNumber {
        /// The value.
        text: String,
    },
    /// The number has more digits than the format has places.
    TooWide {
        /// The value.
        text: String,
        /// The places.
        width: usize,
    },
    /// The value is no phone number.
    NoPhone {
        /// The value.
        text: String,
    },
    /// The phone number has no country code, and the format names no country.
    NoCountry {
        /// The value.
        text: String,
    },
    /// There is no day after.
    NoNextDay,
    /// A list stands where one value is needed, or the other way round.
    WrongShape,
}

impl fmt::Display for FormatProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTime(problem) => problem.fmt(f),
            Self::NoNumber { text } => write!(f, "`{text}` is no whole number from 0"),
            Self::TooWide { text, width } => write!(f, "`{text}` has more than {width} digits"),
            Self::NoPhone { text } => write!(
                f,
                "`{text}` is no phone number: wanted are 4 to 15 digits with the country code, such as +49 170 1234567"
            ),
            Self::NoCountry { text } => write!(
                f,
                "the phone number `{text}` has no country code: write it as +49 170 1234567, or let the model name the \
                 country of such numbers, as in `e164(49)`"
            ),
            Self::NoNextDay => f.write_str("there is no day after the last one"),
            Self::WrongShape => {
                f.write_str("a list is joined before it is shown, and only a list is")
            }
        }
    }
}

impl std::error::Error for FormatProblem {}

/// A value, or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// One value as text.
    One(String),
    /// A list of values.
    Many(Vec<String>),
    /// A secret of which only this is kept.
    Digest {
        /// What may be shown of it.
        mask: String,
        /// Its SHA-256, in hexadecimal.
        sha256: String,
    },
}

/// The value in a format.
pub fn apply(format: &Format, value: Shown) -> Result<Shown, FormatProblem> {
    match (format, value) {
        (Format::Sort, Shown::Many(mut values)) => {
            values.sort_unstable();
            Ok(Shown::Many(values))
        }
        (Format::Join(with), Shown::Many(values)) => Ok(Shown::One(values.join(with))),
        (Format::Sort | Format::Join(_), Shown::One(_)) => Err(FormatProblem::WrongShape),
        (Format::Sha256, Shown::Digest { sha256, .. }) => Ok(Shown::One(sha256)),
        (Format::Mask { .. }, Shown::Digest { mask, .. }) => Ok(Shown::One(mask)),
        (_, Shown::Digest { .. }) => Err(FormatProblem::WrongShape),
        (format, Shown::One(text)) => one(format, text).map(Shown::One),
        // Other formats are about elements.
        (format, Shown::Many(values)) => {
            let values: Result<_, _> = values.into_iter().map(|text| one(format, text)).collect();
            values.map(Shown::Many)
        }
    }
}

fn one(format: &Format, text: String) -> Result<String, FormatProblem> {
    let time = |text: &str| Instant::parse(text).map_err(FormatProblem::NoTime);
    Ok(match format {
        Format::Date => time(&text)?.date(),
        Format::Time(shown) => time(&text)?.show(*shown),
        Format::Next => {
            let next = time(&text)?.next_day().ok_or(FormatProblem::NoNextDay)?;
            next.date()
        }
        Format::Pad(width) => pad(text, *width)?,
        Format::Trim(None) => text.trim().to_owned(),
        Format::Trim(Some(only)) => text.trim_matches(*only).to_owned(),
        Format::Lower => text.to_lowercase(),
        Format::Upper => text.to_uppercase(),
        Format::Nfkc => normalize(&text, NormalForm::Nfkc),
        Format::Nfc => normalize(&text, NormalForm::Nfc),
        Format::Nfd => normalize(&text, NormalForm::Nfd),
        Format::E164(country) => phone::international(text, *country)?,
        Format::Mask { first, last } => mask(&text, *first, *last),
        Format::Sha256 => hexadecimal(text.as_bytes(), 64),
        Format::Fit(bytes) => fit(text, *bytes),
        Format::Shard(shards) => shard(&text, *shards),
        Format::Sort | Format::Join(_) => return Err(FormatProblem::WrongShape),
    })
}

fn pad(text: String, width: usize) -> Result<String, FormatProblem> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        Err(FormatProblem::NoNumber { text })
    } else if text.len() > width {
        Err(FormatProblem::TooWide { text, width })
    } else {
        Ok(format!("{text:0>width$}"))
    }
}

/// The first and last characters; of a short text nothing.
fn mask(text: &str, first: usize, last: usize) -> String {
    let characters: Vec<char> = text.chars().collect();
    let stars = "*".repeat(STARS);
    if characters.len() <= first + last {
        return stars;
    }
    let start: String = characters.iter().take(first).collect();
    let end: String = characters.iter().skip(characters.len() - last).collect();
    format!("{start}{stars}{end}")
}

fn hexadecimal(bytes: &[u8], digits: usize) -> String {
    let hash = Sha256::digest(bytes);
    let text: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    text.chars().take(digits).collect()
}

/// A text that is too long keeps its beginning and ends in `~` and a hash of all of it.
fn fit(text: String, bytes: usize) -> String {
    if text.len() <= bytes {
        return text;
    }
    let mut end = bytes.saturating_sub(FIT_DIGITS + 1);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let kept = text.get(..end).unwrap_or_default();
    format!("{kept}~{}", hexadecimal(text.as_bytes(), FIT_DIGITS))
}

fn shard(text: &str, shards: usize) -> String {
    let hash = Sha256::digest(text.as_bytes());
    let number = hash
        .iter()
        .take(8)
        .fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
    shard_name(number % shards.max(1) as u64, shards)
}

/// How each of so many shards is shown, in order.
#[must_use]
pub fn shard_names(shards: usize) -> Vec<String> {
    let numbers = 0..shards.max(1) as u64;
    numbers.map(|number| shard_name(number, shards)).collect()
}

fn shard_name(number: u64, shards: usize) -> String {
    let width = crate::shape::shard_width(shards);
    format!("{number:0>width$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(format: &Format, text: &str) -> Result<String, FormatProblem> {
        one(format, text.to_owned())
    }

    #[test]
    fn numbers_are_padded_and_never_cut() {
        assert_eq!(shown(&Format::Pad(5), "42").as_deref(), Ok("00042"));
        assert!(matches!(
            shown(&Format::Pad(3), "1000"),
            Err(FormatProblem::TooWide { .. })
        ));
        assert!(matches!(
            shown(&Format::Pad(3), "-1"),
            Err(FormatProblem::NoNumber { .. })
        ));
        assert!(matches!(
            shown(&Format::Pad(3), "1.5"),
            Err(FormatProblem::NoNumber { .. })
        ));
    }

    #[test]
    fn normalisers_bring_spellings_together() {
        assert_eq!(
            shown(&Format::Lower, "JOHN@Example.COM").as_deref(),
            Ok("john@example.com")
        );
        assert_eq!(shown(&Format::Trim(None), "  a b ").as_deref(), Ok("a b"));
        assert_eq!(
            shown(&Format::Trim(Some('/')), "/Legal/2025/").as_deref(),
            Ok("Legal/2025")
        );
        assert_eq!(shown(&Format::Nfkc, "ﬁ①").as_deref(), Ok("fi1"));
        assert_eq!(
            shown(&Format::E164(None), "+49 (171) 123-456").as_deref(),
            Ok("+49171123456")
        );
        assert_eq!(shown(&Format::Nfc, "e\u{301}").as_deref(), Ok("\u{e9}"));
        assert_eq!(shown(&Format::Nfd, "\u{e9}").as_deref(), Ok("e\u{301}"));
    }

    #[test]
    fn masks_and_hashes_hide() {
        let mask = Format::Mask { first: 8, last: 4 };
        let key = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXY";
        assert_eq!(
            shown(&mask, key).as_deref(),
            Ok("abcdefgh****************VWXY")
        );
        assert_eq!(shown(&mask, "short").as_deref(), Ok("****************"));
        assert_eq!(
            shown(&Format::Sha256, "").as_deref(),
            Ok("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        );
    }

    #[test]
    fn long_texts_fit_and_stay_different() {
        let long = "é".repeat(900);
        let longer = "é".repeat(901);
        let (a, b) = (fit(long, 900), fit(longer, 900));
        assert!(a.len() <= 900 && b.len() <= 900 && a != b);
        assert_eq!(fit("short".to_owned(), 900), "short");
    }

    #[test]
    fn shards_are_few_and_of_one_width() {
        let mut seen = std::collections::BTreeSet::new();
        for number in 0..500 {
            seen.insert(shard(&format!("document {number}"), 16));
        }
        assert_eq!(seen.len(), 16);
        assert!(seen.iter().all(|shard| shard.len() == 2));
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), shard_names(16));
    }
}
