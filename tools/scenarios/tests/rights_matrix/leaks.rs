//! Values of rows that a caller may not see: none of them may be told.

use super::evaluator::Evaluator;
use super::plain;
use super::state::Row;
use serde_json::Value;
use std::collections::HashSet;

/// What a caller must not be told.
#[derive(Debug)]
pub(crate) struct Canaries {
    words: HashSet<String>,
}

impl Canaries {
    /// The words of hidden rows, keys included, that neither a row that the caller sees nor the model's text has.
    pub(crate) fn new(evaluator: &Evaluator<'_>, model_text: &str) -> Self {
        let Some(principal) = &evaluator.caller.principal else {
            return Self {
                words: HashSet::new(),
            };
        };
        let mut hidden = Vec::new();
        let mut known = vec![
            model_text.to_owned(),
            Value::Object(principal.clone()).to_string(),
        ];
        known.extend(evaluator.tenant().map(str::to_owned));
        for row in &evaluator.state.rows {
            let texts = if evaluator.sees(row) {
                &mut known
            } else {
                &mut hidden
            };
            plain::collect_texts(&Value::Object(row.values.clone()), texts);
            if evaluator.sees(row) {
                known.extend(masked_texts(evaluator, row));
            }
        }
        let known: HashSet<String> = known.iter().flat_map(|text| split_words(text)).collect();
        let hidden = hidden.iter().flat_map(|text| split_words(text));
        Self {
            words: hidden
                .filter(|word| is_telling(word) && !known.contains(word))
                .collect(),
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// The first of them in a text, other than what the call itself says.
    pub(crate) fn find(&self, text: &str, call: &str) -> Option<String> {
        let mut words = split_words(text)
            .filter(|word| self.words.contains(word))
            .peekable();
        words.peek()?;
        let call = call.to_lowercase();
        words.find(|word| !call.contains(word.as_str()))
    }
}

/// What a row shows of its secrets that are masked: their beginnings and ends.
fn masked_texts(evaluator: &Evaluator<'_>, row: &Row) -> Vec<String> {
    let mut texts = Vec::new();
    for attribute in &evaluator.state.model.entity(row.entity).attributes {
        let mask = attribute.secret.and_then(|secret| secret.mask);
        let value = row.values.get(&attribute.name.value);
        if let (Some((first, last)), Some(Value::String(text))) = (mask, value) {
            let end = text.chars().count().saturating_sub(last);
            texts.push(text.chars().take(first).collect());
            texts.push(text.chars().skip(end).collect());
        }
    }
    texts
}

/// The words of a text in small letters, as keys may show them. What stands in ids and addresses does not part words.
fn split_words(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|letter: char| !letter.is_alphanumeric() && !"-_@.".contains(letter));
    parts.filter(|word| word.len() >= 4).map(str::to_lowercase)
}

/// Times of hidden rows may be those of others.
fn is_telling(word: &str) -> bool {
    !(word.starts_with("20") && word.as_bytes().get(4) == Some(&b'-') || word.starts_with("00.0"))
}
