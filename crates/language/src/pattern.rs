//! Templates as sequences of parts.

use super::length::Length;
use super::regular::Language;
use std::collections::BTreeMap;

/// Values of variables by their id.
pub type Assignment = BTreeMap<u32, String>;

/// One part of a template.
#[derive(Clone, Debug)]
pub enum Part {
    /// Fixed text.
    Literal(String),
    /// The value of a variable. The same id has the same value everywhere on one side of a question.
    Variable {
        /// Which variable.
        id: u32,
        /// What values it may have.
        language: Language,
    },
    /// Some text that no variable names.
    Free(Language),
}

/// A template: its parts are rendered one after the other.
#[derive(Clone, Debug, Default)]
pub struct Pattern {
    parts: Vec<Part>,
    /// Every text begins with it; decides most questions at once.
    prefix: String,
}

impl Pattern {
    /// A template of `parts`; neighbouring literals become one and empty ones disappear.
    #[must_use]
    pub fn new(parts: Vec<Part>) -> Pattern {
        parts.into_iter().fold(Pattern::default(), Pattern::with)
    }

    fn with(mut self, part: Part) -> Pattern {
        match (self.parts.last_mut(), part) {
            (_, Part::Literal(text)) if text.is_empty() => {}
            (Some(Part::Literal(last)), Part::Literal(text)) => last.push_str(&text),
            (_, part) => self.parts.push(part),
        }
        if let [Part::Literal(text)] = self.parts.as_slice() {
            self.prefix.clone_from(text);
        }
        self
    }

    /// Its parts.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Adds fixed text.
    #[must_use]
    pub fn literal(self, text: &str) -> Pattern {
        self.with(Part::Literal(text.to_owned()))
    }

    /// Adds a variable.
    #[must_use]
    pub fn variable(self, id: u32, language: &Language) -> Pattern {
        self.with(Part::Variable {
            id,
            language: language.clone(),
        })
    }

    /// Adds text that no variable names.
    #[must_use]
    pub fn free(self, language: &Language) -> Pattern {
        self.with(Part::Free(language.clone()))
    }

    /// Adds any text: what follows the prefix of a `begins_with`.
    #[must_use]
    pub fn anything(self) -> Pattern {
        self.free(&Language::any_text())
    }

    /// All texts it can render; does not know that a variable used twice has one value.
    #[must_use]
    pub fn language(&self) -> Language {
        let parts: Vec<Language> = self.parts.iter().map(Part::texts).collect();
        Language::sequence(&parts.iter().collect::<Vec<_>>())
    }

    /// The text that every rendered text begins with.
    #[must_use]
    pub fn literal_prefix(&self) -> &str {
        &self.prefix
    }

    /// Lengths of its texts in bytes.
    #[must_use]
    pub fn byte_length(&self) -> Length {
        self.parts.iter().fold(Length::exactly(0), |sum, part| {
            sum.plus(&part.byte_length())
        })
    }
}

impl Part {
    fn texts(&self) -> Language {
        match self {
            Part::Literal(text) => Language::literal(text),
            Part::Variable { language, .. } | Part::Free(language) => language.clone(),
        }
    }

    fn byte_length(&self) -> Length {
        match self {
            Part::Literal(text) => Length::exactly(text.len()),
            Part::Variable { language, .. } | Part::Free(language) => language.byte_length(),
        }
    }
}
