//! Languages against sets of words.

use super::super::{Language, Length, Verdict, is_subset, overlap};
use super::tree::{ALPHABET, Tree, all_words, tree};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::cell::Cell;
use std::collections::BTreeSet;

const LONGEST: usize = 6;

fn accepted(language: &Language, words: &[String]) -> BTreeSet<String> {
    words
        .iter()
        .filter(|word| language.accepts(word))
        .cloned()
        .collect()
}

/// Equal sets; a superset if the language was too large to be exact.
fn check_words(
    language: &Language,
    all: &[String],
    expected: &BTreeSet<String>,
) -> Result<(), TestCaseError> {
    let accepted = accepted(language, all);
    if language.knows_its_words() {
        prop_assert_eq!(&accepted, expected);
    } else {
        prop_assert!(expected.is_subset(&accepted));
    }
    Ok(())
}

fn run<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = Config {
        failure_persistence: None,
        ..Config::with_cases(cases)
    };
    TestRunner::new(config).run(&strategy, test).unwrap();
}

#[test]
fn nothing_is_what_no_words_make() {
    let [nothing, no_words] = [Language::nothing(), Language::one_of(&[])];
    assert_eq!(format!("{nothing:?}"), format!("{no_words:?}"));
}

#[test]
fn a_language_accepts_exactly_its_words() {
    let all = all_words(LONGEST);
    run(400, tree(), |tree| {
        let expected = tree.words(LONGEST);
        let built = tree.language();
        check_words(&built, &all, &expected)?;
        if let Some(regex) = tree.regex() {
            let parsed = Language::from_regex(&regex).unwrap();
            check_words(&parsed, &all, &expected)?;
        }
        Ok(())
    });
}

/// Words, shortest word, emptiness, lengths and first characters agree with the set.
#[test]
fn facts_about_a_language_hold_for_its_words() {
    run(400, tree(), |tree| {
        let expected = tree.words(LONGEST);
        let language = tree.language();
        if !language.knows_its_words() {
            return Ok(());
        }
        let listed = language.words(50);
        let short: BTreeSet<String> = listed
            .iter()
            .filter(|word| word.len() <= LONGEST)
            .cloned()
            .collect();
        if short.len() < 50 {
            prop_assert_eq!(&short, &expected);
        } else {
            prop_assert!(short.is_subset(&expected));
        }
        prop_assert!(listed.is_sorted_by_key(String::len));
        let by_length: BTreeSet<(usize, &String)> =
            expected.iter().map(|word| (word.len(), word)).collect();
        if let Some((length, _)) = by_length.first() {
            prop_assert!(!language.is_empty());
            prop_assert_eq!(
                language.shortest_word().map(|word| word.len()),
                Some(*length)
            );
            prop_assert_eq!(listed.first().map(String::len), Some(*length));
        } else {
            prop_assert!(
                language
                    .shortest_word()
                    .is_none_or(|word| word.len() > LONGEST)
            );
        }
        for word in &expected {
            prop_assert!(
                language.byte_length().contains(word.len())
                    && language.char_length().contains(word.len())
            );
            prop_assert!(language.can_start_with(&word[..word.len() / 2]));
            prop_assert!(word.chars().all(|c| language.can_contain(c)));
        }
        prop_assert_eq!(language.can_be_empty(), expected.contains(""));
        if let Some(count) = language.count(40) {
            prop_assert!(expected.len() <= count);
            let longer = language
                .words(100)
                .iter()
                .filter(|word| word.len() > LONGEST)
                .count();
            prop_assert_eq!(count, expected.len() + longer);
        }
        Ok(())
    });
}

#[test]
fn set_operations_agree_with_sets() {
    let all = all_words(5);
    let everything: BTreeSet<String> = all.iter().cloned().collect();
    run(300, (tree(), tree()), |(a, b)| {
        let (words_a, words_b) = (a.words(5), b.words(5));
        let (a, b) = (a.language(), b.language());
        check_words(&a.intersect(&b), &all, &(&words_a & &words_b))?;
        check_words(&a.difference(&b), &all, &(&words_a - &words_b))?;
        check_words(&a.union(&b), &all, &(&words_a | &words_b))?;
        check_words(&a.complement(), &all, &(&everything - &words_a))?;
        check_words(
            &a.optional(),
            &all,
            &(&words_a | &BTreeSet::from([String::new()])),
        )?;
        Ok(())
    });
}

#[test]
fn overlap_and_subset_agree_with_sets() {
    let not_proven = Cell::new(0);
    run(500, (tree(), tree()), |(a, b)| {
        let (words_a, words_b) = (a.words(LONGEST), b.words(LONGEST));
        let (first, second) = (a.language(), b.language());
        match overlap(&first, &second) {
            Verdict::Proven => prop_assert!(words_a.is_disjoint(&words_b)),
            Verdict::Refuted(word) => check_common(&a, &b, &word)?,
            Verdict::NotProven(_) => not_proven.set(not_proven.get() + 1),
        }
        match is_subset(&first, &second) {
            Verdict::Proven => prop_assert!(words_a.is_subset(&words_b)),
            Verdict::Refuted(word) => {
                prop_assert!(a.matches(&word) && !b.matches(&word), "{}", word);
            }
            Verdict::NotProven(_) => not_proven.set(not_proven.get() + 1),
        }
        Ok(())
    });
    println!(
        "overlap and subset: {} of 1000 not proven",
        not_proven.get()
    );
    assert!(not_proven.get() <= 10);
}

