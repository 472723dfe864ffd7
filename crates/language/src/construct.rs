//! Languages from words, characters and the types of the model language.

use super::automaton::Automaton;
use super::builder::Builder;
use super::length::Length;
use super::regular::Language;
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};
use regex_syntax::utf8::Utf8Sequences;
use std::sync::OnceLock;

// Asked for again and again; an automaton is shared when a language is cloned.
static ANY_TEXT: OnceLock<Language> = OnceLock::new();
static NONEMPTY_TEXT: OnceLock<Language> = OnceLock::new();
static NATURAL: OnceLock<Language> = OnceLock::new();
static INTEGER: OnceLock<Language> = OnceLock::new();
static NOTHING: OnceLock<Language> = OnceLock::new();
static EMPTY_TEXT: OnceLock<Language> = OnceLock::new();

impl Language {
    /// No word at all.
    #[must_use]
    pub fn nothing() -> Language {
        NOTHING
            .get_or_init(|| Language::plain(Automaton::nothing()))
            .clone()
    }

    /// Only the empty text.
    #[must_use]
    pub fn empty_text() -> Language {
        EMPTY_TEXT.get_or_init(|| Language::literal("")).clone()
    }

    /// Only `text`.
    #[must_use]
    pub fn literal(text: &str) -> Language {
        Language::from_bytes(text.as_bytes())
    }

    pub(super) fn from_bytes(text: &[u8]) -> Language {
        let mut builder = Builder::default();
        let fragment = builder.sequence(text.iter().map(|byte| (*byte, *byte)));
        Language::plain(builder.finish(fragment))
    }

    /// Any text, also the empty one.
    #[must_use]
    pub fn any_text() -> Language {
        ANY_TEXT
            .get_or_init(|| Language::text_without(&[], 0))
            .clone()
    }

    /// Any text but the empty one.
    #[must_use]
    pub fn nonempty_text() -> Language {
        NONEMPTY_TEXT
            .get_or_init(|| Language::text_without(&[], 1))
            .clone()
    }

    /// Text of at least `min` characters, none of them in `chars`.
    #[must_use]
    pub fn text_without(chars: &[char], min: usize) -> Language {
        let mut class = ClassUnicode::new(chars.iter().map(|c| ClassUnicodeRange::new(*c, *c)));
        class.negate();
        Language::class(&class).repeat(min, None)
    }

    /// One character of a class.
    pub(super) fn class(class: &ClassUnicode) -> Language {
        let mut builder = Builder::default();
        let sequences = class
            .iter()
            .flat_map(|range| Utf8Sequences::new(range.start(), range.end()));
        let fragments: Vec<_> = sequences
            .map(|sequence| {
                builder.sequence(
                    sequence
                        .as_slice()
                        .iter()
                        .map(|range| (range.start, range.end)),
                )
            })
            .collect();
        let fragment = builder.either(&fragments);
        Language::plain(builder.finish(fragment))
    }

    /// Only the given words.
    #[must_use]
    pub fn one_of(words: &[&str]) -> Language {
        let mut builder = Builder::default();
        let fragments: Vec<_> = words
            .iter()
            .map(|word| builder.sequence(word.bytes().map(|byte| (byte, byte))))
            .collect();
        let fragment = builder.either(&fragments);
        Language::plain(builder.finish(fragment))
    }

    /// One character of the given ASCII ranges.
    #[must_use]
    pub fn ascii(ranges: &[(u8, u8)]) -> Language {
        let mut builder = Builder::default();
        let fragments: Vec<_> = ranges
            .iter()
            .map(|range| builder.sequence([*range]))
            .collect();
        let fragment = builder.either(&fragments);
        Language::plain(builder.finish(fragment))
    }

    fn digit() -> Language {
        Language::ascii(&[(b'0', b'9')])
    }

    /// Exactly `count` ASCII digits.
    #[must_use]
    pub fn digits(count: usize) -> Language {
        Language::digit().repeat(count, Some(count))
    }

    /// A natural number padded with zeros to `count` digits; larger numbers keep all their digits.
    #[must_use]
    pub fn digits_at_least(count: usize) -> Language {
        let first = Language::ascii(&[(b'1', b'9')]);
        let longer = first.concat(&Language::digit().repeat(count.max(1), None));
        Language::digits(count.max(1)).union(&longer)
    }

    /// A canonical natural number: `0`, `7`, `12`.
    #[must_use]
    pub fn natural() -> Language {
        NATURAL
            .get_or_init(|| Language::literal("0").union(&Language::positive()))
            .clone()
    }

    /// A canonical integer: `0`, `7`, `-12`.
    #[must_use]
    pub fn integer() -> Language {
        INTEGER
            .get_or_init(|| {
                Language::natural().union(&Language::literal("-").concat(&Language::positive()))
            })
            .clone()
    }

    fn positive() -> Language {
        Language::ascii(&[(b'1', b'9')]).concat(&Language::digit().repeat(0, None))
    }

    /// A UUID in lower-case hexadecimal, 8-4-4-4-12.
    #[must_use]
    pub fn uuid() -> Language {
        let hex = Language::ascii(&[(b'0', b'9'), (b'a', b'f')]);
        let group = |count: usize| hex.repeat(count, Some(count));
        let dash = Language::literal("-");
        Language::sequence(&[
            &group(8),
            &dash,
            &group(4),
            &dash,
            &group(4),
            &dash,
            &group(4),
            &dash,
            &group(12),
        ])
    }

    /// A ULID: 26 characters of Crockford's alphabet, the first at most 7.
    #[must_use]
    pub fn ulid() -> Language {
        let ranges = [
            (b'0', b'9'),
            (b'A', b'H'),
            (b'J', b'K'),
            (b'M', b'N'),
            (b'P', b'T'),
            (b'V', b'Z'),
        ];
        Language::ascii(&[(b'0', b'7')]).concat(&Language::ascii(&ranges).repeat(25, Some(25)))
    }

    /// A calendar date such as `2025-11-18`; every month may have 31 days.
    #[must_use]
    pub fn date() -> Language {
        let dash = Language::literal("-");
        let two = |text: &str| Language::literal(text).concat(&Language::digit());
        let one_to_nine = Language::literal("0").concat(&Language::ascii(&[(b'1', b'9')]));
        let month = one_to_nine.union(&Language::one_of(&["10", "11", "12"]));
        let day = one_to_nine
            .union(&two("1"))
            .union(&two("2"))
            .union(&Language::one_of(&["30", "31"]));
        Language::sequence(&[&Language::digits(4), &dash, &month, &dash, &day])
    }

    /// The words with a number of characters inside `chars`: `text(1..100)`.
    #[must_use]
    pub fn with_length(&self, chars: Length) -> Language {
        let limit = self.limit().both(&chars);
        if limit.is_empty() {
            return Language::nothing();
        }
        // Products do not see limits: a word that must not be empty is better left out of the automaton.
        if limit.min > 0 && self.automaton().state(0).accept {
            return self
                .intersect(&Language::nonempty_text())
                .with_length(chars);
        }
        if self.is_exact() {
            return Language::limited(self.shared_automaton(), limit);
        }
        let unrolled = self
            .unrolled()
            .and_then(|automaton| super::product::counted(automaton, limit));
        Language::approximate(self.automaton().clone(), limit, unrolled)
    }

    /// The words that contain none of `chars`.
    #[must_use]
    pub fn without(&self, chars: &[char]) -> Language {
        self.intersect(&Language::text_without(chars, 0))
    }
}
