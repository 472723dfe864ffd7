//! Everything that is wrong with the NAME=VALUE words of a command, told at once.

use super::model::LoadedModel;
use super::vocabulary::Term;
use crate::exit::Failure;
use monotable_model::model::Kind;
use monotable_model::span::Span;

/// What is wrong, in the order of the words.
#[derive(Debug, Default)]
pub(super) struct Problems {
    found: Vec<WordProblem>,
}

/// A word that cannot be used.
#[derive(Debug)]
pub(super) struct WordProblem {
    /// The attribute or parameter, if the word has one.
    pub(super) name: Option<String>,
    what: String,
    span: Span,
}

impl Problems {
    pub(super) const fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether a word with this name is among them.
    pub(super) fn has(&self, name: &str) -> bool {
        let mut found = self.found.iter();
        found.any(|problem| problem.name.as_deref() == Some(name))
    }

    /// A word that does not even have a name.
    pub(super) fn add_word(&mut self, word: &str) {
        self.found.push(WordProblem {
            name: None,
            what: format!("{word} is not NAME=VALUE"),
            span: Span::default(),
        });
    }

    /// A name that comes twice.
    pub(super) fn add_repeated(&mut self, name: &str) {
        self.found.push(WordProblem {
            name: Some(name.to_owned()),
            what: format!("{name} is given twice"),
            span: Span::default(),
        });
    }

    /// A value that cannot be one of the kind that the model wants.
    pub(super) fn add_value(&mut self, name: &str, term: &Term<'_>, text: &str, why: &str) {
        let wanted = term.kind.map_or_else(String::new, Kind::to_string);
        let given = if term.is_secret {
            "the value that is given".to_owned()
        } else {
            serde_json::Value::from(text).to_string()
        };
        self.found.push(WordProblem {
            name: Some(name.to_owned()),
            what: format!("`{name}` must be {wanted}; {given} is not: {why}"),
            span: term.span,
        });
    }

    /// The lines of a message, with the places of the declarations if the model's text is known.
    pub(super) fn lines(&self, model: Option<&LoadedModel>) -> Vec<String> {
        let line = |problem: &WordProblem| {
            let place = model.and_then(|model| model.place(problem.span));
            match place {
                Some(place) => format!("{} ({place})", problem.what),
                None => problem.what.clone(),
            }
        };
        self.found.iter().map(line).collect()
    }

    /// The refusal; nothing if nothing is wrong. One problem alone is the message itself.
    pub(super) fn refuse(self, what: &str, model: Option<&LoadedModel>) -> Result<(), Failure> {
        let lines = self.lines(model);
        match lines.as_slice() {
            [] => Ok(()),
            [line] => Err(Failure::usage(line)),
            _ => Err(lines.into_iter().fold(
                Failure::usage(format_args!("{what} cannot be read")),
                Failure::because,
            )),
        }
    }
}
