//! What characters are made of.
//!
//! `tables.bin` is a list of numbers, seven bits to a byte, the lowest first, with the highest bit set where more follow:
//!
//! ```text
//! two lists of decompositions     canonical ones, and those that are compatible and differ from them:
//!   count
//!   count times                   difference to the character before, how many characters it is made of
//!   all these characters          difference to the one before, twice; below zero twice its size less one
//! classes                         count, then differences between ends and beginnings of ranges, lengths, classes
//! characters that stay apart      count, then differences
//! ```
//!
//! Syllables of Hangul are computed. The test beside it makes the file from the crate unicode-normalization and holds both against
//! each other.

const PACKED: &[u8] = include_bytes!("tables.bin");

/// The most characters that a character is made of canonically.
const LONGEST: usize = 4;

/// Syllables of Hangul have a number for each of their three parts.
mod hangul {
    pub(super) const SYLLABLES: u32 = 0xac00;
    pub(super) const LEADS: u32 = 0x1100;
    pub(super) const VOWELS: u32 = 0x1161;
    /// The number of no tail.
    pub(super) const TAILS: u32 = 0x11a7;
    pub(super) const LEAD_COUNT: u32 = 19;
    pub(super) const VOWEL_COUNT: u32 = 21;
    pub(super) const TAIL_COUNT: u32 = 28;
    pub(super) const COUNT: u32 = LEAD_COUNT * VOWEL_COUNT * TAIL_COUNT;
}

/// The tables, to look things up in.
#[derive(Debug)]
pub(super) struct Tables {
    canonical: Vec<Decomposition>,
    compatible: Vec<Decomposition>,
    /// Marks with their classes, in order.
    classes: Vec<Range>,
    /// In order of the two parts.
    compositions: Vec<Composition>,
}

#[derive(Debug)]
struct Decomposition {
    whole: char,
    parts: Box<[char]>,
}

#[derive(Debug)]
struct Range {
    first: u32,
    last: u32,
    class: u8,
}

#[derive(Debug)]
struct Composition {
    parts: (char, char),
    whole: char,
}

impl Tables {
    pub(super) fn unpack() -> Self {
        let mut numbers = Numbers(PACKED);
        let mut tables = Self {
            canonical: numbers.decompositions(),
            compatible: numbers.decompositions(),
            classes: numbers.ranges(),
            compositions: Vec::new(),
        };
        let apart = numbers.characters();
        tables.add_compositions(&apart);
        tables
    }

    /// A character of several is made of the one that all but the last make, and the last.
    fn add_compositions(&mut self, apart: &[char]) {
        for length in 2..=LONGEST {
            let mut found = Vec::new();
            for Decomposition { whole, parts } in &self.canonical {
                if let Some((last, before)) = parts.split_last()
                    && let Some((first, between)) = before.split_first()
                    && parts.len() == length
                    && apart.binary_search(whole).is_err()
                {
                    let compose = |whole, part: &char| self.compose(whole, *part);
                    let beginning = between.iter().try_fold(*first, compose);
                    found.extend(beginning.map(|beginning| Composition {
                        parts: (beginning, *last),
                        whole: *whole,
                    }));
                }
            }
            self.compositions.extend(found);
            self.compositions
                .sort_unstable_by_key(|composition| composition.parts);
        }
    }

    /// 0 for letters, which marks stand behind.
    pub(super) fn class(&self, character: char) -> u8 {
        let number = u32::from(character);
        let position = self.classes.partition_point(|range| range.last < number);
        let range = self.classes.get(position);
        let range = range.filter(|range| range.first <= number);
        range.map_or(0, |range| range.class)
    }

    /// Adds what a character is made of.
    pub(super) fn decompose(&self, character: char, into: &mut Vec<char>) {
        if let Some(parts) = find(&self.canonical, character) {
            into.extend(parts);
        } else if !decompose_syllable(character, into) {
            into.push(character);
        }
    }

    /// Adds what a character is made of, and what is alike to a reader.
    pub(super) fn decompose_compatible(&self, character: char, into: &mut Vec<char>) {
        match find(&self.compatible, character) {
            Some(parts) => into.extend(parts),
            None => self.decompose(character, into),
        }
    }

