//! What is wrong with a value: which attribute, and why.

use crate::declaration::Declaration;
use crate::host::NoEntropy;
use std::fmt;

/// An attribute and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The attribute, as the model calls it.
    pub attribute: String,
    /// What is wrong.
    pub problem: Problem,
    /// The row, where one call gives several.
    pub row: Option<String>,
    /// What was given, which clause of the model says so, or what to do next.
    pub note: Option<Box<str>>,
    /// The declaration of the model that refuses.
    pub declaration: Option<Box<Declaration>>,
}

/// Why a value is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The model does not know the attribute.
    Unknown,
    /// The access pattern has no such parameter.
    UnknownParameter,
    /// The store sets it; a caller cannot.
    NotGiven,
    /// It never changes.
    Immutable,
    /// It must be there.
    Missing,
    /// It must not be there.
    Forbidden,
    /// It is not what the model says.
    Wrong {
        /// What it must be.
        wanted: String,
    },
    /// It is an empty text.
    Empty {
        /// What it must be.
        wanted: String,
    },
    /// It is a text with nothing in it that can be seen.
    Blank {
        /// What it must be.
        wanted: String,
    },
    /// The model keeps the name free.
    Reserved,
    /// It is to be hashed, and looks like a hash already.
    Hashed,
    /// It is given as a hash and is none.
    NoHash,
    /// A rule of the entity does not hold.
    Rule {
        /// The rule's name.
        name: String,
        /// What the rule says, and the values that break it.
        meaning: String,
    },
    /// A key made of it is refused.
    Key {
        /// Why.
        why: String,
    },
    /// It is made of random bytes, and there are none to be had.
    NoEntropy,
}

impl FieldError {
    pub(crate) fn new(attribute: impl Into<String>, problem: Problem) -> Self {
        Self {
            attribute: attribute.into(),
            problem,
            row: None,
            note: None,
            declaration: None,
        }
    }

    /// What the model itself tells callers of such a value.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.declaration.as_ref()?.message()
    }

    /// Adds the declaration that refuses, where attribute and problem alone do not tell it.
    pub(crate) fn by(mut self, declaration: Declaration) -> Self {
        self.declaration = Some(Box::new(declaration));
        self
    }

    /// What is wrong, without the model's own message.
    #[must_use]
    pub const fn reason(&self) -> Reason<'_> {
        Reason(self)
    }

    /// With a note on what was given, which clause of the model says so, or what to do next.
    pub(crate) fn noting(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into().into_boxed_str());
        self
    }

    /// Adds which of several rows it is about.
    pub(crate) fn in_row(mut self, row: &str) -> Self {
        self.row = Some(row.to_owned());
        self
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(message) = self.message() {
            write!(f, "{}: ", message.trim_end_matches('.'))?;
        }
        self.reason().fmt(f)
    }
}

/// What is wrong with a value, without the model's own message.
#[derive(Clone, Copy, Debug)]
pub struct Reason<'e>(&'e FieldError);

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FieldError {
            attribute,
            problem,
            row,
            note,
            ..
        } = self.0;
        // A new row of a commit whose id is not made yet has no name.
        if let Some(row) = row.as_ref().filter(|row| !row.is_empty()) {
            write!(f, "{row}: ")?;
        }
        match problem {
            Problem::Unknown => write!(f, "`{attribute}` is no attribute of it"),
            Problem::UnknownParameter => {
                write!(f, "`{attribute}` is no parameter of the access pattern")
            }
            Problem::NotGiven => write!(f, "`{attribute}` is set by the store"),
            Problem::Immutable => write!(f, "`{attribute}` never changes"),
            Problem::Missing => write!(f, "`{attribute}` is required"),
            Problem::Forbidden => write!(f, "`{attribute}` must not be given here"),
            Problem::Wrong { wanted } => write!(f, "`{attribute}` must be {wanted}"),
            Problem::Empty { wanted } => write!(
                f,
                "`{attribute}` must not be empty: it is {wanted}; to have none, leave it out"
            ),
            Problem::Blank { wanted } => write!(
                f,
                "`{attribute}` must not be blank: it is {wanted}, and nothing of it can be seen; the clause `blank` of \
                 the attribute would allow that"
            ),
            Problem::Reserved => write!(
                f,
                "`{attribute}` cannot be given: the model reserves the name (its type is `never`)"
            ),
            Problem::Hashed => write!(
                f,
                "`{attribute}` looks like a bcrypt hash, which would be hashed again; a hash is given as \
                 {{\"bcrypt\": \"$2b$...\"}}, on the command line by --set-hash"
            ),
            Problem::NoHash => write!(
                f,
                "`{attribute}` must be a text, or a bcrypt hash as {{\"bcrypt\": \"$2b$...\"}} with all its 60 characters"
            ),
            Problem::Rule { name, meaning } => {
                write!(f, "the rule `{name}` does not hold: {meaning}")
            }
            Problem::Key { why } => write!(f, "`{attribute}` is refused in a key: {why}"),
            Problem::NoEntropy => write!(f, "`{attribute}` cannot be made: {NoEntropy}"),
        }?;
        match note {
            Some(note) => write!(f, " ({note})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for FieldError {}
