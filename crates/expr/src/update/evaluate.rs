//! The right sides of `SET`s, on the item as it was.

use super::UpdateError;
use crate::part::Part;
use crate::tree::NewValue;
use monotable_item::{AttributeValue, ItemView, Number, ValueView};

/// The value that `value` stands for, given the item before the update.
///
/// Only `if_not_exists` nests in itself without bound, and for that it loops.
pub(super) fn evaluate<'a>(
    value: &'a NewValue,
    item: ItemView<'a>,
) -> Result<Part<'a>, UpdateError> {
    let mut value = value;
    while let NewValue::IfNotExists(path, otherwise) = value {
        match path.resolve(item) {
            Some(found) => return Ok(Part::Stored(found)),
            None => value = otherwise,
        }
    }
    operate(value, item)
}

fn operate<'a>(value: &'a NewValue, item: ItemView<'a>) -> Result<Part<'a>, UpdateError> {
    match value {
        NewValue::Path(path) => path
            .resolve(item)
            .map(Part::Stored)
            .ok_or(UpdateError::MissingAttribute),
        NewValue::Value(value) => Ok(Part::Stored(value.view())),
        NewValue::IfNotExists(..) => evaluate(value, item),
        NewValue::ListAppend(first, second) => {
            let mut list = elements(&evaluate(first, item)?)?;
            list.extend(elements(&evaluate(second, item)?)?);
            Ok(AttributeValue::L(list).into())
        }
        NewValue::Sum(left, right) => {
            let left = number(&evaluate(left, item)?)?;
            let right = number(&evaluate(right, item)?)?;
            sum(left.checked_add(right))
        }
        NewValue::Difference(left, right) => {
            let left = number(&evaluate(left, item)?)?;
            let right = number(&evaluate(right, item)?)?;
            sum(left.checked_sub(right))
        }
    }
}

fn elements(part: &Part<'_>) -> Result<Vec<AttributeValue>, UpdateError> {
    match part.view() {
        ValueView::L(list) => Ok(list.iter().map(|value| value.to_value()).collect()),
        _ => Err(UpdateError::OperandType),
    }
}

fn number(part: &Part<'_>) -> Result<Number, UpdateError> {
    match part.view() {
        ValueView::N(number) => Ok(number.to_number()),
        _ => Err(UpdateError::OperandType),
    }
}

fn sum<'a>(result: Result<Number, monotable_item::NumberError>) -> Result<Part<'a>, UpdateError> {
    result
        .map(|number| AttributeValue::N(number).into())
        .map_err(UpdateError::Number)
}
