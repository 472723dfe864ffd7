//! AWS's words for what this crate refuses, and for the errors that the engine raises most.
//!
//! Programs compare these sentences, so they are a contract: the odd ones are AWS's own. Where two
//! operations say the same thing differently, both sentences are here. Sentences about a single
//! member are in `constraint`, those about values in `monotable_item`, those about expressions in
//! `monotable_expr`.

use crate::error::{CancellationReason, Codes};
use crate::expression_values::BrokenValue;
use crate::key_schema::ValidKeySchema;
use crate::select::ProjectionParameter;
use crate::{IndexName, ProjectionType};
use monotable_item::ValueProblem;

/// Starts most sentences about the relation of one member to another.
macro_rules! invalid {
    ($words:literal) => {
        concat!("One or more parameter values were invalid: ", $words)
    };
}

mod backups;
mod legacy;
mod operations;
mod resources;
mod statements;
mod streams;
mod vectors;

pub(crate) use backups::*;
pub(crate) use legacy::*;
pub(crate) use operations::*;
pub(crate) use resources::*;
pub(crate) use statements::*;
pub(crate) use streams::*;
pub(crate) use vectors::*;

// Conditions and transactions.

pub(crate) const CONDITION_FAILED: &str = "The conditional request failed";
pub(crate) const TRANSACTION_CONFLICT: &str = "Transaction is ongoing for the item";
/// An action with none of the four members; AWS leaves the condition check out of the list.
pub(crate) const NO_TRANSACT_ACTION: &str =
    "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request";
pub(crate) const TWO_TRANSACT_ACTIONS: &str =
    "TransactItems can only contain one of Check, Put, Update or Delete";

pub(crate) fn transaction_cancelled(reasons: &[CancellationReason]) -> String {
    format!(
        "Transaction cancelled, please refer cancellation reasons for specific reasons [{}]",
        Codes(reasons)
    )
}

// Items.

pub(crate) const ITEM_TOO_LARGE: &str = "Item size has exceeded the maximum allowed size";
pub(crate) const RETURN_VALUES_OLD_ONLY: &str = "ReturnValues can only be ALL_OLD or NONE";

pub(crate) fn invalid_start_key(problem: &ValueProblem) -> String {
    format!("The provided starting key is invalid: {problem}")
}

// Expressions and what stands beside them.

pub(crate) const NAMES_WITHOUT_EXPRESSION: &str =
    "ExpressionAttributeNames can only be specified when using expressions";
/// One of AWS's constraints on members; the names, up to 64 KB each, are not repeated.
pub(crate) const LONG_NAME: &str = "1 validation error detected: Value at 'expressionAttributeNames' failed to satisfy \
     constraint: Map value must satisfy constraint: [Member must have length less than or equal to 65535, \
     Member must have length greater than or equal to 0]";
pub(crate) const EMPTY_NAMES: &str = "ExpressionAttributeNames must not be empty";
pub(crate) const EMPTY_VALUES: &str = "ExpressionAttributeValues must not be empty";
pub(crate) const NO_KEY_CONDITION: &str = "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.";

pub(crate) fn values_without_expression(parameters: &[&str]) -> String {
    let are = if parameters.len() == 1 { "is" } else { "are" };
    format!(
        "ExpressionAttributeValues can only be specified when using expressions: {} {are} null",
        parameters.join(" and ")
    )
}

pub(crate) fn invalid_value(broken: &BrokenValue) -> String {
    let BrokenValue {
        placeholder,
        problem,
    } = broken;
    format!("ExpressionAttributeValues contains invalid value: {problem} for key {placeholder}")
}

/// Ours: AWS would carry the request out.
pub(crate) fn unsupported_parameters(parameters: &[&str]) -> String {
    format!("Unsupported input parameter: {{{}}}", parameters.join(", "))
}

// Query and Scan.

/// `parameter` says which attributes to get, `choice` is what `Select` says. Recorded by moto (2026) for
/// both parameters.
pub(crate) fn projection_with(parameter: ProjectionParameter, choice: &str) -> String {
    let parameter = match parameter {
        ProjectionParameter::AttributesToGet => "AttributesToGet",
        ProjectionParameter::ProjectionExpression => "ProjectionExpression",
    };
    format!("Cannot specify the {parameter} when choosing to get {choice}")
}

