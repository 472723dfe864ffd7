//! Values that are written out: texts, numbers, lists, maps, and bags, which are sets.

use super::parameter;
use crate::partiql::error::{StatementError, StatementProblem};
use crate::partiql::syntax::{Expression, Node};
use monotable_item::limits::MAX_NESTING;
use monotable_item::{
    AttributeValue, EncodedItem, EncodedValue, Item, ItemBuilder, Number, ValueProblem,
    check_attribute_name,
};
use std::collections::BTreeSet;

/// What AWS calls the value itself when it names a place inside.
const ROOT: &str = "root";

/// The item that an INSERT puts: a map whose values may be parameters.
pub(in crate::partiql) fn item(
    expression: &Expression,
    parameters: &[EncodedValue],
) -> Result<EncodedItem, StatementError> {
    let Node::Struct(members) = &expression.node else {
        return Err(StatementProblem::InsertFormat.into());
    };
    let mut names = BTreeSet::new();
    let mut builder = ItemBuilder::new();
    for (name, value) in members {
        let name = member_name(name, ROOT)?;
        if !names.insert(name) {
            return Err(repeated(name, ROOT));
        }
        let value = match &value.node {
            Node::Parameter(position) => parameter(*position, parameters)?,
            _ => literal(value)?,
        };
        builder.push(name, value.view());
    }
    Ok(builder.finish())
}

/// A value that is written out.
pub(super) fn literal(expression: &Expression) -> Result<EncodedValue, StatementError> {
    attribute_value(expression, 0, ROOT).map(EncodedValue::from)
}

fn attribute_value(
    expression: &Expression,
    depth: usize,
    path: &str,
) -> Result<AttributeValue, StatementError> {
    if depth >= MAX_NESTING {
        return Err(StatementProblem::TooDeep { path: path.into() }.into());
    }
    Ok(match &expression.node {
        Node::Text(text) => AttributeValue::S(text.clone()),
        Node::Number(text) => AttributeValue::N(number(text, expression, path)?),
        Node::Bool(value) => AttributeValue::Bool(*value),
        Node::Null => AttributeValue::Null,
        Node::Struct(members) => AttributeValue::M(map(members, depth, path)?),
        Node::List(elements) => {
            let mut values = Vec::with_capacity(elements.len());
            for (index, element) in elements.iter().enumerate() {
                let inside = format!("{path}[{index}]");
                values.push(attribute_value(element, depth + 1, &inside)?);
            }
            AttributeValue::L(values)
        }
        Node::Bag(elements) => set(elements, path)?,
        other => {
            return Err(StatementProblem::DataType {
                name: other.type_name().to_owned(),
                path: path.to_owned(),
            }
            .at(expression.at));
        }
    })
}

fn map(
    members: &[(Expression, Expression)],
    depth: usize,
    path: &str,
) -> Result<Item, StatementError> {
    let mut map = Item::new();
    for (name, value) in members {
        let name = member_name(name, path)?;
        let inside = format!("{path}.{name}");
        let value = attribute_value(value, depth + 1, &inside)?;
        if map.insert(name, value).is_some() {
            return Err(repeated(name, path));
        }
    }
    Ok(map)
}

fn member_name<'e>(name: &'e Expression, path: &str) -> Result<&'e str, StatementError> {
    match &name.node {
        Node::Text(text) if text.is_empty() => Err(StatementProblem::EmptyPathComponent.into()),
        Node::Text(text) => match check_attribute_name(text) {
            Ok(()) => Ok(text),
            Err(problem) => Err(StatementProblem::Value(problem).into()),
        },
        other => Err(StatementProblem::KeyType {
            name: other.type_name().to_owned(),
            path: path.to_owned(),
        }
        .at(name.at)),
    }
}

fn repeated(key: &str, path: &str) -> StatementError {
    StatementProblem::DuplicateKey {
        key: key.to_owned(),
        path: path.to_owned(),
    }
    .into()
}

fn number(text: &str, expression: &Expression, path: &str) -> Result<Number, StatementError> {
    let path = path.to_owned();
    let number: Number = text.parse().map_err(|error| StatementProblem::Number {
        error,
        path: path.clone(),
    })?;
    let is_decimal = text.contains(['.', 'e', 'E']);
    if number.is_zero() && is_decimal && text.starts_with('-') {
        return Err(StatementProblem::NegativeZero { path }.at(expression.at));
    }
    Ok(number)
}

/// The set that a bag is: of what its first element is.
fn set(elements: &[Expression], path: &str) -> Result<AttributeValue, StatementError> {
    let first = elements.first().ok_or(StatementProblem::EmptyBag)?;
    match &first.node {
        Node::Text(_) => string_set(elements),
        Node::Number(_) => number_set(elements, path),
        _ => Err(StatementProblem::BagElement.at(first.at)),
    }
}

fn string_set(elements: &[Expression]) -> Result<AttributeValue, StatementError> {
    let mut texts = Vec::with_capacity(elements.len());
    for element in elements {
        match &element.node {
            Node::Text(text) => texts.push(text.clone()),
            _ => return Err(StatementProblem::BagElement.at(element.at)),
        }
    }
    let set: BTreeSet<String> = texts.iter().cloned().collect();
    if set.len() < texts.len() {
        return Err(StatementProblem::Value(ValueProblem::DuplicateStrings(texts)).into());
    }
    Ok(AttributeValue::Ss(set))
}

fn number_set(elements: &[Expression], path: &str) -> Result<AttributeValue, StatementError> {
    let mut texts = Vec::with_capacity(elements.len());
    let mut set = BTreeSet::new();
    for element in elements {
        let Node::Number(text) = &element.node else {
            return Err(StatementProblem::BagElement.into());
        };
        set.insert(number(text, element, path)?);
        texts.push(text.clone());
    }
    if set.len() < texts.len() {
        return Err(StatementProblem::DuplicateNumbers {
            numbers: texts,
            path: path.to_owned(),
        }
        .into());
    }
    Ok(AttributeValue::Ns(set))
}
