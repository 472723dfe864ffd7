//! One thing that a request does, as policies see it.

use crate::key::PartitionPart;
use std::collections::BTreeSet;

/// An action on a resource, with what conditions can ask about it. A request is allowed if all of its accesses are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// The action without its service: `GetItem`.
    pub action: &'static str,
    /// The ARN of the resource.
    pub resource: String,
    /// The values of the partition key, one list for each of its attributes; empty where no partition is named.
    pub partitions: Vec<Vec<String>>,
    /// The attributes that the request names.
    pub attributes: BTreeSet<String>,
    /// `Select`, with the default filled in.
    pub select: Option<&'static str>,
    /// `ReturnValues`, if the request says so.
    pub return_values: Option<&'static str>,
    /// `ReturnConsumedCapacity`, if the request says so.
    pub return_consumed_capacity: Option<&'static str>,
    /// Whether a SELECT reads all of a table or index.
    pub full_table_scan: Option<bool>,
    /// The transaction that the access is part of.
    pub enclosing_operation: Option<&'static str>,
}

impl Access {
    /// The values of an attribute of the partition key.
    pub(crate) fn partition_values(&self, part: PartitionPart) -> &[String] {
        let values = self.partitions.get(part.position());
        values.map_or(&[], Vec::as_slice)
    }
}
