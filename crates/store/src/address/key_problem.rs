//! Why there is no key.

use crate::field_error::{FieldError, Problem};
use monotable_model::compiled::{FormatProblem, RenderProblem};

/// Why a key cannot be made. Only what is absent may mean that a row is not in an index, or has no guard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KeyProblem {
    /// The entity has no key at all.
    None { entity: String },
    /// Something that the template shows is absent.
    Absent { field: String },
    /// A value cannot be shown as the template says.
    Format {
        field: String,
        problem: FormatProblem,
    },
    /// A key attribute would be empty.
    Empty { attribute: String },
    /// A key attribute would be longer than DynamoDB takes.
    TooLong {
        attribute: String,
        bytes: usize,
        most: usize,
    },
    /// It would be a key of the store's own items.
    Reserved,
    /// It would be the key of another tenant.
    ForeignTenant,
}

impl KeyProblem {
    /// Whether something that the key shows is absent.
    pub(crate) const fn is_absence(&self) -> bool {
        matches!(self, Self::Absent { .. })
    }
}

impl From<RenderProblem> for KeyProblem {
    fn from(problem: RenderProblem) -> Self {
        match problem {
            RenderProblem::Absent { field } => Self::Absent { field },
            RenderProblem::Format { field, problem } => Self::Format { field, problem },
        }
    }
}

impl From<KeyProblem> for FieldError {
    fn from(problem: KeyProblem) -> Self {
        let refuse = |attribute: String, why: String| Self::new(attribute, Problem::Key { why });
        match problem {
            KeyProblem::None { entity } => Self::new(entity, Problem::Unknown),
            KeyProblem::Absent { field } => Self::new(attribute_of(&field), Problem::Missing),
            KeyProblem::Format { field, problem } => {
                refuse(attribute_of(&field).to_owned(), problem.to_string())
            }
            KeyProblem::Empty { attribute } => refuse(attribute, "it would be empty".to_owned()),
            KeyProblem::TooLong {
                attribute,
                bytes,
                most,
            } => {
                let why = format!("it would have {bytes} bytes; DynamoDB allows {most}");
                refuse(attribute, why)
            }
            KeyProblem::Reserved => {
                let why = "partition keys that begin with `monotable#` are the store's own";
                refuse("key".to_owned(), why.to_owned())
            }
            KeyProblem::ForeignTenant => {
                let why = "it would be the key of another tenant";
                refuse("key".to_owned(), why.to_owned())
            }
        }
    }
}

/// The attribute that a field of a template shows, without its formats.
fn attribute_of(field: &str) -> &str {
    field.split(':').next().unwrap_or(field)
}

/// Refuses a part of a key if one of its texts is empty, or if all of them together are longer than `most` bytes. A part
/// that is too long is told by its first attribute.
pub(super) fn check_lengths<'t>(
    mut texts: impl Iterator<Item = (&'t str, &'t String)>,
    most: usize,
) -> Result<(), KeyProblem> {
    let Some((first, text)) = texts.next() else {
        return Ok(());
    };
    let empty = |attribute: &str| KeyProblem::Empty {
        attribute: attribute.to_owned(),
    };
    if text.is_empty() {
        return Err(empty(first));
    }
    let mut bytes = text.len();
    for (attribute, text) in texts {
        if text.is_empty() {
            return Err(empty(attribute));
        }
        bytes += text.len();
    }
    if bytes > most {
        return Err(KeyProblem::TooLong {
            attribute: first.to_owned(),
            bytes,
            most,
        });
    }
    Ok(())
}
