//! Types of values.

use super::words::word_type;
use monotable_model::model::{Attribute, Kind};

/// Where a type is written: in the module of the entity, or elsewhere, where words need their module.
#[derive(Clone, Copy)]
pub(super) enum Place<'p> {
    Inside,
    Outside(&'p str),
}

/// The type of an attribute's value.
pub(super) fn attribute_type(attribute: &Attribute, place: Place<'_>) -> String {
    if attribute.secret.is_some() {
        return "String".to_owned();
    }
    value_type(&attribute.name.value, &attribute.kind, place)
}

/// The type of a value; its words are named after the attribute.
pub(super) fn value_type(name: &str, kind: &Kind, place: Place<'_>) -> String {
    match kind {
        Kind::Text(_)
        | Kind::Date
        | Kind::Timestamp(_)
        | Kind::Url
        | Kind::Json
        | Kind::Uuid
        | Kind::UuidV7
        | Kind::Ulid
        | Kind::Token(_)
        | Kind::Never => "String".to_owned(),
        Kind::Integer(_) | Kind::Epoch => "i64".to_owned(),
        Kind::Number(_) => "mt::Number".to_owned(),
        Kind::Boolean => "bool".to_owned(),
        Kind::Map => "mt::Item".to_owned(),
        Kind::Any => "mt::AttributeValue".to_owned(),
        Kind::Binary => "mt::Bytes".to_owned(),
        Kind::Enum(_) => match place {
            Place::Inside => word_type(name),
            Place::Outside(module) => format!("super::{module}::{}", word_type(name)),
        },
        Kind::List { of, .. } => format!("Vec<{}>", value_type(name, of, place)),
    }
}

/// The type of an argument, and what makes a value of it: texts are taken in every form.
pub(super) fn argument_type(of: &str) -> String {
    match of {
        "String" | "mt::Number" | "mt::AttributeValue" => format!("impl Into<{of}>"),
        of => of.to_owned(),
    }
}

/// The expression that makes a value of an argument.
pub(super) fn from_argument(of: &str, name: &str) -> String {
    match of {
        "String" | "mt::Number" | "mt::AttributeValue" => format!("{name}.into()"),
        _ => name.to_owned(),
    }
}
