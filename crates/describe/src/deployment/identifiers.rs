//! Names of resources in the tools' own alphabets.

use std::collections::BTreeSet;

/// Names that were given, each to one thing only.
#[derive(Debug, Default)]
pub(super) struct Identifiers {
    given: BTreeSet<String>,
}

impl Identifiers {
    /// The logical id of a resource of CloudFormation: letters and digits.
    pub(super) fn logical(&mut self, words: &[&str]) -> String {
        let words = words.iter().flat_map(|word| split(word));
        let id: String = words.map(|word| capitalize(&word)).collect();
        self.give(id, "")
    }

    /// The name of a resource of Terraform: lower case, digits and `_`.
    pub(super) fn snake(&mut self, words: &[&str]) -> String {
        let words: Vec<String> = words.iter().flat_map(|word| split(word)).collect();
        let mut name = words.join("_").to_lowercase();
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            name.insert(0, '_');
        }
        self.give(name, "_")
    }

    /// Two names that differ only in characters that the alphabet lacks get numbers.
    fn give(&mut self, name: String, separator: &str) -> String {
        let mut given = name.clone();
        let mut number = 2;
        while !self.given.insert(given.clone()) {
            given = format!("{name}{separator}{number}");
            number += 1;
        }
        given
    }
}

fn split(name: &str) -> Vec<String> {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(ToOwned::to_owned)
        .collect()
}

fn capitalize(word: &str) -> String {
    let mut characters = word.chars();
    let first = characters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}
