//! DescribeKinesisStreamingDestination: where changes of a table are copied to. Here they are copied nowhere.

use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, TableName};

structure! {
    /// A DescribeKinesisStreamingDestination request.
    pub struct DescribeKinesisStreamingDestinationInput {
        /// The table, by name or ARN.
        table_name: String,
    }

    /// A DescribeKinesisStreamingDestination answer.
    pub struct DescribeKinesisStreamingDestinationOutput {
        /// The table.
        table_name: String,
        /// The destinations.
        kinesis_data_stream_destinations: Vec<KinesisDataStreamDestination>,
    }

    /// A stream of Kinesis.
    pub struct KinesisDataStreamDestination {
        /// The stream.
        stream_arn: String,
        /// Whether changes are copied there.
        destination_status: String,
        /// In words.
        destination_status_description: String,
        /// How exact times are.
        approximate_creation_date_time_precision: String,
    }
}

/// A DescribeKinesisStreamingDestination request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidDescribeKinesisStreamingDestination {
    /// The table.
    pub table: TableName,
}

impl DescribeKinesisStreamingDestinationInput {
    /// Of this table.
    pub fn new(table: impl Into<String>) -> Self {
        Self {
            table_name: Some(table.into()),
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidDescribeKinesisStreamingDestination, Error> {
        let mut constraints = Constraints::default();
        let table = TableName::require(&mut constraints, Path::Root("tableName"), &self.table_name);
        Ok(ValidDescribeKinesisStreamingDestination {
            table: constraints.finish(table)?,
        })
    }
}