    /// What two characters make.
    pub(super) fn compose(&self, first: char, second: char) -> Option<char> {
        let found = self
            .compositions
            .binary_search_by_key(&(first, second), |composition| composition.parts);
        let found = found
            .ok()
            .and_then(|position| self.compositions.get(position));
        found
            .map(|composition| composition.whole)
            .or_else(|| compose_syllable(first, second))
    }
}

fn find(decompositions: &[Decomposition], whole: char) -> Option<&[char]> {
    let position = decompositions.binary_search_by_key(&whole, |one| one.whole);
    let found = decompositions.get(position.ok()?)?;
    Some(&found.parts)
}

/// The number of a character from a beginning on, if it is below a count.
fn number(character: char, beginning: u32, count: u32) -> Option<u32> {
    let number = u32::from(character).checked_sub(beginning)?;
    (number < count).then_some(number)
}

/// Adds the parts of a syllable; false if it is none.
fn decompose_syllable(character: char, into: &mut Vec<char>) -> bool {
    let Some(syllable) = number(character, hangul::SYLLABLES, hangul::COUNT) else {
        return false;
    };
    let (rest, tail) = (syllable / hangul::TAIL_COUNT, syllable % hangul::TAIL_COUNT);
    let lead = hangul::LEADS + rest / hangul::VOWEL_COUNT;
    let vowel = hangul::VOWELS + rest % hangul::VOWEL_COUNT;
    let tail = (tail > 0).then_some(hangul::TAILS + tail);
    let parts = [Some(lead), Some(vowel), tail].into_iter().flatten();
    into.extend(parts.filter_map(char::from_u32));
    true
}

/// The syllable of a lead and a vowel, or of such a syllable and a tail.
fn compose_syllable(first: char, second: char) -> Option<char> {
    let lead = number(first, hangul::LEADS, hangul::LEAD_COUNT);
    let vowel = number(second, hangul::VOWELS, hangul::VOWEL_COUNT);
    if let (Some(lead), Some(vowel)) = (lead, vowel) {
        let syllable = (lead * hangul::VOWEL_COUNT + vowel) * hangul::TAIL_COUNT;
        return char::from_u32(hangul::SYLLABLES + syllable);
    }
    let syllable = number(first, hangul::SYLLABLES, hangul::COUNT)?;
    let tail = number(second, hangul::TAILS, hangul::TAIL_COUNT)?;
    let has_none = syllable.is_multiple_of(hangul::TAIL_COUNT);
    (has_none && tail > 0)
        .then(|| char::from_u32(u32::from(first) + tail))
        .flatten()
}

/// What is left of the packed numbers.
struct Numbers(&'static [u8]);

impl Numbers {
    /// The next one; 0 behind the last.
    fn next(&mut self) -> u32 {
        let (mut number, mut shift) = (0, 0);
        while let Some((byte, rest)) = self.0.split_first() {
            self.0 = rest;
            number |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
            shift += 7;
        }
        number
    }

    /// Characters that differ from each other by the next numbers.
    fn characters(&mut self) -> Vec<char> {
        let count = self.next();
        let mut last = 0;
        let next = |_| {
            last += self.next();
            char::from_u32(last)
        };
        (0..count).filter_map(next).collect()
    }

    fn decompositions(&mut self) -> Vec<Decomposition> {
        let count = self.next();
        let mut last = 0;
        let wholes: Vec<_> = (0..count)
            .map(|_| {
                last += self.next();
                (last, self.next())
            })
            .collect();
        let mut part = 0_u32;
        let mut next_part = |numbers: &mut Self| {
            let step = numbers.next();
            let size = step.div_ceil(2);
            part = if step.is_multiple_of(2) {
                part.wrapping_add(size)
            } else {
                part.wrapping_sub(size)
            };
            char::from_u32(part)
        };
        let read = |(whole, length)| {
            let parts = (0..length).filter_map(|_| next_part(self)).collect();
            let whole = char::from_u32(whole)?;
            Some(Decomposition { whole, parts })
        };
        wholes.into_iter().filter_map(read).collect()
    }

    fn ranges(&mut self) -> Vec<Range> {
        let count = self.next();
        let mut end = 0;
        let next = |_| {
            let first = end + self.next();
            end = first + self.next();
            Range {
                first,
                last: end - 1,
                class: u8::try_from(self.next()).unwrap_or_default(),
            }
        };
        (0..count).map(next).collect()
    }
}