pub(crate) const SPECIFIC_WITHOUT_PROJECTION: &str = "Must specify the AttributesToGet or \
     ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES";
/// Scan says Querying, too.
pub(crate) const ALL_PROJECTED_WITHOUT_INDEX: &str =
    "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName";
pub(crate) const SEGMENT_WITHOUT_TOTAL: &str = "The TotalSegments parameter is required but was \
     not present in the request when Segment parameter is present";
pub(crate) const TOTAL_WITHOUT_SEGMENT: &str = "The Segment parameter is required but was not \
     present in the request when parameter TotalSegments is present";

pub(crate) fn segment_out_of_range(segment: i64, total: i64) -> String {
    format!(
        "The Segment parameter is zero-based and must be less than parameter TotalSegments: \
         Segment: {segment} is not less than TotalSegments: {total}"
    )
}

/// The wrapping that Query gives some rules that other operations state bare.
pub(crate) fn one_detected(rule: &str) -> String {
    format!("1 validation error detected: {rule}")
}

// Batches.

pub(crate) const EMPTY_BATCH_GET: &str = "The requestItems parameter is required for BatchGetItem";
pub(crate) const EMPTY_BATCH_WRITE: &str =
    "The requestItems parameter is required for BatchWriteItem";
pub(crate) const BATCH_GET_TOO_LONG: &str = "Too many items requested for the BatchGetItem call";
pub(crate) const BATCH_WRITE_TOO_LONG: &str =
    "Too many items requested for the BatchWriteItem call";
pub(crate) const DUPLICATE_TABLES: &str = "Provided list of table names contains duplicates";
/// A constraint, but one that only these maps have.
pub(crate) const TABLE_NAME_KEYS: &str = "Map keys must satisfy constraint: \
     [Member must have length less than or equal to 255, \
     Member must have length greater than or equal to 3, \
     Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]";
pub(crate) const BATCH_WRITE_LENGTHS: &str = "Map value must satisfy constraint: \
     [Member must have length less than or equal to 25, \
     Member must have length greater than or equal to 1]";

// Tables: keys.

pub(crate) const TABLE_NAME_REQUIRED: &str =
    "The parameter 'TableName' is required but was not present in the request";
pub(crate) const KEY_WITHOUT_DEFINITION: &str =
    "Invalid KeySchema: Some index key attribute have no definition";
pub(crate) const FIRST_KEY_NOT_HASH: &str =
    "Invalid KeySchema: The first KeySchemaElement is not a HASH key type";
pub(crate) const SECOND_KEY_NOT_RANGE: &str =
    "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type";
pub(crate) const SAME_HASH_AND_RANGE: &str =
    "Both the Hash Key and the Range Key element in the KeySchema have the same name";
// Keys of several attributes: as dynoxide 3.2 recorded them in October 2026.
pub(crate) const REPEATED_KEY_ATTRIBUTE: &str =
    "The KeySchema contains multiple key attributes with the same name";
pub(crate) const HASH_AFTER_RANGE: &str =
    invalid!("All HASH key attributes must precede RANGE key attributes in the KeySchema");
pub(crate) const TOO_MANY_HASH_ATTRIBUTES: &str =
    invalid!("The KeySchema exceeds the maximum allowed number of HASH key attributes");
pub(crate) const TOO_MANY_RANGE_ATTRIBUTES: &str =
    invalid!("The KeySchema exceeds the maximum allowed number of RANGE key attributes");
pub(crate) const DEFINITIONS_UNLIKE_KEY: &str = invalid!(
    "Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions"
);

pub(crate) fn duplicate_attribute(name: &str) -> String {
    format!("Attribute Name is duplicated: {name}")
}

pub(crate) fn undefined_key(keys: &[&str], definitions: &[&str]) -> String {
    format!(
        invalid!(
            "Some index key attributes are not defined in AttributeDefinitions. Keys: [{}], AttributeDefinitions: [{}]"
        ),
        keys.join(", "),
        definitions.join(", ")
    )
}

