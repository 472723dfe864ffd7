//! AWS's words for what can only be judged with the table at hand. `monotable_api` has the others.

mod indexes;
mod resources;
mod streams;
mod vectors;

pub(crate) use indexes::*;
pub(crate) use resources::*;
pub(crate) use streams::*;
pub(crate) use vectors::*;

use crate::store::StoreFault;
use monotable_api::{Error, FilterParameter};
use std::fmt;

mod backups;

pub(crate) use backups::*;

const INVALID: &str = "One or more parameter values were invalid:";
const NOT_VALID: &str = "One or more parameter values are not valid.";

/// The table of an item operation does not exist.
pub(crate) fn table_not_found() -> Error {
    Error::not_found("Requested resource not found")
}

/// The table of a table operation does not exist.
pub(crate) fn named_table_not_found(name: &str) -> Error {
    Error::not_found(format_args!(
        "Requested resource not found: Table: {name} not found"
    ))
}

pub(crate) fn table_exists(name: &str) -> Error {
    Error::ResourceInUseException {
        message: format!("Table already exists: {name}"),
    }
}

pub(crate) fn table_is_protected() -> Error {
    Error::validation(
        "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.",
    )
}

/// UpdateTimeToLive that changes nothing.
pub(crate) fn time_to_live_is(enabled: bool) -> Error {
    let state = if enabled { "enabled" } else { "disabled" };
    Error::validation(format_args!("TimeToLive is already {state}"))
}

/// UpdateTimeToLive with another attribute than the one that is in force.
pub(crate) fn other_time_to_live(attribute: &str) -> Error {
    Error::validation(format_args!(
        "TimeToLive is active on a different AttributeName: current AttributeName is {attribute}"
    ))
}

pub(crate) fn internal(fault: &StoreFault) -> Error {
    Error::InternalServerError {
        message: fault.to_string(),
    }
}

pub(crate) fn missing_key(name: &str) -> Error {
    Error::validation(format_args!("{INVALID} Missing the key {name} in the item"))
}

pub(crate) fn wrong_key_type(
    name: &str,
    expected: impl fmt::Display,
    actual: impl fmt::Display,
) -> Error {
    Error::validation(format_args!(
        "{INVALID} Type mismatch for key {name} expected: {expected} actual: {actual}"
    ))
}

pub(crate) fn wrong_index_key_type(
    name: &str,
    expected: impl fmt::Display,
    actual: impl fmt::Display,
    index: &str,
) -> Error {
    Error::validation(format_args!(
        "{INVALID} Type mismatch for Index Key {name} Expected: {expected} Actual: {actual} IndexName: {index}"
    ))
}

pub(crate) fn empty_key(name: &str, kind: &str) -> Error {
    Error::validation(format_args!(
        "{NOT_VALID} The AttributeValue for a key attribute cannot contain an empty {kind} value. Key: {name}"
    ))
}

pub(crate) fn empty_index_key(name: &str, kind: &str, index: &str) -> Error {
    Error::validation(format_args!(
        "{NOT_VALID} A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty {kind} value. IndexName: {index}, IndexKey: {name}"
    ))
}

pub(crate) fn updates_index_key_to_wrong_type() -> Error {
    Error::validation(
        "The update expression attempted to update the secondary index key to unsupported type",
    )
}

pub(crate) fn updates_index_key_to_empty(kind: &str) -> Error {
    Error::validation(format_args!(
        "{NOT_VALID} The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty {kind} value."
    ))
}

/// The missing space is AWS's.
pub(crate) fn long_hash_key() -> Error {
    Error::validation(format_args!(
        "{INVALID} Size of hashkey has exceeded the maximum size limit of2048 bytes"
    ))
}

pub(crate) fn long_range_key() -> Error {
    Error::validation(format_args!(
        "{INVALID} Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
    ))
}

pub(crate) fn key_mismatch() -> Error {
    Error::validation("The provided key element does not match the schema")
}

pub(crate) fn updates_key(name: &str) -> Error {
    Error::validation(format_args!(
        "{INVALID} Cannot update attribute {name}. This attribute is part of the key"
    ))
}

pub(crate) fn item_too_large() -> Error {
    Error::validation("Item size has exceeded the maximum allowed size")
}

