//! Vectors of items: read from lists of numbers, and compared.

use crate::catalog::VectorDefinition;
use monotable_api::VectorDistanceFunction;
use monotable_item::{AttributeType, ItemView, ValueView};
use std::cmp::Ordering;

/// What is wrong with the attribute that should have a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VectorProblem {
    /// It is no list.
    Type(AttributeType),
    /// It has another number of elements.
    Length(usize),
    /// An element is not a number that a 32-bit float can hold.
    Element(usize),
}

/// The vector of an item, as exact as AWS keeps it; none if the item has none.
pub(crate) fn read(
    definition: &VectorDefinition,
    item: ItemView<'_>,
) -> Result<Option<Vec<f32>>, VectorProblem> {
    let Some(value) = item.get(&definition.attribute) else {
        return Ok(None);
    };
    let ValueView::L(list) = value else {
        return Err(VectorProblem::Type(value.attribute_type()));
    };
    let mut vector = Vec::with_capacity(definition.dimensions);
    for (place, element) in list.iter().enumerate() {
        vector.push(element.to_f32().ok_or(VectorProblem::Element(place))?);
    }
    if vector.len() == definition.dimensions {
        Ok(Some(vector))
    } else {
        Err(VectorProblem::Length(vector.len()))
    }
}

/// How near two vectors are, in the measure of the function. A vector without a direction has the cosine 0 with all others.
pub(crate) fn score(function: VectorDistanceFunction, one: &[f32], other: &[f32]) -> f64 {
    let pairs = || {
        let pairs = one.iter().zip(other);
        pairs.map(|(one, other)| (f64::from(*one), f64::from(*other)))
    };
    let product: f64 = pairs().map(|(one, other)| one * other).sum();
    match function {
        VectorDistanceFunction::DotProduct => product,
        VectorDistanceFunction::Euclidean => {
            let squares = pairs().map(|(one, other)| (one - other) * (one - other));
            squares.sum::<f64>().sqrt()
        }
        VectorDistanceFunction::Cosine => {
            let square = |vector: &[f32]| -> f64 {
                let elements = vector.iter().map(|element| f64::from(*element));
                elements.map(|element| element * element).sum()
            };
            let length = (square(one) * square(other)).sqrt();
            let cosine = if length > 0.0 { product / length } else { 0.0 };
            1.0 - cosine.clamp(-1.0, 1.0)
        }
    }
}

/// The order in which items are found: the nearest first.
pub(crate) fn order(function: VectorDistanceFunction, one: f64, other: f64) -> Ordering {
    match function {
        VectorDistanceFunction::DotProduct => other.total_cmp(&one),
        VectorDistanceFunction::Cosine | VectorDistanceFunction::Euclidean => one.total_cmp(&other),
    }
}
