//! Words about vector indexes. Those of AWS stand in its developer guide ("Troubleshooting vector indexes"); the others are marked
//! as ours.

use crate::catalog::VectorDefinition;
use crate::vector::VectorProblem;
use monotable_api::Error;
use std::fmt;

pub(crate) fn search_without_condition() -> Error {
    Error::validation("SearchConditionExpression must be provided when SearchSchema has a HASH key")
}

/// The beginning of AWS's sentence; its end is made after that about global indexes.
pub(crate) fn vector_index_is_filled(name: impl fmt::Display) -> Error {
    Error::validation(format_args!(
        "Cannot search backfilling vector index: {name}"
    ))
}

// Ours.

pub(crate) fn vector_index_is_searched(name: impl fmt::Display) -> Error {
    Error::validation(format_args!(
        "{name} is a vector index, which supports neither Query nor Scan nor PartiQL: use SearchVectors"
    ))
}

pub(crate) fn index_has_no_vectors(name: impl fmt::Display) -> Error {
    Error::validation(format_args!(
        "{name} is not a vector index: read it with Query or Scan"
    ))
}

pub(crate) fn search_of_other_dimensions(index: &str, wanted: usize, given: usize) -> Error {
    Error::validation(format_args!(
        "SearchVector has {given} elements: vectors of index {index} have {wanted}"
    ))
}

pub(crate) fn search_by_other_attribute(index: &str, attribute: &str) -> Error {
    Error::validation(format_args!(
        "SearchConditionExpression names the attribute {attribute}, which is not in the SearchSchema of vector index {index}"
    ))
}

pub(crate) fn vector_index_of_provisioned_table() -> Error {
    Error::validation(
        "Vector indexes need a table that is paid by use: set BillingMode to PAY_PER_REQUEST",
    )
}

pub(crate) fn search_attribute_redefined(attribute: &str) -> Error {
    Error::validation(format_args!(
        "SearchSchema gives the attribute {attribute} another type than a key or a SearchSchema of the table has for it"
    ))
}

pub(crate) fn vector_attribute_is_key(attribute: &str) -> Error {
    Error::validation(format_args!(
        "VectorAttribute {attribute} is a key or an element of a SearchSchema of the table, which no list can be"
    ))
}

pub(crate) fn vector_dimensions_differ(attribute: &str, known: usize, given: usize) -> Error {
    Error::validation(format_args!(
        "Vector indexes on the attribute {attribute} have {known} dimensions, and the new one {given}: all indexes on one attribute have the same"
    ))
}

pub(crate) fn wrong_vector(
    index: &str,
    definition: &VectorDefinition,
    problem: VectorProblem,
) -> Error {
    let VectorDefinition {
        attribute,
        dimensions,
        ..
    } = definition;
    let what = match problem {
        VectorProblem::Type(kind) => format!("is of the type {kind}"),
        VectorProblem::Length(length) => format!("has {length} elements"),
        VectorProblem::Element(place) => {
            format!("has an element {place} that is not a number of 32-bit floats")
        }
    };
    Error::validation(format_args!(
        "One or more parameter values were invalid: Invalid type for parameter {attribute}: it {what}, and vector index {index} wants a list of {dimensions} numbers"
    ))
}
