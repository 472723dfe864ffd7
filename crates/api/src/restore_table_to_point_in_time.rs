//! RestoreTableToPointInTime: makes a table of what another one was.

use crate::billing::{BillingMode, OnDemandThroughput, ProvisionedThroughput};
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::encryption::SseSpecification;
use crate::restore_overrides::{RestoreOverrides, ValidRestoreOverrides};
use crate::secondary_index::{GlobalSecondaryIndex, LocalSecondaryIndex};
use crate::structure::structure;
use crate::vector_index::VectorIndex;
use crate::{Error, TableDescription, TableName, Timestamp, wording};

structure! {
    /// A RestoreTableToPointInTime request.
    pub struct RestoreTableToPointInTimeInput {
        /// The table to restore, by ARN.
        source_table_arn: String,
        /// The table to restore, by name.
        source_table_name: String,
        /// The name of the new table.
        target_table_name: String,
        /// Restores the table as it is now.
        use_latest_restorable_time: bool,
        /// The point in time.
        restore_date_time: Timestamp,
        /// How the new table is paid for.
        billing_mode_override: Chosen<BillingMode>,
        /// The global secondary indexes that it keeps; all of them without.
        global_secondary_index_override: Vec<GlobalSecondaryIndex>,
        /// The local secondary indexes that it keeps; all of them without.
        local_secondary_index_override: Vec<LocalSecondaryIndex>,
        /// Its units per second.
        provisioned_throughput_override: ProvisionedThroughput,
        /// The most it may use when it is paid by use.
        on_demand_throughput_override: OnDemandThroughput,
        /// How it is encrypted.
        #[serde(rename = "SSESpecificationOverride")]
        sse_specification_override: SseSpecification,
        /// The vector indexes that it keeps; all of them without.
        vector_index_override: Vec<VectorIndex>,
    }

    /// A RestoreTableToPointInTime answer.
    pub struct RestoreTableToPointInTimeOutput {
        /// The table, as it is being filled.
        table_description: TableDescription,
    }
}

/// A RestoreTableToPointInTime request, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidRestoreTableToPointInTime {
    /// The table to restore.
    pub source: TableName,
    /// The name of the new table.
    pub target: TableName,
    /// The point in time.
    pub point: RestorePoint,
    /// What the new table has other than the old one.
    pub overrides: ValidRestoreOverrides,
}

/// The point in time to which a table is restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestorePoint {
    /// As it is when the request is carried out.
    Latest,
    /// As it was then.
    At(Timestamp),
}

impl RestoreTableToPointInTimeInput {
    /// Makes a table `target` of what `source` is now.
    pub fn latest(source: impl Into<String>, target: impl Into<String>) -> Self {
        Self {
            use_latest_restorable_time: Some(true),
            ..Self::new(source, target)
        }
    }

    /// Makes a table `target` of what `source` was at this time.
    pub fn at(source: impl Into<String>, target: impl Into<String>, time: Timestamp) -> Self {
        Self {
            restore_date_time: Some(time),
            ..Self::new(source, target)
        }
    }

    fn new(source: impl Into<String>, target: impl Into<String>) -> Self {
        Self {
            source_table_name: Some(source.into()),
            target_table_name: Some(target.into()),
            ..Self::default()
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidRestoreTableToPointInTime, Error> {
        let overrides = RestoreOverrides {
            billing_mode: self.billing_mode_override,
            global_indexes: self.global_secondary_index_override,
            local_indexes: self.local_secondary_index_override,
            vector_indexes: self.vector_index_override,
            throughput: self.provisioned_throughput_override,
            on_demand: self.on_demand_throughput_override,
            encryption: self.sse_specification_override,
        };
        let mut constraints = Constraints::default();
        let path = Path::Root("targetTableName");
        let target = TableName::require_plain(&mut constraints, path, &self.target_table_name);
        if let Some(arn) = &self.source_table_arn {
            constraints.text_length(Path::Root("sourceTableArn"), arn, 1..=1024);
        }
        let path = Path::Root("sourceTableName");
        if self.source_table_name.is_some() {
            TableName::require_plain(&mut constraints, path, &self.source_table_name);
        }
        let names = overrides.constrain(&mut constraints);
        let target = constraints.finish(target)?;
        let source = match (&self.source_table_name, &self.source_table_arn) {
            (Some(_), Some(_)) => Err(Error::validation(wording::TWO_RESTORE_SOURCES)),
            (None, None) => Err(Error::validation(wording::NO_RESTORE_SOURCE)),
            (Some(name), None) => TableName::parse(name),
            (None, Some(arn)) => TableName::parse_arn(arn)
                .ok_or_else(|| Error::validation(wording::INVALID_SOURCE_ARN)),
        }?;
        let latest = self.use_latest_restorable_time.unwrap_or_default();
        let point = match (latest, self.restore_date_time) {
            (true, Some(_)) => Err(Error::validation(wording::TWO_RESTORE_TIMES)),
            (false, None) => Err(Error::validation(wording::NO_RESTORE_TIME)),
            (true, None) => Ok(RestorePoint::Latest),
            (false, Some(time)) => Ok(RestorePoint::At(time)),
        }?;
        Ok(ValidRestoreTableToPointInTime {
            source,
            target,
            point,
            overrides: overrides.checked(names)?,
        })
    }
}