fn check_common(a: &Tree, b: &Tree, word: &str) -> Result<(), TestCaseError> {
    prop_assert!(a.matches(word) && b.matches(word));
    let common = &a.words(LONGEST) & &b.words(LONGEST);
    prop_assert!(
        common.iter().all(|other| other.len() >= word.len()),
        "{} is not shortest",
        word
    );
    Ok(())
}

#[test]
fn witnesses_are_readable() {
    assert_eq!(Language::nonempty_text().shortest_word().unwrap(), "a");
    assert_eq!(
        Language::uuid().shortest_word().unwrap(),
        "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"
    );
    assert_eq!(Language::integer().words(3), ["0", "1", "2"]);
    assert_eq!(Language::text_without(&['a'], 1).words(2), ["b", "c"]);
    assert_eq!(
        Language::from_regex("[^ -~\0-\x1F]")
            .unwrap()
            .shortest_word()
            .unwrap()
            .chars()
            .count(),
        1
    );
}

#[test]
fn types_accept_what_they_should() {
    assert!(Language::uuid().accepts("6ba7b810-9dad-11d1-80b4-00c04fd430c8"));
    assert!(!Language::uuid().accepts("6BA7B810-9dad-11d1-80b4-00c04fd430c8"));
    assert!(Language::uuid().automaton().len() <= 37);
    assert!(Language::ulid().accepts("01ARZ3NDEKTSV4RRFFQ69G5FAV"));
    assert!(!Language::ulid().accepts("81ARZ3NDEKTSV4RRFFQ69G5FAV"));
    assert!(Language::date().accepts("2025-11-18") && !Language::date().accepts("2025-13-18"));
    assert!(Language::integer().accepts("-12") && !Language::integer().accepts("-0"));
    assert!(!Language::natural().accepts("007"));
    let padded = Language::digits_at_least(3);
    assert!(
        padded.accepts("007")
            && padded.accepts("1234")
            && !padded.accepts("0123")
            && !padded.accepts("12")
    );
    assert!(Language::any_text().accepts("é€😀") && Language::any_text().automaton().len() <= 9);
    assert_eq!(Language::one_of(&["x", "yy"]).count(1000), Some(2));
    assert_eq!(Language::uuid().count(1000), None);
}

#[test]
fn lengths_are_intervals_and_not_states() {
    let id = Language::from_regex("[A-Za-z0-9_-]{1,64}").unwrap();
    assert!(id.is_exact() && id.automaton().len() <= 3);
    assert!(id.accepts(&"x".repeat(64)) && !id.accepts(&"x".repeat(65)) && !id.accepts(""));
    assert_eq!(id.byte_length().max, Some(64));
    let text = Language::nonempty_text().with_length(Length {
        min: 1,
        max: Some(100),
    });
    assert_eq!(text.byte_length().max, Some(400));
    assert!(text.accepts(&"é".repeat(100)) && !text.accepts(&"é".repeat(101)));
    let two = Language::from_regex("[a-z]{1,64}-[a-z]{30,64}").unwrap();
    assert!(!two.is_exact());
    assert!(
        !two.accepts(&format!("{}-a", "a".repeat(40)))
            && two.accepts(&format!("a-{}", "a".repeat(30)))
    );
    assert_eq!(two.shortest_word().unwrap().len(), 32);
    assert!(
        Language::from_regex("((a{1,1000}b){1,1000}){1,1000}")
            .unwrap()
            .accepts("ab")
    );
    assert!(
        ALPHABET
            .iter()
            .all(|c| Language::any_text().can_contain(*c))
    );
}

/// Fewest bytes is not fewest characters.
#[test]
fn a_limit_counts_characters() {
    let few = Language::one_of(&["aaaa", "é€"]).with_length(Length {
        min: 1,
        max: Some(2),
    });
    assert_eq!(few.shortest_word().as_deref(), Some("é€"));
    assert_eq!(few.words(5), ["é€"]);
    assert!(
        Language::one_of(&["aaaa", "ééé"])
            .with_length(Length {
                min: 0,
                max: Some(2)
            })
            .is_empty()
    );
}

/// Lengths that no key has give up quickly and never overflow.
#[test]
fn absurd_lengths_stay_bounded() {
    let huge = Language::text_without(&['#'], usize::MAX / 2);
    assert!(huge.words(3).is_empty() && huge.shortest_word().is_none());
    let all = Language::any_text().with_length(Length {
        min: 1,
        max: Some(usize::MAX),
    });
    assert_eq!(all.words(2), ["a", "b"]);
    assert!(is_subset(&all, &Language::any_text()).is_proven());
    assert!(!is_subset(&Language::any_text(), &all).is_proven());
    assert!(all.concat(&huge).concat(&all).byte_length().min > 0);
    assert!(Language::digits(1_000_000_000).count(1000).is_none());
}
