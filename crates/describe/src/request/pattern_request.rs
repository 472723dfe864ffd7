//! One request.

use std::fmt;

/// One request to DynamoDB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternRequest {
    /// What it is for, in a sentence.
    pub purpose: String,
    /// What is asked.
    pub operation: Operation,
    /// How often.
    pub repeat: Repeat,
    /// `TableName`.
    pub table: String,
    /// `IndexName`.
    pub index: Option<String>,
    /// `Key` of a GetItem, or one of the keys of a BatchGetItem: attributes and their values.
    pub key: Vec<RequestValue>,
    /// `KeyConditionExpression`.
    pub key_condition: Option<String>,
    /// `FilterExpression`.
    pub filter: Option<String>,
    /// `ProjectionExpression`.
    pub projection: Option<String>,
    /// `ExpressionAttributeNames`: placeholder and attribute.
    pub names: Vec<(String, String)>,
    /// `ExpressionAttributeValues`.
    pub values: Vec<RequestValue>,
    /// `ScanIndexForward`, if it is false.
    pub backwards: bool,
    /// `Limit`.
    pub limit: Option<usize>,
    /// `ConsistentRead`.
    pub consistent: bool,
    /// What changes if a parameter is left out.
    pub variants: Vec<Variant>,
}

/// An operation of DynamoDB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// One item by its key.
    GetItem,
    /// The items of a partition.
    Query,
    /// Up to a hundred items by their keys.
    BatchGetItem,
}

/// How often a request is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// Once, and once more for each further page.
    Once,
    /// For each row that an earlier request answered.
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
    /// For each row found, until there are no new ones.
    UntilNothingNew {
        /// The request at which it goes on, from 1.
        from: usize,
    },
}

/// A value of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestValue {
    /// The attribute of a key, or the placeholder: `:pk`.
    pub name: String,
    /// Its type in DynamoDB.
    pub kind: ValueKind,
    /// The value, with places for parameters and for what was read.
    pub text: String,
}

/// The type of a value in DynamoDB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// `S`
    Text,
    /// `N`
    Number,
    /// `BOOL`
    Boolean,
}

/// How a request looks if a parameter is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The parameter.
    pub without: String,
    /// Its `KeyConditionExpression`.
    pub key_condition: String,
    /// Its values of the key condition.
    pub values: Vec<RequestValue>,
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
            Self::Boolean => "BOOL",
        }
    }
}

impl RequestValue {
    /// A text.
    pub(super) fn text(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            kind: ValueKind::Text,
            text: text.into(),
        }
    }
}

impl PatternRequest {
    /// A request without any options.
    pub(super) fn new(operation: Operation, table: &str, purpose: impl Into<String>) -> Self {
        Self {
            purpose: purpose.into(),
            operation,
            repeat: Repeat::Once,
            table: table.to_owned(),
            index: None,
            key: Vec::new(),
            key_condition: None,
            filter: None,
            projection: None,
            names: Vec::new(),
            values: Vec::new(),
            backwards: false,
            limit: None,
            consistent: false,
            variants: Vec::new(),
        }
    }
}

impl fmt::Display for Repeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Once => f.write_str("once"),
            Self::EachRow { of } => {
                let numbers: Vec<_> = of.iter().map(ToString::to_string).collect();
                let requests = if of.len() == 1 { "request" } else { "requests" };
                write!(f, "for each row of {requests} {}", numbers.join(", "))
            }
            Self::EachDay { parameter } => write!(
                f,
                "for each day from `{parameter}.from` to `{parameter}.to`, in the order asked for"
            ),
            Self::EachShard { shards } => write!(f, "for each of {shards} shards"),
            Self::EachSegment => f.write_str("for each segment of the path but the last"),
            Self::UntilNothingNew { from } => write!(
                f,
                "for each new row; then again from request {from}, until nothing new is found"
            ),
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "without {}: {}", self.without, self.key_condition)?;
        for value in &self.values {
            write!(f, ", {} = {}", value.name, value.text)?;
        }
        Ok(())
    }
}

impl fmt::Display for PatternRequest {
    /// The operation and its input in DynamoDB's JSON.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.operation.name(), self.json())
    }
}
