//! Random small languages with two meanings: a set of short words, and the [`Language`] under test.

use super::super::{Language, Length};
use proptest::prelude::*;
use std::collections::BTreeSet;

pub(super) const ALPHABET: [char; 4] = ['a', 'b', '#', '1'];

#[derive(Clone, Debug)]
pub(super) enum Tree {
    Empty,
    Class(Vec<char>),
    Word(String),
    Concat(Vec<Tree>),
    Either(Vec<Tree>),
    Repeat(Box<Tree>, usize, Option<usize>),
    /// A limit of characters, which makes counted and approximate languages.
    Sized(Box<Tree>, usize, usize),
}

impl Tree {
    /// All its words of at most `longest` characters, by the definition of each operation.
    pub(super) fn words(&self, longest: usize) -> BTreeSet<String> {
        match self {
            Tree::Empty => BTreeSet::from([String::new()]),
            Tree::Class(chars) => chars
                .iter()
                .filter(|_| longest > 0)
                .map(char::to_string)
                .collect(),
            Tree::Word(word) => BTreeSet::from([word.clone()])
                .into_iter()
                .filter(|w| w.len() <= longest)
                .collect(),
            Tree::Concat(parts) => {
                let empty = BTreeSet::from([String::new()]);
                parts.iter().fold(empty, |words, part| {
                    joined(&words, &part.words(longest), longest)
                })
            }
            Tree::Either(parts) => parts.iter().flat_map(|part| part.words(longest)).collect(),
            Tree::Repeat(body, min, max) => repeated(&body.words(longest), *min, *max, longest),
            Tree::Sized(body, min, max) => body
                .words(longest)
                .into_iter()
                .filter(|w| w.len() >= *min && w.len() <= *max)
                .collect(),
        }
    }

    /// Is `word` one of its words? Polynomial, so also for long words.
    pub(super) fn matches(&self, word: &str) -> bool {
        self.ends(word, 0).contains(&word.len())
    }

    /// Where a word of this language can end in `word` if it starts at `from`.
    fn ends(&self, word: &str, from: usize) -> BTreeSet<usize> {
        match self {
            Tree::Empty => BTreeSet::from([from]),
            Tree::Class(chars) => word[from..]
                .chars()
                .next()
                .filter(|c| chars.contains(c))
                .map(|_| from + 1)
                .into_iter()
                .collect(),
            Tree::Word(own) => Some(from + own.len())
                .filter(|_| word[from..].starts_with(own))
                .into_iter()
                .collect(),
            Tree::Concat(parts) => parts.iter().fold(BTreeSet::from([from]), |at, part| {
                part.ends_of_all(word, &at)
            }),
            Tree::Either(parts) => parts
                .iter()
                .flat_map(|part| part.ends(word, from))
                .collect(),
            Tree::Repeat(body, min, max) => {
                let mut at = BTreeSet::from([from]);
                let mut ends = BTreeSet::new();
                for count in 0..=max.unwrap_or(min + word.len() + 1) {
                    if count >= *min {
                        ends.extend(at.iter().copied());
                    }
                    at = body.ends_of_all(word, &at);
                }
                ends
            }
            Tree::Sized(body, min, max) => body
                .ends(word, from)
                .into_iter()
                .filter(|end| end - from >= *min && end - from <= *max)
                .collect(),
        }
    }

    fn ends_of_all(&self, word: &str, starts: &BTreeSet<usize>) -> BTreeSet<usize> {
        starts.iter().flat_map(|at| self.ends(word, *at)).collect()
    }

    pub(super) fn language(&self) -> Language {
        match self {
            Tree::Empty => Language::empty_text(),
            Tree::Class(chars) => {
                let words: Vec<String> = chars.iter().map(char::to_string).collect();
                Language::one_of(&words.iter().map(String::as_str).collect::<Vec<_>>())
            }
            Tree::Word(word) => Language::literal(word),
            Tree::Concat(parts) => parts.iter().fold(Language::empty_text(), |all, part| {
                all.concat(&part.language())
            }),
            Tree::Either(parts) => parts
                .iter()
                .fold(Language::nothing(), |all, part| all.union(&part.language())),
            Tree::Repeat(body, min, max) => body.language().repeat(*min, *max),
            Tree::Sized(body, min, max) => body.language().with_length(Length {
                min: *min,
                max: Some(*max),
            }),
        }
    }

