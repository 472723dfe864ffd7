//! Values of rows that a caller may not see: none of them may be told.

use super::evaluator::Evaluator;
use super::plain;
use serde_json::Value;
use std::collections::BTreeSet;

/// What a caller must not be told.
#[derive(Debug)]
pub(crate) struct Canaries {
    texts: Vec<String>,
}

impl Canaries {
    /// The values of hidden rows, keys included, that neither a row that the caller sees nor the model's text has.
    pub(crate) fn new(evaluator: &Evaluator<'_>, model_text: &str) -> Self {
        let Some(principal) = &evaluator.caller.principal else {
            return Self { texts: Vec::new() };
        };
        let mut hidden = Vec::new();
        let mut known = vec![model_text.to_owned(), Value::Object(principal.clone()).to_string()];
        known.extend(evaluator.tenant().map(str::to_owned));
        for row in &evaluator.state.rows {
            let texts = if evaluator.sees(row) { &mut known } else { &mut hidden };
            plain::collect_texts(&Value::Object(row.values.clone()), texts);
        }
        let known = known.join("\n");
        let hidden: BTreeSet<String> = hidden.into_iter().collect();
        let texts = hidden.into_iter().filter(|text| is_telling(text) && !known.contains(text));
        Self {
            texts: texts.collect(),
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// The first of them in a text, other than what the call itself says.
    pub(crate) fn find<'c>(&'c self, text: &str, call: &str) -> Option<&'c String> {
        let mut texts = self.texts.iter();
        texts.find(|canary| text.contains(canary.as_str()) && !call.contains(canary.as_str()))
    }
}

/// Words of three letters are everywhere, and times of hidden rows may be those of others.
fn is_telling(text: &str) -> bool {
    let is_time = text.len() >= 10 && text.starts_with("20") && text.as_bytes().get(4) == Some(&b'-');
    text.len() >= 4 && !is_time
}
