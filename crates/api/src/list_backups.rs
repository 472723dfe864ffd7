//! ListBackups: the backups of one table or of all.

use crate::backup_arn::{ARN_CHARS, BackupArn};
use crate::choice::{Chosen, choices};
use crate::constraint::{Constraints, Path};
use crate::structure::{map_only, structure};
use crate::{BackupSummary, BackupType, Error, TableName, Timestamp, wording};
use monotable_item::limits;
use serde::{Deserialize, Serialize};

choices! {
    /// Which backups are wanted.
    pub enum BackupTypeFilter {
        /// Those that requests asked for.
        User = "USER",
        /// Those that the service made.
        System = "SYSTEM",
        /// Those that another service of AWS asked for.
        AwsBackup = "AWS_BACKUP",
        /// All of them.
        All = "ALL",
    }
}

structure! {
    /// A ListBackups request.
    pub struct ListBackupsInput {
        /// The table whose backups are wanted, by name or ARN; of all tables without.
        table_name: String,
        /// How many to return at most.
        limit: i64,
        /// The earliest time of a backup that is wanted.
        time_range_lower_bound: Timestamp,
        /// The time before which backups are wanted.
        time_range_upper_bound: Timestamp,
        /// The backup to go on after.
        exclusive_start_backup_arn: String,
        /// Which backups are wanted; those that requests asked for without.
        backup_type: Chosen<BackupTypeFilter>,
    }
}

/// A ListBackups answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "PascalCase")]
pub struct ListBackupsOutput {
    /// The backups.
    #[serde(default)]
    pub backup_summaries: Vec<BackupSummary>,
    /// The backup to go on after; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_evaluated_backup_arn: Option<String>,
}

map_only!(ListBackupsOutput);

/// A ListBackups request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidListBackups {
    /// The table whose backups are wanted.
    pub table: Option<TableName>,
    /// How many to return at most.
    pub limit: usize,
    /// The earliest time of a backup that is wanted.
    pub from: Option<Timestamp>,
    /// The time before which backups are wanted.
    pub before: Option<Timestamp>,
    /// The backup to go on after; it need not exist.
    pub start: Option<BackupArn>,
    /// Which backups are wanted.
    pub filter: BackupTypeFilter,
}

impl ValidListBackups {
    /// Whether backups of this type are wanted.
    pub fn wants(&self, kind: BackupType) -> bool {
        match self.filter {
            BackupTypeFilter::All => true,
            BackupTypeFilter::User => kind == BackupType::User,
            BackupTypeFilter::System => kind == BackupType::System,
            BackupTypeFilter::AwsBackup => kind == BackupType::AwsBackup,
        }
    }
}

impl ListBackupsInput {
    /// All backups that requests asked for.
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

    /// Those of these types.
    pub fn backup_type(mut self, filter: BackupTypeFilter) -> Self {
        self.backup_type = Some(filter.into());
        self
    }

    /// Checks everything that can be judged without the backups.
    pub fn validate(self) -> Result<ValidListBackups, Error> {
        let mut constraints = Constraints::default();
        let name = self.table_name.as_deref();
        let table =
            name.map(|name| TableName::constrain(&mut constraints, Path::Root("tableName"), name));
        if let Some(limit) = self.limit {
            let range = 1..=limits::MAX_LIST_BACKUPS as i64;
            constraints.range(Path::Root("limit"), limit, range);
        }
        if let Some(arn) = &self.exclusive_start_backup_arn {
            constraints.text_length(Path::Root("exclusiveStartBackupArn"), arn, ARN_CHARS);
        }
        let filter = constraints.choice(Path::Root("backupType"), &self.backup_type);
        constraints.finish(Some(()))?;
        let bounds = self.time_range_lower_bound.zip(self.time_range_upper_bound);
        if bounds.is_some_and(|(lower, upper)| lower > upper) {
            return Err(Error::validation(wording::BACKUP_RANGE_REVERSED));
        }
        let limit = self.limit.and_then(|limit| usize::try_from(limit).ok());
        let start = self.exclusive_start_backup_arn;
        Ok(ValidListBackups {
            table,
            limit: limit.unwrap_or(limits::MAX_LIST_BACKUPS),
            from: self.time_range_lower_bound,
            before: self.time_range_upper_bound,
            start: start.map(|arn| BackupArn::parse(&arn)).transpose()?,
            filter: filter.unwrap_or(BackupTypeFilter::User),
        })
    }
}
