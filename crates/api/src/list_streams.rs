//! ListStreams: the streams of one table or of all.

use crate::constraint::{Constraints, Path};
use crate::stream_arn::StreamArn;
use crate::structure::{map_only, structure};
use crate::{Error, Stream, TableName, wording};
use monotable_item::limits;
use serde::{Deserialize, Serialize};

structure! {
    /// A ListStreams request.
    pub struct ListStreamsInput {
        /// The table whose streams are wanted; of all tables without.
        table_name: String,
        /// How many to return at most.
        limit: i64,
        /// The stream to go on after.
        exclusive_start_stream_arn: String,
    }
}

/// A ListStreams answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "PascalCase")]
pub struct ListStreamsOutput {
    /// The streams.
    #[serde(default)]
    pub streams: Vec<Stream>,
    /// The stream to go on after; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_evaluated_stream_arn: Option<String>,
}

map_only!(ListStreamsOutput);

/// A ListStreams request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidListStreams {
    /// The table whose streams are wanted.
    pub table: Option<TableName>,
    /// How many to return at most.
    pub limit: usize,
    /// The stream to go on after; it need not exist.
    pub start: Option<StreamArn>,
}

impl ListStreamsInput {
    /// All streams.
    pub fn new() -> Self {
        Self::default()
    }

    /// Only those of this table.
    pub fn of_table(table: impl Into<String>) -> Self {
        Self {
            table_name: Some(table.into()),
            ..Self::default()
        }
    }

    /// Checks everything that can be judged without the streams.
    pub fn validate(self) -> Result<ValidListStreams, Error> {
        let mut constraints = Constraints::default();
        let name = self.table_name.as_deref();
        let table =
            name.map(|name| TableName::constrain(&mut constraints, Path::Root("tableName"), name));
        let limit = constraints.limit(self.limit);
        if let Some(arn) = &self.exclusive_start_stream_arn {
            StreamArn::constrain(&mut constraints, Path::Root("exclusiveStartStreamArn"), arn);
        }
        constraints.finish(Some(()))?;
        let limit = limit.map_or(limits::MAX_LIST_STREAMS, usize::from);
        if limit > limits::MAX_LIST_STREAMS {
            return Err(Error::validation(wording::STREAM_LIST_LIMIT));
        }
        let start = self.exclusive_start_stream_arn;
        Ok(ValidListStreams {
            table,
            limit,
            start: start.map(|arn| StreamArn::parse(&arn)).transpose()?,
        })
    }
}
