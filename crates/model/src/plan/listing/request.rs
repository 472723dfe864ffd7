//! One request with places for values.

use super::text::PlannedText;
use crate::model::EntityId;
use serde::{Deserialize, Serialize};

/// One request to DynamoDB.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedRequest {
    /// What it is for.
    pub purpose: Purpose,
    /// What is asked.
    pub operation: Operation,
    /// How often.
    pub repeat: Repeat,
    /// `TableName`.
    pub table: String,
    /// `IndexName`.
    pub index: Option<String>,
    /// The key of a GetItem, or keys of a BatchGetItem: attributes and their values.
    pub keys: Vec<Vec<PlannedValue>>,
    /// `KeyConditionExpression`.
    pub key_condition: Option<String>,
    /// The attributes of the `ProjectionExpression`; none if there is no such expression.
    pub projection: Vec<String>,
    /// `ExpressionAttributeNames` of the key condition: placeholder and attribute.
    pub names: Vec<(String, String)>,
    /// `ExpressionAttributeValues`.
    pub values: Vec<PlannedValue>,
    /// `ScanIndexForward` is false.
    pub backwards: bool,
    /// `Limit`, unless the caller gives another one.
    pub limit: Option<usize>,
    /// `ConsistentRead`.
    pub consistent: bool,
    /// What changes if a parameter is left out.
    pub variants: Vec<Variant>,
}

/// An operation of DynamoDB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operation {
    /// One item by its key.
    GetItem,
    /// The items of a partition.
    Query,
    /// Up to a hundred items by their keys; one key alone is a GetItem.
    BatchGetItem,
}

/// What a request is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// The row of a pattern.
    Row(Vec<EntityId>),
    /// Rows of a pattern.
    Rows(Vec<EntityId>),
    /// The row of a pattern where another layout has it.
    OldRow(Vec<EntityId>),
    /// The items that entries of an index stand for.
    Hydrated,
    /// The guard row of a claim.
    Guard(String),
    /// The row of an entity that makes a claim unique.
    UniqueRow(String),
    /// The row that a guard belongs to.
    Owner(EntityId),
    /// The row that a walk begins with.
    Start(EntityId),
    /// Rows that lead from where a walk is to its next rows.
    Links {
        /// What they are.
        entity: EntityId,
        /// The attribute that they lead to.
        end: String,
    },
    /// Links that stand in other layouts.
    OldLinks(EntityId),
    /// Rows that a walk has come to.
    WalkedTo(EntityId),
    /// Rows that a reference names.
    Followed {
        /// What they are.
        entity: EntityId,
        /// The reference.
        attribute: String,
        /// It is a list.
        many: bool,
    },
    /// The folder of a segment of a path.
    Folder(EntityId),
    /// What the last segment of a path names.
    LastSegment(Vec<EntityId>),
    /// A row of a log.
    LogRow(String),
    /// The rows of a snapshot.
    Snapshot(String),
    /// The row whose key is given.
    Pointed,
}

/// What requests do not show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Remark {
    /// `<current: ..>` is the row that a walk begins with, then each row that it comes to.
    Current,
    /// Links of a walk count only if this holds.
    LinksOnlyIf(EntityId, String),
    /// A row of an entity whose id has no guard is looked up by another key.
    Unguarded(EntityId),
    /// No key leads to rows of an entity from what is known here.
    Unreachable(EntityId),
    /// Rows of two snapshots are paired by what names them.
    Paired,
    /// A revision whose id does not tell its time is looked for in the log.
    LogWithoutTime,
}

/// How often a request is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Repeat {
    /// Once, and once more for each further page.
    Once,
    /// Only if an earlier request has found nothing.
    IfNothing {
        /// The number of that request, from 1.
        of: usize,
    },
    /// For each row that earlier requests answered.
    EachRow {
        /// The numbers of these requests, from 1.
        of: Vec<usize>,
    },
    /// For each day of a range, in order.
    EachDay {
        /// The parameter that is the range.
        parameter: String,
    },
    /// For each shard.
    EachShard {
        /// How many there are.
        shards: usize,
    },
    /// For each segment of a path but the last.
    EachSegment,
    /// For each row that a walk has come to.
    EachCurrent,
    /// For each row found, until there are no new ones.
    UntilNothingNew {
        /// The request at which it goes on, from 1.
        from: usize,
    },
}

/// A value of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedValue {
    /// The attribute of a key, or the placeholder: `:pk`.
    pub name: String,
    /// Its type in DynamoDB.
    pub kind: ValueKind,
    /// The value.
    pub text: PlannedText,
}

/// The type of a value of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ValueKind {
    /// `S`
    Text,
    /// `N`
    Number,
}

/// How a request looks if a parameter is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    /// The parameters.
    pub without: Vec<String>,
    /// Its `KeyConditionExpression`.
    pub key_condition: String,
    /// Its values.
    pub values: Vec<PlannedValue>,
}

impl Operation {
    /// As DynamoDB calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::GetItem => "GetItem",
            Self::Query => "Query",
            Self::BatchGetItem => "BatchGetItem",
        }
    }
}

impl ValueKind {
    /// As DynamoDB calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "S",
            Self::Number => "N",
        }
    }

    pub(super) const fn of(is_number: bool) -> Self {
        if is_number { Self::Number } else { Self::Text }
    }
}

impl PlannedValue {
    pub(super) fn new(name: impl Into<String>, kind: ValueKind, text: PlannedText) -> Self {
        Self {
            name: name.into(),
            kind,
            text,
        }
    }

    pub(super) fn text(name: impl Into<String>, text: PlannedText) -> Self {
        Self::new(name, ValueKind::Text, text)
    }
}

impl PlannedRequest {
    /// A request without any options.
    pub(super) fn new(operation: Operation, table: &str, purpose: Purpose) -> Self {
        Self {
            purpose,
            operation,
            repeat: Repeat::Once,
            table: table.to_owned(),
            index: None,
            keys: Vec::new(),
            key_condition: None,
            projection: Vec::new(),
            names: Vec::new(),
            values: Vec::new(),
            backwards: false,
            limit: None,
            consistent: false,
            variants: Vec::new(),
        }
    }
}