pub(crate) fn updated_item_too_large() -> Error {
    Error::validation("Item size to update has exceeded the maximum allowed size")
}

pub(crate) fn condition_failed(item: Option<monotable_item::EncodedItem>) -> Error {
    Error::ConditionalCheckFailedException {
        message: CONDITION_FAILED.into(),
        item,
    }
}

pub(crate) const CONDITION_FAILED: &str = "The conditional request failed";
pub(crate) const CONFLICT: &str = "Transaction is ongoing for the item";

pub(crate) fn transaction_conflict() -> Error {
    Error::TransactionConflictException {
        message: CONFLICT.into(),
    }
}

pub(crate) fn token_taken() -> Error {
    Error::IdempotentParameterMismatchException {
        message: "The request uses the same client token as a previous, but non-identical request. Do not reuse a client token with different requests, unless the requests are identical".into(),
    }
}

pub(crate) fn same_item_twice() -> Error {
    Error::validation("Transaction request cannot include multiple operations on one item")
}

/// What a transaction writes.
pub(crate) fn transaction_request_too_large() -> Error {
    Error::validation("Transaction request size cannot exceed 4 MB")
}

/// What a transaction reads.
pub(crate) fn transaction_too_large() -> Error {
    Error::validation(
        "Item sizes in the transaction request exceed the maximum allowed aggregate size of 4 MB",
    )
}

pub(crate) fn duplicate_keys() -> Error {
    Error::validation("Provided list of item keys contains duplicates")
}

pub(crate) fn no_such_index(name: impl fmt::Display) -> Error {
    Error::validation(format_args!(
        "The table does not have the specified index: {name}"
    ))
}

pub(crate) fn consistent_read_of_global_index() -> Error {
    Error::validation("Consistent reads are not supported on global secondary indexes")
}

pub(crate) fn start_key_invalid() -> Error {
    Error::validation("The provided starting key is invalid")
}

/// A query that finds at most one item cannot be continued.
pub(crate) fn start_key_of_single_item() -> Error {
    Error::validation("The provided exclusive start key is invalid")
}

pub(crate) fn start_key_invalid_because(error: &Error) -> Error {
    Error::validation(format_args!(
        "The provided starting key is invalid: {}",
        error.message()
    ))
}

pub(crate) fn start_key_outside_query() -> Error {
    Error::validation(
        "The provided starting key is outside query boundaries based on provided conditions",
    )
}

pub(crate) fn start_key_outside_range() -> Error {
    Error::validation("The provided starting key does not match the range key predicate")
}

pub(crate) fn start_key_of_other_segment(segment: u32, total: u32) -> Error {
    Error::validation(format_args!(
        "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: {total} Segment: {segment}"
    ))
}

pub(crate) fn filter_on_key(name: &str, parameter: FilterParameter) -> Error {
    let parameter = match parameter {
        FilterParameter::Expression => "Filter Expression",
        FilterParameter::QueryFilter => "QueryFilter",
    };
    Error::validation(format_args!(
        "{parameter} can only contain non-primary key attributes: Primary key attribute: {name}"
    ))
}

pub(crate) fn condition_type_mismatch() -> Error {
    Error::validation(format_args!(
        "{INVALID} Condition parameter type does not match schema type"
    ))
}

pub(crate) fn all_attributes_of_global_index(name: &str) -> Error {
    Error::validation(format_args!(
        "{INVALID} Select type ALL_ATTRIBUTES is not supported for global secondary index {name} because its projection type is not ALL"
    ))
}

pub(crate) fn not_projected(index: &str, attribute: &str) -> Error {
    Error::validation(format_args!(
        "{INVALID} Global secondary index {index} does not project [{attribute}]"
    ))
}

/// PartiQL has no name in this sentence where Query has one.
pub(crate) fn statement_without_index() -> Error {
    Error::validation("The table does not have the specified index")
}

/// The sentence names tables, but AWS says it of indexes.
pub(crate) fn statement_on_several_key_attributes() -> Error {
    Error::validation(
        "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.",
    )
}

pub(crate) fn strongly_consistent_statement_on_global_index() -> Error {
    Error::validation("Strongly consistent read is not supported on Global Secondary Indexes")
}

