//! Types of values.

use super::type_names::write_text;
use crate::problem::Problem;
use crate::surface::Surface;
use monotable_model::model::{Attribute, Kind};

/// The integers that programs want as `bigint`.
pub(super) struct BigInts {
    /// Entity and attribute.
    names: Vec<(String, String)>,
}

/// How an integer is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Integers {
    Number,
    BigInt,
}

impl BigInts {
    /// Looks up every `Entity.attribute` that was given.
    pub(super) fn new(surface: &Surface<'_>, given: &[String]) -> Result<Self, Problem> {
        let mut names = Vec::new();
        for text in given {
            let wrong = |reason: String| Problem::NoInteger {
                given: text.clone(),
                reason,
            };
            let (entity, attribute) = text
                .split_once('.')
                .ok_or_else(|| wrong("there is no `.` in it".to_owned()))?;
            let known = surface.entities.iter().find(|known| known.name() == entity);
            let known = known
                .ok_or_else(|| wrong(format!("the model has no entity `{entity}` with rows")))?;
            let declared = known.entity.attribute(attribute);
            let declared = declared
                .ok_or_else(|| wrong(format!("`{entity}` has no attribute `{attribute}`")))?;
            if !matches!(declared.kind, Kind::Integer(_) | Kind::Epoch) {
                return Err(wrong(format!("it is `{}`", declared.kind)));
            }
            names.push((entity.to_owned(), attribute.to_owned()));
        }
        Ok(Self { names })
    }

    pub(super) fn find(&self, entity: &str, attribute: &str) -> Integers {
        let is_named = |known: &&(String, String)| known.0 == entity && known.1 == attribute;
        if self.names.iter().any(|known| is_named(&known)) {
            Integers::BigInt
        } else {
            Integers::Number
        }
    }

    /// As they were given.
    pub(super) fn list(&self) -> Vec<String> {
        let names = self.names.iter();
        names
            .map(|(entity, attribute)| format!("{entity}.{attribute}"))
            .collect()
    }
}

/// The type of a value that is read.
pub(super) fn read_type(kind: &Kind, integers: Integers) -> String {
    match kind {
        Kind::Integer(_) | Kind::Epoch => match integers {
            Integers::Number => "number".to_owned(),
            Integers::BigInt => "bigint".to_owned(),
        },
        Kind::Number(_) => "mt.Decimal".to_owned(),
        Kind::Timestamp(_) => "mt.Timestamp".to_owned(),
        Kind::List { of, .. } => list_type(&read_type(of, Integers::Number)),
        kind => plain_type(kind),
    }
}

/// The type of a value that is given.
pub(super) fn given_type(kind: &Kind, integers: Integers) -> String {
    match kind {
        Kind::Integer(_) | Kind::Epoch => match integers {
            Integers::Number => "number".to_owned(),
            Integers::BigInt => "number | bigint".to_owned(),
        },
        Kind::Number(_) => "mt.Numeric".to_owned(),
        Kind::Timestamp(_) => "mt.Time".to_owned(),
        Kind::List { of, .. } => list_type(&given_type(of, Integers::Number)),
        kind => plain_type(kind),
    }
}

/// The type of a new value in a change: also what is added to a number or put at the end of a list.
pub(super) fn changed_type(kind: &Kind, integers: Integers) -> String {
    let given = given_type(kind, integers);
    match kind {
        Kind::Integer(_) | Kind::Number(_) | Kind::Epoch => format!("{given} | mt.Add"),
        Kind::List { of, .. } => {
            let element = given_type(of, Integers::Number);
            format!("{given} | mt.Append<{element}>")
        }
        _ => given,
    }
}

/// The type of an attribute that is given: what the store hashes may be hashed already.
pub(super) fn given_attribute_type(attribute: &Attribute, integers: Integers) -> String {
    or_hash(attribute, given_type(&attribute.kind, integers))
}

/// The type of an attribute in a change: what the store hashes may be hashed already.
pub(super) fn changed_attribute_type(attribute: &Attribute, integers: Integers) -> String {
    or_hash(attribute, changed_type(&attribute.kind, integers))
}

fn or_hash(attribute: &Attribute, of: String) -> String {
    if attribute.hashed.is_some() {
        format!("{of} | mt.Hash")
    } else {
        of
    }
}

/// The type of an attribute that is read: a secret is shown masked, as text.
pub(super) fn read_attribute_type(attribute: &Attribute, integers: Integers) -> String {
    if attribute.secret.is_some() {
        "string".to_owned()
    } else {
        read_type(&attribute.kind, integers)
    }
}

/// The type of a kind that is read and given alike.
fn plain_type(kind: &Kind) -> String {
    match kind {
        Kind::Text(_)
        | Kind::Url
        | Kind::Json
        | Kind::Uuid
        | Kind::UuidV7
        | Kind::Ulid
        | Kind::Token(_) => "string".to_owned(),
        Kind::Date => "mt.DateOnly".to_owned(),
        Kind::Timestamp(_) => "mt.Timestamp".to_owned(),
        Kind::Boolean => "boolean".to_owned(),
        Kind::Integer(_) | Kind::Epoch => "number".to_owned(),
        Kind::Number(_) => "mt.Decimal".to_owned(),
        Kind::Map | Kind::Any => "mt.Value".to_owned(),
        Kind::Binary => "mt.Bytes".to_owned(),
        Kind::Never => "never".to_owned(),
        Kind::Enum(words) => {
            let words: Vec<_> = words.iter().map(|word| write_text(&word.word)).collect();
            words.join(" | ")
        }
        Kind::List { of, .. } => list_type(&plain_type(of)),
    }
}

/// An array of elements of a type.
pub(super) fn list_type(element: &str) -> String {
    if element.contains(' ') {
        format!("({element})[]")
    } else {
        format!("{element}[]")
    }
}