pub(crate) fn unused_definitions(definitions: &[&str], keys: &[&str]) -> String {
    format!(
        invalid!(
            "Some AttributeDefinitions are not used. AttributeDefinitions: [{}], keys used: [{}]"
        ),
        definitions.join(", "),
        keys.join(", ")
    )
}

// Tables: indexes.

pub(crate) const EMPTY_LOCAL_INDEXES: &str = invalid!("List of LocalSecondaryIndexes is empty");
pub(crate) const EMPTY_GLOBAL_INDEXES: &str = invalid!("List of GlobalSecondaryIndexes is empty");
pub(crate) const EMPTY_INDEX_UPDATES: &str =
    invalid!("List of GlobalSecondaryIndexUpdates is empty");
pub(crate) const LOCAL_INDEX_NEEDS_RANGE: &str = invalid!(
    "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex"
);
pub(crate) const TOO_MANY_LOCAL_INDEXES: &str =
    invalid!("Number of LocalSecondaryIndexes exceeds per-table limit of 5");
pub(crate) const TOO_MANY_GLOBAL_INDEXES: &str =
    invalid!("GlobalSecondaryIndex count exceeds the per-table limit of 20");
/// Ours: AWS's sentence is not known.
pub(crate) const TOO_MANY_PROJECTED: &str =
    invalid!("Number of NonKeyAttributes of all indexes exceeds the per-table limit of 100");
