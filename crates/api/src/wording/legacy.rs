//! Words about legacy parameters.
//!
//! Sources: dynalite 4.0.0 for the sentences on conditions, `Expected`, updates and `AttributesToGet`; the
//! recordings of ExtendDB (2026) for those on mixing and `ConditionalOperator`. That `Expected` is held
//! against the same rules about types as filters is recorded in the tests of ScyllaDB's Alternator. AWS's
//! newer framework begins the sentences on `Expected` with "1 validation error detected: " (recorded by
//! floci in 2026); here they are as before, like the constraints.

use crate::ComparisonOperator;
use monotable_item::AttributeType;

pub(crate) const OPERATOR_WITHOUT_CONDITIONS: &str =
    "ConditionalOperator cannot be used without Filter or Expected";
pub(crate) const OPERATOR_OF_ONE_CONDITION: &str =
    "ConditionalOperator can only be used when Filter or Expected has two or more elements";
pub(crate) const KEY_CONDITIONS_LENGTH: &str = "Conditions can be of length 1 or 2 only";
pub(crate) const VALUES_OF_TWO_TYPES: &str =
    invalid!("AttributeValues inside AttributeValueList must be of same type");
pub(crate) const BOUNDS_OUT_OF_ORDER: &str = "The BETWEEN condition was provided a range where the \
     lower bound is greater than the upper bound";
pub(crate) const UPDATE_WITHOUT_VALUE: &str =
    invalid!("Only DELETE action is allowed when no attribute value is specified");

pub(crate) fn legacy_beside_expressions(legacy: &[&str], expressions: &[&str]) -> String {
    format!(
        "Can not use both expression and non-expression parameters in the same request: \
         Non-expression parameters: {{{}}} Expression parameters: {{{}}}",
        legacy.join(", "),
        expressions.join(", ")
    )
}

pub(crate) fn wrong_number_of_arguments(operator: ComparisonOperator) -> String {
    format!(
        invalid!("Invalid number of argument(s) for the {} ComparisonOperator"),
        operator
    )
}

pub(crate) fn comparison_of_type(operator: ComparisonOperator, kind: AttributeType) -> String {
    format!(
        invalid!("ComparisonOperator {} is not valid for {} AttributeValue type"),
        operator, kind
    )
}

pub(crate) fn value_and_list(attribute: &str) -> String {
    format!(
        invalid!("Value and AttributeValueList cannot be used together for Attribute: {}"),
        attribute
    )
}

pub(crate) fn exists_and_comparison(attribute: &str) -> String {
    format!(
        invalid!("Exists and ComparisonOperator cannot be used together for Attribute: {}"),
        attribute
    )
}

pub(crate) fn comparison_without_value(operator: ComparisonOperator, attribute: &str) -> String {
    format!(
        invalid!(
            "Value or AttributeValueList must be used with ComparisonOperator: {} for Attribute: {}"
        ),
        operator, attribute
    )
}

pub(crate) fn list_without_comparison(attribute: &str) -> String {
    format!(
        invalid!("AttributeValueList can only be used with a ComparisonOperator for Attribute: {}"),
        attribute
    )
}

pub(crate) fn exists_without_value(exists: Option<bool>, attribute: &str) -> String {
    let exists = exists.map_or_else(|| "null".to_owned(), |exists| exists.to_string());
    format!(
        invalid!("Value must be provided when Exists is {} for Attribute: {}"),
        exists, attribute
    )
}

pub(crate) fn absent_with_value(attribute: &str) -> String {
    format!(
        invalid!("Value cannot be used when Exists is false for Attribute: {}"),
        attribute
    )
}

pub(crate) fn add_of_type(kind: AttributeType) -> String {
    format!(
        invalid!("ADD action is not supported for the type {}"),
        kind
    )
}

pub(crate) fn delete_of_type(kind: AttributeType) -> String {
    format!(
        invalid!("DELETE action with value is not supported for the type {}"),
        kind
    )
}

pub(crate) fn attribute_twice(name: &str) -> String {
    format!(invalid!("Duplicate value in attribute name: {}"), name)
}