    /// As regular expression; `None` if it contains a limit.
    pub(super) fn regex(&self) -> Option<String> {
        Some(match self {
            Tree::Empty => "(?:)".to_owned(),
            Tree::Class(chars) => format!("[{}]", chars.iter().collect::<String>()),
            Tree::Word(word) => format!("(?:{word})"),
            Tree::Concat(parts) => parts.iter().map(Tree::regex).collect::<Option<String>>()?,
            Tree::Either(parts) => {
                let parts: Option<Vec<String>> = parts.iter().map(Tree::regex).collect();
                format!("(?:{})", parts?.join("|"))
            }
            Tree::Repeat(body, min, max) => {
                let max = max.map_or(String::new(), |max| max.to_string());
                format!("(?:{}){{{min},{max}}}", body.regex()?)
            }
            Tree::Sized(..) => return None,
        })
    }
}

fn joined(left: &BTreeSet<String>, right: &BTreeSet<String>, longest: usize) -> BTreeSet<String> {
    let mut by_length: Vec<Vec<&String>> = vec![Vec::new(); longest + 1];
    for word in right {
        by_length[word.len()].push(word);
    }
    let fitting = |a: &String| {
        by_length[..=longest - a.len()]
            .iter()
            .flatten()
            .copied()
            .collect::<Vec<_>>()
    };
    left.iter()
        .flat_map(|a| fitting(a).into_iter().map(move |b| format!("{a}{b}")))
        .collect()
}

/// Powers of `body`, until no new word can come: after `longest` powers without the empty word, none does.
fn repeated(
    body: &BTreeSet<String>,
    min: usize,
    max: Option<usize>,
    longest: usize,
) -> BTreeSet<String> {
    let mut power = BTreeSet::from([String::new()]);
    let mut words = BTreeSet::new();
    for count in 0..=max.unwrap_or(min + longest + 1) {
        if count >= min {
            words.extend(power.iter().cloned());
        }
        let next = joined(&power, body, longest);
        if count >= min && next == power {
            break;
        }
        power = next;
    }
    words
}

pub(super) fn tree() -> impl Strategy<Value = Tree> {
    let class = proptest::sample::subsequence(ALPHABET.to_vec(), 1..=4).prop_map(Tree::Class);
    let word = "[ab#1]{1,2}".prop_map(Tree::Word);
    let leaf = prop_oneof![1 => Just(Tree::Empty), 4 => class, 2 => word];
    leaf.prop_recursive(3, 10, 3, |inner| {
        let ranges = prop_oneof![
            Just((0, None)),
            Just((1, None)),
            Just((0, Some(1))),
            Just((2, Some(2))),
            Just((1, Some(3))),
            Just((2, Some(40))),
            Just((0, Some(40))),
        ];
        prop_oneof![
            3 => proptest::collection::vec(inner.clone(), 1..4).prop_map(Tree::Concat),
            2 => proptest::collection::vec(inner.clone(), 1..3).prop_map(Tree::Either),
            2 => (inner.clone(), ranges).prop_map(|(body, (min, max))| Tree::Repeat(Box::new(body), min, max)),
            1 => (inner, 0usize..3, 0usize..4).prop_map(|(body, min, more)| Tree::Sized(Box::new(body), min, min + more)),
        ]
    })
}

/// Languages as variables have them: mostly loops over classes.
pub(super) fn value() -> impl Strategy<Value = Tree> {
    let class = || proptest::sample::subsequence(ALPHABET.to_vec(), 1..=3).prop_map(Tree::Class);
    let ranges = prop_oneof![
        2 => Just((0, None)),
        4 => Just((1, None)),
        1 => Just((1, Some(2))),
        1 => Just((2, Some(2))),
        1 => Just((1, Some(40))),
    ];
    let looped =
        (class(), ranges).prop_map(|(class, (min, max))| Tree::Repeat(Box::new(class), min, max));
    let prefixed =
        (class(), looped.clone()).prop_map(|(first, rest)| Tree::Concat(vec![first, rest]));
    prop_oneof![6 => looped, 1 => prefixed, 1 => class(), 2 => tree()]
}

/// All words over the alphabet of at most `longest` characters.
pub(super) fn all_words(longest: usize) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut last = words.clone();
    for _ in 0..longest {
        last = last
            .iter()
            .flat_map(|word| ALPHABET.iter().map(move |c| format!("{word}{c}")))
            .collect();
        words.extend(last.iter().cloned());
    }
    words
}
