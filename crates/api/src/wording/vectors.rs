//! Words about vector indexes. Those of AWS stand in its developer guide ("Troubleshooting vector indexes"); the others are marked
//! as ours.

use crate::IndexName;
use monotable_item::ValueView;
use monotable_item::limits::MAX_VECTOR_DIMENSIONS;

pub(crate) const SEARCH_SCHEMA_UNDEFINED: &str =
    "One element in SearchSchema is not defined in attribute definitions";
pub(crate) const SEARCH_BY_OTHER_THAN_EQUALITY: &str =
    "Invalid comparator used in SearchConditionExpression";
pub(crate) const TOO_MANY_SEARCH_RESULTS: &str = "Provided TopK value is out of valid range";

// Ours.

pub(crate) const SEARCH_SCHEMA_OF_TWO_HASHES: &str =
    "SearchSchema has two elements of the type HASH: a vector index has at most one partition key";
pub(crate) const TWO_VECTOR_INDEX_ACTIONS: &str =
    "One element of VectorIndexUpdates has Create and Delete: write them as two elements";
pub(crate) const NO_VECTOR_INDEX_ACTION: &str =
    "One element of VectorIndexUpdates has neither Create nor Delete";
pub(crate) const EMPTY_VECTOR_INDEXES: &str =
    "VectorIndexes is empty: leave it out, or list at least one vector index";
pub(crate) const VECTOR_INDEX_OF_PROVISIONED_TABLE: &str =
    "Vector indexes need a table that is paid by use: set BillingMode to PAY_PER_REQUEST";

pub(crate) fn search_schema_names_twice(attribute: &str) -> String {
    format!("SearchSchema names the attribute {attribute} twice")
}

pub(crate) fn too_many_dimensions(index: &IndexName, given: usize) -> String {
    format!(
        "Dimensions of vector index {index} is {given}: a vector has at most {MAX_VECTOR_DIMENSIONS} elements"
    )
}

pub(crate) fn vector_is_key(index: &IndexName, attribute: &str) -> String {
    format!(
        "VectorAttribute {attribute} of vector index {index} is also a key or an element of SearchSchema, which no list can be"
    )
}

pub(crate) fn dimensions_differ(attribute: &str, one: usize, other: usize) -> String {
    format!(
        "Vector indexes on the attribute {attribute} have {one} and {other} dimensions: all indexes on one attribute have the same"
    )
}

pub(crate) fn search_vector_element(place: usize, value: ValueView<'_>) -> String {
    format!(
        "Element {place} of SearchVector is of the type {}: it must be a number that a 32-bit float can hold",
        value.attribute_type()
    )
}

pub(crate) fn search_by_nested_attribute(attribute: &str) -> String {
    format!(
        "SearchConditionExpression looks into the attribute {attribute}: it can only name attributes of SearchSchema themselves"
    )
}

pub(crate) fn search_names_twice(attribute: &str) -> String {
    format!("SearchConditionExpression names the attribute {attribute} twice")
}
