//! Makes the tables from the crate unicode-normalization, and holds both against each other. After a new version of it:
//! `MONOTABLE_BLESS=1 cargo test -p monotable-model normal_form`.

use super::{NormalForm, normalize};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{
    canonical_combining_class, compose, decompose_canonical, decompose_compatible,
};

const PLACE: &str = "src/compiled/format/normal_form/tables.bin";

/// Characters whose decompositions are listed: all but the syllables of Hangul, which are computed.
fn listed() -> impl Iterator<Item = char> {
    let is_syllable = |character: &char| ('\u{ac00}'..='\u{d7a3}').contains(character);
    ('\0'..=char::MAX).filter(move |character| !is_syllable(character))
}

fn canonical(character: char) -> Vec<char> {
    let mut parts = Vec::new();
    decompose_canonical(character, |part| parts.push(part));
    parts
}

fn compatible(character: char) -> Vec<char> {
    let mut parts = Vec::new();
    decompose_compatible(character, |part| parts.push(part));
    parts
}

fn write(mut number: u32, into: &mut Vec<u8>) {
    while number >= 0x80 {
        into.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}

fn write_decompositions(decompositions: &[(char, Vec<char>)], into: &mut Vec<u8>) {
    write(decompositions.len() as u32, into);
    let mut last = 0;
    for (whole, parts) in decompositions {
        write(*whole as u32 - last, into);
        write(parts.len() as u32, into);
        last = *whole as u32;
    }
    let mut last = 0;
    for part in decompositions.iter().flat_map(|(_, parts)| parts) {
        let part = *part as i32;
        let step = part - last;
        let packed = if step < 0 { -2 * step - 1 } else { 2 * step };
        write(packed as u32, into);
        last = part;
    }
}

fn write_classes(into: &mut Vec<u8>) {
    let mut ranges: Vec<(u32, u32, u8)> = Vec::new();
    for character in '\0'..=char::MAX {
        let (number, class) = (character as u32, canonical_combining_class(character));
        match ranges.last_mut() {
            _ if class == 0 => {}
            Some((_, end, known)) if *end == number && *known == class => *end += 1,
            _ => ranges.push((number, number + 1, class)),
        }
    }
    write(ranges.len() as u32, into);
    let mut before = 0;
    for (first, end, class) in ranges {
        write(first - before, into);
        write(end - first, into);
        write(class.into(), into);
        before = end;
    }
}

/// Whether a character of several is never put together again.
fn stays_apart(whole: char, parts: &[char]) -> bool {
    let (last, before) = parts.split_last().unwrap();
    let (first, between) = before.split_first().unwrap();
    let beginning = between
        .iter()
        .try_fold(*first, |whole, part| compose(whole, *part));
    beginning.and_then(|beginning| compose(beginning, *last)) != Some(whole)
}

fn pack() -> Vec<u8> {
    let mut packed = Vec::new();
    let decompositions: Vec<_> = listed()
        .map(|whole| (whole, canonical(whole)))
        .filter(|(whole, parts)| parts != &[*whole])
        .collect();
    write_decompositions(&decompositions, &mut packed);
    let others: Vec<_> = listed()
        .map(|whole| (whole, compatible(whole)))
        .filter(|(whole, parts)| *parts != canonical(*whole))
        .collect();
    write_decompositions(&others, &mut packed);
    write_classes(&mut packed);
    let apart: Vec<_> = decompositions
        .iter()
        .filter(|(whole, parts)| parts.len() > 1 && stays_apart(*whole, parts))
        .collect();
    write(apart.len() as u32, &mut packed);
    let mut last = 0;
    for (whole, _) in apart {
        write(*whole as u32 - last, &mut packed);
        last = *whole as u32;
    }
    packed
}

fn assert_alike(text: &str) {
    assert_eq!(
        normalize(text, NormalForm::Nfc),
        text.nfc().collect::<String>(),
        "NFC of {text:?}"
    );
    assert_eq!(
        normalize(text, NormalForm::Nfd),
        text.nfd().collect::<String>(),
        "NFD of {text:?}"
    );
    assert_eq!(
        normalize(text, NormalForm::Nfkc),
        text.nfkc().collect::<String>(),
        "NFKC of {text:?}"
    );
}

#[test]
fn tables_are_those_of_unicode() {
    let packed = pack();
    if std::env::var_os("MONOTABLE_BLESS").is_some() {
        std::fs::write(PLACE, &packed).unwrap();
    }
    assert!(
        std::fs::read(PLACE).unwrap() == packed,
        "{PLACE} is not what unicode-normalization says; write it anew with `MONOTABLE_BLESS=1 cargo test -p monotable-model \
         normal_form`"
    );
}

#[test]
fn every_character_has_its_normal_forms() {
    for character in '\0'..=char::MAX {
        let alone = character.to_string();
        assert_alike(&alone);
        assert_alike(&alone.nfd().collect::<String>());
    }
}

#[test]
fn marks_are_ordered_and_blocked() {
    for text in [
        "a\u{301}\u{323}",
        "a\u{323}\u{301}",
        "a\u{301}\u{301}",
        "\u{301}a",
        "q\u{307}\u{323}",
        "가\u{11a8}",
        "각\u{11a8}",
    ] {
        assert_alike(text);
    }
}

proptest! {
    #[test]
    fn texts_have_their_normal_forms(
        text in proptest::collection::vec(
            prop_oneof![
                any::<char>(),
                proptest::char::range('a', 'e'),
                proptest::char::range('\u{300}', '\u{36f}'),
                proptest::char::range('\u{1100}', '\u{11ff}'),
                proptest::char::range('\u{ac00}', '\u{ac40}'),
                proptest::char::range('\u{1e00}', '\u{1fff}'),
                proptest::char::range('\u{fb1d}', '\u{fb4f}'),
            ],
            0..12,
        ),
    ) {
        assert_alike(&text.into_iter().collect::<String>());
    }
}