pub(crate) const UNKNOWN_PROJECTION_TYPE: &str = invalid!("Unknown ProjectionType: null");
pub(crate) const INCLUDES_NOTHING: &str =
    invalid!("ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
pub(crate) const NO_INDEX_ACTION: &str = invalid!(
    "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null"
);
pub(crate) const TWO_INDEX_ACTIONS: &str = invalid!(
    "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object"
);

pub(crate) fn includes_needlessly(kind: ProjectionType) -> String {
    format!(
        invalid!("ProjectionType is {}, but NonKeyAttributes is specified"),
        kind
    )
}

pub(crate) fn duplicate_non_key_attribute(name: &str) -> String {
    format!(invalid!("Duplicate element in NonKeyAttributes: {}"), name)
}

pub(crate) fn duplicate_index(name: &IndexName) -> String {
    format!(invalid!("Duplicate index name: {}"), name)
}

pub(crate) fn local_index_without_range(name: &IndexName) -> String {
    format!(
        invalid!("Index KeySchema does not have a range key for index: {}"),
        name
    )
}

pub(crate) fn local_index_of_other_hash(
    name: &IndexName,
    index: &ValidKeySchema,
    table: &ValidKeySchema,
) -> String {
    let hash = |key: &ValidKeySchema| {
        let names: Vec<_> = key
            .hash
            .iter()
            .map(|attribute| attribute.name.clone())
            .collect();
        names.join(", ")
    };
    format!(
        invalid!(
            "Index KeySchema does not have the same leading hash key as table KeySchema for index: {}. index hash key: {}, table hash key: {}"
        ),
        name,
        hash(index),
        hash(table)
    )
}

pub(crate) fn index_updated_twice(name: &IndexName) -> String {
    format!(
        invalid!(
            "Only one global secondary index update per index is allowed simultaneously. Index: {}"
        ),
        name
    )
}

pub(crate) fn index_without_definitions(name: &IndexName) -> String {
    format!(
        invalid!("AttributeDefinitions is not specified for index: {}"),
        name
    )
}

// Tables: billing.

pub(crate) const UNITS_WHEN_ON_DEMAND: &str = invalid!(
    "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"
);
/// CreateTable's; UpdateTable has the next one.
pub(crate) const UNITS_REQUIRED_WHEN_PROVISIONED: &str = invalid!(
    "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"
);
pub(crate) const UNITS_REQUIRED_FOR_UPDATE: &str =
    invalid!("ProvisionedThroughput must be specified when BillingMode is PROVISIONED");

pub(crate) fn units_out_of_bounds(units: i64, member: &str) -> String {
    format!("Given value {units} for {member} is out of bounds")
}

pub(crate) fn index_units_when_on_demand(name: &IndexName) -> String {
    format!(
        invalid!(
            "ProvisionedThroughput should not be specified for index: {} when BillingMode is PAY_PER_REQUEST"
        ),
        name
    )
}

pub(crate) fn index_without_units(name: &IndexName) -> String {
    format!(
        invalid!("ProvisionedThroughput is not specified for index: {}"),
        name
    )
}

/// `of` is empty for a table and `for index : NAME` for an index.
pub(crate) fn on_demand_when_provisioned(member: &str, of: &str) -> String {
    let space = if of.is_empty() { "" } else { " " };
    format!(
        invalid!(
            "{} for OnDemandThroughput{}{} cannot be specified when the table BillingMode is PROVISIONED"
        ),
        member, space, of
    )
}

/// A table that is made has another sentence than one that is changed. Source: answers of AWS of July 2026 that
/// github.com/nubo-db/dynoxide, issue 159, tells of.
pub(crate) fn on_demand_of_new_table(member: &str) -> String {
    format!(
        invalid!(
            "{} for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED."
        ),
        member
    )
}

/// `of` is `for table` or `for index : NAME`, and empty when a table is restored.
pub(crate) fn on_demand_out_of_range(member: &str, of: &str) -> String {
    let space = if of.is_empty() { "" } else { " " };
    format!(
        invalid!("Requested {} for OnDemandThroughput{}{} is outside of valid range"),
        member, space, of
    )
}

// Tables: streams. A table that is created and one that is changed have different sentences.

pub(crate) const NEW_STREAM_WITHOUT_VIEW: &str =
    invalid!("Table is being created with a stream enabled, UpdateViewType is required");
pub(crate) const NO_NEW_STREAM_WITH_VIEW: &str = invalid!(
    "Table is being created with a stream disabled, UpdateViewType should not be specified"
);
pub(crate) const STREAM_WITHOUT_VIEW: &str =
    invalid!("If stream is being enabled then UpdateViewType is required");
pub(crate) const NO_STREAM_WITH_VIEW: &str =
    invalid!("If stream is being disabled, then UpdateViewType must not be specified");

// Tables: settings, and what may be changed together.

pub(crate) const UNKNOWN_TABLE_CLASS: &str = "Invalid table-class parameter provided. Please try \
     again with a valid table-class value: [STANDARD, STANDARD_INFREQUENT_ACCESS].";
pub(crate) const KEY_OWNER_WHEN_DISABLED: &str =
    invalid!("SSEType can not be specified if Enabled is false");
pub(crate) const KEY_WHEN_DISABLED: &str =
    invalid!("KMSMasterKeyId can not be specified if Enabled is false");
pub(crate) const KEY_WITHOUT_OWNER: &str =
    invalid!("SSEType KMS is required if KMSMasterKeyId is specified");
pub(crate) const AES256_NOT_SUPPORTED: &str = invalid!("SSEType AES256 is not supported");
pub(crate) const NOTHING_TO_UPDATE: &str = "At least one of ProvisionedThroughput, BillingMode, \
     UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, \
     MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, \
     DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required";
pub(crate) const ENCRYPTION_NOT_ALONE: &str =
    invalid!("Server-Side Encryption modification must be the only operation in the request");
pub(crate) const TABLE_CLASS_NOT_ALONE: &str =
    invalid!("TableClass modification must be the only operation in the request");
pub(crate) const DELETION_PROTECTION_NOT_ALONE: &str =
    invalid!("DeletionProtection modification must be the only operation in the request");
pub(crate) const WARM_THROUGHPUT_NOT_ALONE: &str =
    invalid!("WarmThroughput must be the only operation in the request");
pub(crate) const ON_DEMAND_NOT_ALONE: &str =
    invalid!("OnDemandThroughput can only be combined with BillingMode in an UpdateTable request");
pub(crate) const STREAM_WITH_THROUGHPUT: &str =
    invalid!("You cannot modify stream status while updating table IOPS");
pub(crate) const INDEX_WITH_THROUGHPUT: &str =
    invalid!("You cannot create or delete index while updating table IOPS");
pub(crate) const INDEX_WITH_STREAM: &str =
    invalid!("You cannot create or delete index while changing stream status");
