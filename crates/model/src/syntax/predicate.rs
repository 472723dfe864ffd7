//! A predicate of the model: `expr`'s, with the way back to the file.

use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::document::{Section, Text};
use crate::span::Span;
use monotable_expr::predicate::Predicate as Parsed;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A condition on rows.
#[derive(Clone, Debug)]
pub struct Predicate {
    parsed: Parsed,
    text: Text,
}

impl Predicate {
    /// Reads a predicate, or reports why it cannot be read.
    pub(crate) fn parse(text: &Text, findings: &mut Findings) -> Option<Self> {
        match Parsed::parse(text.as_str()) {
            Ok(parsed) => Some(Self {
                parsed,
                text: text.clone(),
            }),
            Err(error) => {
                let span = text.span_at(error.span.start, error.span.end.max(error.span.start + 1));
                let message = format!("this is no predicate: {error}");
                findings.push(Diagnostic::new(Code::BadPredicate, span, message));
                None
            }
        }
    }

    pub(crate) fn read(
        section: &mut Section<'_>,
        key: &str,
        findings: &mut Findings,
    ) -> Option<Self> {
        let text = section.text(key, findings)?;
        Self::parse(&text, findings)
    }

    /// The condition itself.
    #[must_use]
    pub const fn parsed(&self) -> &Parsed {
        &self.parsed
    }

    /// Where it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        self.text.inner()
    }

    /// Where part of it stands in the file.
    #[must_use]
    pub fn place(&self, span: Span) -> Span {
        self.text.span_at(span.start, span.end)
    }
}

impl std::fmt::Display for Predicate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.parsed.fmt(f)
    }
}

/// For people as a text. For programs as what the text says, because they would spend much of their start on parsing texts.
impl Serialize for Predicate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(&self.parsed)
        } else {
            self.parsed.serialize(serializer)
        }
    }
}

/// From what programs write. Where it stood in a file is not known.
impl<'de> Deserialize<'de> for Predicate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self {
            parsed: Parsed::deserialize(deserializer)?,
            text: Text::plain(String::new(), 0),
        })
    }
}
