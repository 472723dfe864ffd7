//! AWS's words about indexes that are added and removed.

use super::INVALID;
use crate::ops::KeyElement;
use monotable_api::Error;
use std::fmt;

/// A read of an index that does not have all items yet, as many users of AWS have reported it.
pub(crate) fn index_is_filled(name: impl fmt::Display) -> Error {
    Error::validation(format_args!(
        "Cannot read from backfilling global secondary index: {name}"
    ))
}

/// Recorded by dynalite.
pub(crate) fn one_index_at_a_time() -> Error {
    Error::LimitExceededException {
        message: "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table".into(),
    }
}

pub(crate) fn index_exists() -> Error {
    Error::validation("Attempting to create an index which already exists")
}

pub(super) const STILL_IN_USE: &str = "Attempt to change a resource which is still in use:";

/// The two spaces are AWS's (measured by fakecloud, August 2026).
pub(crate) fn index_is_created(table: &str, index: &str) -> Error {
    Error::in_use(format_args!(
        "{STILL_IN_USE} Index is being created.  Table: {table} Index: {index}"
    ))
}

/// DeleteTable, as users of AWS have reported it (cdkd, August 2026).
pub(crate) fn indexes_are_changing() -> Error {
    Error::in_use(format_args!(
        "{STILL_IN_USE} Cannot delete table while indexes are being created, updated, or deleted."
    ))
}

/// The words are those of CreateTable, the exception is UpdateTable's own.
pub(crate) fn too_many_indexes() -> Error {
    Error::LimitExceededException {
        message: format!("{INVALID} GlobalSecondaryIndex count exceeds the per-table limit of 20"),
    }
}

pub(crate) fn index_needs_units(index: &str) -> Error {
    Error::validation(format_args!(
        "{INVALID} ProvisionedThroughput must be specified for index: {index}"
    ))
}

pub(crate) fn index_refuses_units(index: &str) -> Error {
    Error::validation(format_args!(
        "{INVALID} Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: {index} when BillingMode is PAY_PER_REQUEST"
    ))
}

/// A key attribute that has another type already (recorded by the tests of Scylla's Alternator).
pub(crate) fn attribute_redefined(old: &KeyElement<'_>, new: &KeyElement<'_>) -> Error {
    let show = |element: &KeyElement<'_>| {
        let (attribute, role) = (element.attribute, element.role);
        let kind = attribute.kind.attribute_type();
        format!(
            "Schema:[SchemaElement: key{{{}:{kind}:{role}}}]",
            attribute.name
        )
    };
    Error::validation(format_args!(
        "{INVALID} Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. Existing schema: {} New schema: {}",
        show(old),
        show(new)
    ))
}

pub(crate) fn local_index_stays(index: &str) -> Error {
    Error::validation(format_args!(
        "Cannot delete an index that is not a GlobalSecondaryIndex: {index}"
    ))
}

pub(crate) fn index_not_found(name: &str) -> Error {
    Error::not_found(format_args!(
        "Requested resource not found: Index: {name} not found"
    ))
}
