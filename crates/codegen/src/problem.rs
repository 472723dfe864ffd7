//! Why no code can be generated for a model.

use monotable_model::compiled::BytesProblem;
use std::fmt;

/// Why no code can be generated for a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Two declarations would have one name in the generated code.
    OneName {
        /// The declaration that has the name first: `access.tree_by_id`.
        first: String,
        /// The declaration that would have it too.
        second: String,
        /// The name in the generated code.
        name: String,
    },
    /// A declaration would have a name that every client has for something else.
    Reserved {
        /// The declaration.
        declaration: String,
        /// The name.
        name: String,
    },
    /// `--bigint` names something that is no integer of the model.
    NoInteger {
        /// What was given.
        given: String,
        /// Why it is none.
        reason: String,
    },
    /// The compiled model cannot be written.
    Unwritable(BytesProblem),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneName {
                first,
                second,
                name,
            } => write!(
                f,
                "`{first}` and `{second}` would both be called `{name}` in the generated code; rename one of them in the model"
            ),
            Self::Reserved { declaration, name } => write!(
                f,
                "`{declaration}` would be called `{name}` in the generated code, which every client has for something else; \
                 rename it in the model"
            ),
            Self::NoInteger { given, reason } => write!(
                f,
                "--bigint {given}: {reason}; give an attribute of type integer or epoch as Entity.attribute"
            ),
            Self::Unwritable(problem) => {
                write!(f, "the compiled model cannot be written: {problem}")
            }
        }
    }
}

impl std::error::Error for Problem {}

/// The names of one scope of the generated code, each with the declaration that has it.
#[derive(Default)]
pub(crate) struct Scope {
    names: Vec<(String, String)>,
}

impl Scope {
    /// A scope in which some names are taken by what every client has.
    pub(crate) fn with_reserved(reserved: &[&str]) -> Self {
        let names = reserved.iter();
        Self {
            names: names
                .map(|name| ((*name).to_owned(), String::new()))
                .collect(),
        }
    }

    /// Takes a name for a declaration.
    pub(crate) fn take(&mut self, name: &str, declaration: &str) -> Result<(), Problem> {
        let known = self.names.iter().find(|(known, _)| known == name);
        match known {
            None => {
                self.names.push((name.to_owned(), declaration.to_owned()));
                Ok(())
            }
            Some((_, first)) if first.is_empty() => Err(Problem::Reserved {
                declaration: declaration.to_owned(),
                name: name.to_owned(),
            }),
            Some((_, first)) => Err(Problem::OneName {
                first: first.clone(),
                second: declaration.to_owned(),
                name: name.to_owned(),
            }),
        }
    }
}
