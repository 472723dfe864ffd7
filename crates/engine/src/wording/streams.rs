//! AWS's words about streams.

use monotable_api::Error;

/// UpdateTable with a stream for a table that has one, with the same view too (recorded on AWS, October 2026, in the notes
/// of a controller for Kubernetes).
pub(crate) fn stream_is_enabled(table: &str) -> Error {
    Error::validation(format_args!(
        "Table already has an enabled stream: TableName: {table}"
    ))
}

/// UpdateTable without a stream for a table that has none (recorded as the one before).
pub(crate) fn no_stream_to_disable(table: &str) -> Error {
    Error::validation(format_args!(
        "Table has no stream to disable: TableName: {table}"
    ))
}

pub(crate) fn stream_not_found(arn: &str) -> Error {
    Error::not_found(format_args!(
        "Requested resource not found: Stream: {arn} not found"
    ))
}

/// The form is that of AWS's other resources; its own words for a shard are not public.
pub(crate) fn shard_not_found(shard: &str) -> Error {
    Error::not_found(format_args!(
        "Requested resource not found: Shard: {shard} not found"
    ))
}

/// DynamoDB Local's words, whose validation is Amazon's own code; so are the following two.
pub(crate) fn shard_of_iterator_gone() -> Error {
    Error::not_found("Invalid ShardId in ShardIterator")
}

pub(crate) fn invalid_iterator() -> Error {
    Error::validation("Invalid ShardIterator")
}

pub(crate) fn sequence_not_in_shard() -> Error {
    Error::validation("Invalid SequenceNumber for the shard")
}

/// As a user of AWS reported it (ironSource/node-dynamodb-stream, issue 13).
pub(crate) fn records_trimmed() -> Error {
    Error::TrimmedDataAccessException {
        message: "The data you are trying to access has been trimmed".into(),
    }
}

/// The sentence of AWS's service description.
pub(crate) fn iterator_expired() -> Error {
    Error::ExpiredIteratorException {
        message: "The provided iterator exceeds the maximum age allowed.".into(),
    }
}
