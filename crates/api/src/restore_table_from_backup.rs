//! RestoreTableFromBackup: makes a table of a backup.

use crate::backup_arn::BackupArn;
use crate::billing::{BillingMode, OnDemandThroughput, ProvisionedThroughput};
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::encryption::SseSpecification;
use crate::restore_overrides::{RestoreOverrides, ValidRestoreOverrides};
use crate::secondary_index::{GlobalSecondaryIndex, LocalSecondaryIndex};
use crate::structure::structure;
use crate::vector_index::VectorIndex;
use crate::{Error, TableDescription, TableName};

structure! {
    /// A RestoreTableFromBackup request.
    pub struct RestoreTableFromBackupInput {
        /// The name of the new table.
        target_table_name: String,
        /// The backup.
        backup_arn: String,
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

    /// A RestoreTableFromBackup answer.
    pub struct RestoreTableFromBackupOutput {
        /// The table, as it is being filled.
        table_description: TableDescription,
    }
}

/// A RestoreTableFromBackup request, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidRestoreTableFromBackup {
    /// The name of the new table.
    pub target: TableName,
    /// The backup.
    pub backup: BackupArn,
    /// What the new table has other than the table of the backup.
    pub overrides: ValidRestoreOverrides,
}

impl RestoreTableFromBackupInput {
    /// Makes a table with this name of this backup.
    pub fn new(target: impl Into<String>, backup_arn: impl Into<String>) -> Self {
        Self {
            target_table_name: Some(target.into()),
            backup_arn: Some(backup_arn.into()),
            ..Self::default()
        }
    }

    /// Checks everything that can be judged without the backup.
    pub fn validate(self) -> Result<ValidRestoreTableFromBackup, Error> {
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
        let backup = BackupArn::require(&mut constraints, &self.backup_arn);
        let names = overrides.constrain(&mut constraints);
        let (target, backup) = constraints.finish(target.zip(backup))?;
        Ok(ValidRestoreTableFromBackup {
            target,
            backup: BackupArn::parse(backup)?,
            overrides: overrides.checked(names)?,
        })
    }
}
