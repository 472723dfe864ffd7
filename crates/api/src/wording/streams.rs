//! AWS's words about requests for streams. Those with a source are DynamoDB Local's, whose validation is
//! Amazon's own code; the others are marked as ours.

use crate::ShardIteratorType;

/// A text that is no stream's ARN (AWS SDK for JavaScript, integration test of `describeStream`).
pub(crate) const INVALID_STREAM_ARN: &str = "Invalid StreamArn";

/// ListStreams (DynamoDB Local).
pub(crate) const STREAM_LIST_LIMIT: &str =
    invalid!("Limit cannot be greater than the maximum allowed size: 100");

/// DescribeStream (DynamoDB Local).
pub(crate) const SHARD_LIST_LIMIT: &str = invalid!("Limit cannot be greater than the maximum: 100");

/// GetRecords (DynamoDB Local).
pub(crate) const RECORDS_LIMIT: &str = invalid!("Limit should be less than or equal to 1000");

/// Ours.
pub(crate) const SHARD_FILTER_WITHOUT_SHARD: &str =
    invalid!("ShardFilter.ShardId is required for the ShardFilter type CHILD_SHARDS");

/// Ours.
pub(crate) const SHARD_FILTER_WITHOUT_TYPE: &str =
    invalid!("ShardFilter.Type is required when ShardFilter.ShardId is specified");

/// Ours: DynamoDB Local refuses the same, in words that are not public.
pub(crate) fn iterator_needs(member: &str, kind: ShardIteratorType) -> String {
    format!(
        "One or more parameter values were invalid: {member} is required for ShardIteratorType {kind}"
    )
}

/// Ours: DynamoDB Local refuses the same, in words that are not public.
pub(crate) fn iterator_refuses(member: &str, kind: ShardIteratorType) -> String {
    format!(
        "One or more parameter values were invalid: {member} must not be specified for ShardIteratorType {kind}"
    )
}
