//! What can be done about a finding in the text of the model.

use super::Code;
use crate::span::Span;

/// A change of the text that may remove a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in the words of a button: ``Pad it: `{n:06}` ``.
    pub title: String,
    /// The change.
    pub edit: Edit,
}

/// A change of the text of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Puts another text into the place of a part of the file.
    Replace {
        /// The part.
        span: Span,
        /// What stands there afterwards.
        text: String,
    },
    /// Gives a key of a section a text: `["entity", "Tree", "on_exists"]`.
    Set {
        /// The sections from the outermost one, and the key.
        path: Vec<String>,
        /// The text.
        text: String,
    },
    /// Adds a text to the list that a key has.
    Append {
        /// The sections from the outermost one, and the key.
        path: Vec<String>,
        /// The text.
        text: String,
    },
    /// Takes a key out of its section.
    Remove {
        /// The sections from the outermost one, and the key.
        path: Vec<String>,
    },
}

impl Edit {
    /// Puts a text between two others.
    #[must_use]
    pub fn insert(at: usize, text: impl Into<String>) -> Self {
        Self::Replace {
            span: Span { start: at, end: at },
            text: text.into(),
        }
    }
}

/// The declaration whose `accept` takes a finding out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acceptor {
    /// The entity of this name.
    Entity(String),
    /// The access pattern of this name.
    Pattern(String),
}

/// The section: `entity.Tree`.
impl std::fmt::Display for Acceptor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Entity(name) => write!(f, "entity.{name}"),
            Self::Pattern(name) => write!(f, "access.{name}"),
        }
    }
}

impl Acceptor {
    /// Where the acceptance of a rule stands in the text: `["entity", "Tree", "accept", "hot_partition"]`.
    #[must_use]
    pub fn path(&self, rule: Code) -> Vec<String> {
        let (section, name) = match self {
            Self::Entity(name) => ("entity", name),
            Self::Pattern(name) => ("access", name),
        };
        [section, name, "accept", rule.name()]
            .map(str::to_owned)
            .into()
    }
}
