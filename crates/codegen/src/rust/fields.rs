//! Structs whose fields become attributes of an item.

use super::comment::write_comment;
use super::field_name;
use super::value::{Place, argument_type, attribute_type, from_argument, value_type};
use crate::problem::{Problem, Scope};
use crate::prose::tell_attribute;
use crate::surface::{GivenAttribute, KeyAttribute};
use monotable_model::model::Entity;

/// A field of a struct that becomes an item.
pub(super) struct ItemField {
    /// The attribute's name in the model.
    pub(super) attribute: String,
    /// The field's name.
    pub(super) name: String,
    /// The type of its value.
    pub(super) of: String,
    pub(super) is_required: bool,
    pub(super) comment: String,
}

impl ItemField {
    /// A field of a key.
    pub(super) fn of_key(key: &KeyAttribute<'_>, place: Place<'_>) -> Self {
        let of = key.kind.map_or_else(
            || "String".to_owned(),
            |kind| value_type(key.name, kind, place),
        );
        Self {
            attribute: key.name.to_owned(),
            name: field_name(key.name),
            of,
            is_required: !key.may_be_absent,
            comment: format!("`{}`", key.name),
        }
    }

    /// A field of what is given.
    pub(super) fn of_given(entity: &Entity, given: &GivenAttribute<'_>, place: Place<'_>) -> Self {
        let attribute = given.attribute;
        let name = &attribute.name.value;
        let remarks = tell_attribute(entity, attribute);
        let comment = if remarks.is_empty() {
            format!("`{name}`")
        } else {
            format!("`{name}`: {}", remarks.join("; "))
        };
        Self {
            attribute: name.clone(),
            name: field_name(name),
            of: attribute_type(attribute, place),
            is_required: given.is_required,
            comment,
        }
    }
}

/// A struct of fields with `new`, which takes what is required, and its conversion to an item. `rest` is a field for
/// attributes that have no field of their own.
pub(super) fn write_item_struct(
    indent: &str,
    name: &str,
    about: &str,
    fields: &[ItemField],
    rest: Option<&str>,
) -> Result<String, Problem> {
    let mut scope = Scope::default();
    for field in fields {
        scope.take(&field.name, &field.attribute)?;
    }
    if rest.is_some() {
        scope.take("rest", "what the model does not declare")?;
    }
    let inner = format!("{indent}    ");
    let mut text = format!("\n{indent}/// {about}\n");
    text.push_str(&format!(
        "{indent}#[derive(Clone, Debug, PartialEq)]\n{indent}pub struct {name} {{\n"
    ));
    for field in fields {
        text.push_str(&write_comment(
            &inner,
            "///",
            std::slice::from_ref(&field.comment),
        ));
        let of = if field.is_required {
            field.of.clone()
        } else {
            format!("Option<{}>", field.of)
        };
        text.push_str(&format!("{inner}pub {}: {of},\n", field.name));
    }
    if let Some(rest) = rest {
        text.push_str(&format!("{inner}/// {rest}\n{inner}pub rest: mt::Item,\n"));
    }
    text.push_str(&format!("{indent}}}\n\n"));
    text.push_str(&write_new(indent, name, fields, rest.is_some()));
    text.push_str(&write_conversion(indent, name, fields, rest.is_some()));
    Ok(text)
}

fn write_new(indent: &str, name: &str, fields: &[ItemField], has_rest: bool) -> String {
    let required: Vec<_> = fields.iter().filter(|field| field.is_required).collect();
    let arguments: Vec<_> = required
        .iter()
        .map(|field| format!("{}: {}", field.name, argument_type(&field.of)))
        .collect();
    let mut text = format!("{indent}impl {name} {{\n{indent}    /// With what is required.\n");
    text.push_str(&format!(
        "{indent}    pub fn new({}) -> Self {{\n{indent}        Self {{\n",
        arguments.join(", ")
    ));
    for field in fields {
        let value = if field.is_required {
            from_argument(&field.of, &field.name)
        } else {
            "None".to_owned()
        };
        text.push_str(&format!("{indent}            {}: {value},\n", field.name));
    }
    if has_rest {
        text.push_str(&format!("{indent}            rest: mt::Item::new(),\n"));
    }
    text.push_str(&format!(
        "{indent}        }}\n{indent}    }}\n{indent}}}\n\n"
    ));
    text
}

fn write_conversion(indent: &str, name: &str, fields: &[ItemField], has_rest: bool) -> String {
    let begin = if has_rest {
        "given.rest"
    } else {
        "mt::Item::new()"
    };
    let is_changed = if fields.is_empty() { "" } else { "mut " };
    let given = if fields.is_empty() && !has_rest {
        "_"
    } else {
        "given"
    };
    let mut text = format!(
        "{indent}impl From<{name}> for mt::Item {{\n\
         {indent}    fn from({given}: {name}) -> Self {{\n\
         {indent}        let {is_changed}item = {begin};\n"
    );
    for field in fields {
        let put = if field.is_required {
            "put"
        } else {
            "put_optional"
        };
        text.push_str(&format!(
            "{indent}        mt::{put}(&mut item, {:?}, given.{});\n",
            field.attribute, field.name
        ));
    }
    text.push_str(&format!(
        "{indent}        item\n{indent}    }}\n{indent}}}\n"
    ));
    text
}
