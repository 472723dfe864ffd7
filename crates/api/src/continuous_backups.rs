//! Point-in-time recovery of a table as AWS describes it.

use crate::Timestamp;
use crate::choice::choices;
use crate::structure::structure;

choices! {
    /// Whether a table can have backups. All can.
    pub enum ContinuousBackupsStatus {
        /// It can.
        Enabled = "ENABLED",
        /// It cannot.
        Disabled = "DISABLED",
    }

    /// Whether a table can be restored as it was at any point of the last days.
    pub enum PointInTimeRecoveryStatus {
        /// It can.
        Enabled = "ENABLED",
        /// It cannot.
        Disabled = "DISABLED",
    }
}

structure! {
    /// Backups and recovery of a table.
    pub struct ContinuousBackupsDescription {
        /// Whether it can have backups.
        continuous_backups_status: ContinuousBackupsStatus,
        /// Its point-in-time recovery.
        point_in_time_recovery_description: PointInTimeRecoveryDescription,
    }

    /// To which points in time a table can be restored.
    pub struct PointInTimeRecoveryDescription {
        /// Whether it can be restored.
        point_in_time_recovery_status: PointInTimeRecoveryStatus,
        /// How many days back.
        recovery_period_in_days: u32,
        /// The earliest point.
        earliest_restorable_date_time: Timestamp,
        /// The latest point.
        latest_restorable_date_time: Timestamp,
    }
}
