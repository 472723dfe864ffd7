//! UpdateContinuousBackups: whether a table can be restored to any point of the last days.

use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{ContinuousBackupsDescription, Error, TableName, wording};
use monotable_item::limits;

structure! {
    /// An UpdateContinuousBackups request.
    pub struct UpdateContinuousBackupsInput {
        /// The table, by name or ARN.
        table_name: String,
        /// What is wanted.
        point_in_time_recovery_specification: PointInTimeRecoverySpecification,
    }

    /// Whether a table can be restored to any point of the last days.
    pub struct PointInTimeRecoverySpecification {
        /// Whether it can.
        point_in_time_recovery_enabled: bool,
        /// How many days back: 35 without.
        recovery_period_in_days: i64,
    }

    /// An UpdateContinuousBackups answer.
    pub struct UpdateContinuousBackupsOutput {
        /// How it is now.
        continuous_backups_description: ContinuousBackupsDescription,
    }
}

/// An UpdateContinuousBackups request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidUpdateContinuousBackups {
    /// The table.
    pub table: TableName,
    /// What becomes of its point-in-time recovery.
    pub change: RecoveryChange,
}

/// What becomes of a table's point-in-time recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecoveryChange {
    /// It is on, this many days back; as many as before if none is said.
    Enable(Option<u32>),
    /// It is off.
    Disable,
}

impl UpdateContinuousBackupsInput {
    /// Lets this table be restored to any point of the last 35 days.
    pub fn enable(table: impl Into<String>) -> Self {
        Self::new(table, true)
    }

    /// Forgets what could be restored.
    pub fn disable(table: impl Into<String>) -> Self {
        Self::new(table, false)
    }

    fn new(table: impl Into<String>, enabled: bool) -> Self {
        Self {
            table_name: Some(table.into()),
            point_in_time_recovery_specification: Some(PointInTimeRecoverySpecification {
                point_in_time_recovery_enabled: Some(enabled),
                recovery_period_in_days: None,
            }),
        }
    }

    /// This many days back.
    pub fn days(mut self, days: i64) -> Self {
        let specification = self
            .point_in_time_recovery_specification
            .get_or_insert_default();
        specification.recovery_period_in_days = Some(days);
        self
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidUpdateContinuousBackups, Error> {
        let mut constraints = Constraints::default();
        let path = Path::Root("tableName");
        let table = TableName::require(&mut constraints, path, &self.table_name);
        let path = Path::Root("pointInTimeRecoverySpecification");
        let specification = constraints.required(path, &self.point_in_time_recovery_specification);
        let given = specification.and_then(|specification| {
            let enabled = constraints.required(
                path.field("pointInTimeRecoveryEnabled"),
                &specification.point_in_time_recovery_enabled,
            );
            if let Some(days) = specification.recovery_period_in_days {
                let range = 1..=i64::from(limits::MAX_RECOVERY_DAYS);
                constraints.range(path.field("recoveryPeriodInDays"), days, range);
            }
            Some((*enabled?, specification.recovery_period_in_days))
        });
        let (table, (enabled, days)) = constraints.finish(table.zip(given))?;
        let days = days.and_then(|days| u32::try_from(days).ok());
        let change = match (enabled, days) {
            (true, days) => RecoveryChange::Enable(days),
            (false, None) => RecoveryChange::Disable,
            (false, Some(_)) => {
                return Err(Error::validation(wording::PERIOD_WITHOUT_RECOVERY));
            }
        };
        Ok(ValidUpdateContinuousBackups { table, change })
    }
}
