//! `message = "..."`: what a caller is told first when a declaration refuses something.

use crate::diagnostic::{Code, Findings};
use crate::document::{Section, Text};

/// The sentence that stands under `key`, if there is one.
pub(crate) fn read_message(
    section: &mut Section<'_>,
    key: &str,
    findings: &mut Findings,
) -> Option<String> {
    let text = section.text(key, findings)?;
    accept_message(&text, text.value.clone(), findings)
}

/// A sentence in single quotes, as attributes have it; two quotes in a row are one.
pub(crate) fn parse_quoted_message(text: &Text, findings: &mut Findings) -> Option<String> {
    let quoted = text.as_str().strip_prefix('\'');
    let Some(sentence) = quoted.and_then(|rest| rest.strip_suffix('\'')) else {
        let message = format!("`{}` is not a sentence in single quotes", text.as_str());
        findings.error(Code::BadAttribute, text.inner(), message);
        return None;
    };
    accept_message(text, sentence.replace("''", "'"), findings)
}

/// A message of several lines is one line for whoever reads it.
fn accept_message(text: &Text, sentence: String, findings: &mut Findings) -> Option<String> {
    let words: Vec<_> = sentence.split_whitespace().collect();
    if words.is_empty() {
        let message = "a message is a sentence for whoever is refused; this one says nothing";
        findings.error(Code::WrongKind, text.inner(), message);
        return None;
    }
    Some(words.join(" "))
}