/// Of global and local indexes alike.
pub(crate) fn filter_not_projected(index: &str, attributes: &[String]) -> Error {
    Error::validation(format_args!(
        "{INVALID} Secondary index {index} does not project one or more filter attributes: [{}]",
        attributes.join(", ")
    ))
}

pub(crate) const DUPLICATE_ITEM: &str = "Duplicate primary key exists in table";

pub(crate) fn duplicate_item() -> Error {
    Error::DuplicateItemException {
        message: DUPLICATE_ITEM.into(),
    }
}

pub(crate) fn next_token_invalid() -> Error {
    Error::validation("Invalid NextToken")
}

pub(crate) fn next_token_of_other_statement() -> Error {
    Error::validation("NextToken does not match request")
}

/// No table is global. DescribeTableReplicaAutoScaling says so with another code than the two below.
pub(crate) fn no_replicas(name: &str) -> Error {
    Error::not_found(format_args!(
        "Global table with name: '{name}' does not exist."
    ))
}

pub(crate) fn no_global_table(name: &str) -> Error {
    Error::GlobalTableNotFoundException {
        message: format!(
            "Global table not found: Global table with name: '{name}' does not exist."
        ),
    }
}

pub(crate) fn no_global_table_settings(name: &str) -> Error {
    Error::GlobalTableNotFoundException {
        message: format!("Global table with name: '{name}' does not exist."),
    }
}

pub(crate) fn index_not_found_for_table(index: &str, table: &str) -> Error {
    Error::not_found(format_args!(
        "Requested resource not found: Index: {index} not found for table: {table}"
    ))
}

/// Ours: AWS has CloudWatch.
pub(crate) fn no_insights() -> Error {
    Error::validation(
        "Monotable makes no contributor insights: they are rules of CloudWatch. Look at /metrics of the server, or leave them disabled",
    )
}

/// The table of an operation on tags does not exist.
pub(crate) fn resource_not_found(table: &monotable_api::TableName) -> Error {
    Error::not_found(format_args!(
        "Requested resource not found: ResourceArn: {} not found",
        table.given()
    ))
}

pub(crate) fn policy_not_found(arn: &str) -> Error {
    Error::PolicyNotFoundException {
        message: format!("{NO_POLICY}: {arn}"),
    }
}

const NO_POLICY: &str = "Resource-based policy not found for the provided ResourceArn";

/// As moto verified them of AWS: a policy where none was expected, and another one than was expected.
pub(crate) fn policy_exists(table: &str, revision: &str) -> Error {
    Error::PolicyNotFoundException {
        message: format!(
            "{NO_POLICY}: Requested policy update expecting none to be present for table {table}, but a policy exists with revision id {revision}."
        ),
    }
}

pub(crate) fn other_policy_revision(table: &str, expected: &str, revision: &str) -> Error {
    Error::PolicyNotFoundException {
        message: format!(
            "{NO_POLICY}: Requested update for policy with revision id {expected}, but the policy associated to target table {table} has revision id {revision}."
        ),
    }
}

/// Made after the sentence before.
pub(crate) fn no_policy_revision(table: &str, expected: &str) -> Error {
    Error::PolicyNotFoundException {
        message: format!(
            "{NO_POLICY}: Requested update for policy with revision id {expected}, but no policy is associated to target table {table}."
        ),
    }
}

/// The committer answers every action; this is for the answer that never comes.
pub(crate) fn no_outcome() -> Error {
    Error::InternalServerError {
        message: "the write has no outcome".into(),
    }
}

pub(crate) fn units_of_on_demand_table() -> Error {
    Error::validation(format_args!(
        "{INVALID} Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"
    ))
}

pub(crate) fn same_units(
    definition: &crate::catalog::TableDefinition,
    units: monotable_api::Throughput,
) -> Error {
    Error::validation(format_args!(
        "The provisioned throughput for the table will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the table: {}. Requested ReadCapacityUnits: {}. Current WriteCapacityUnits provisioned for the table: {}. Requested WriteCapacityUnits: {}. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
        definition.billing.provisioned.map_or(0, |now| now.read),
        units.read,
        definition.billing.provisioned.map_or(0, |now| now.write),
        units.write,
    ))
}

pub(crate) fn key_is_scalar(kind: &str, name: &str) -> Error {
    Error::validation(format_args!(
        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: {kind}: {name}"
    ))
}
