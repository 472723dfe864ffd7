//! Point-in-time recovery of a table as AWS describes it.

use crate::catalog::Recovery;
use monotable_api::{
    ContinuousBackupsDescription, ContinuousBackupsStatus, PointInTimeRecoveryDescription,
    PointInTimeRecoveryStatus, Timestamp,
};

/// Describes the recovery of a table at `now`. A table can be restored as it is now; AWS is five minutes behind.
pub(super) fn describe(recovery: Option<Recovery>, now: u64) -> ContinuousBackupsDescription {
    let description = match recovery {
        None => PointInTimeRecoveryDescription {
            point_in_time_recovery_status: Some(PointInTimeRecoveryStatus::Disabled),
            ..PointInTimeRecoveryDescription::default()
        },
        Some(recovery) => PointInTimeRecoveryDescription {
            point_in_time_recovery_status: Some(PointInTimeRecoveryStatus::Enabled),
            recovery_period_in_days: Some(recovery.days),
            earliest_restorable_date_time: Some(Timestamp::from_millis(recovery.earliest(now))),
            latest_restorable_date_time: Some(Timestamp::from_millis(latest(recovery, now))),
        },
    };
    ContinuousBackupsDescription {
        continuous_backups_status: Some(ContinuousBackupsStatus::Enabled),
        point_in_time_recovery_description: Some(description),
    }
}

/// The latest time to which a table can be restored at `now`.
pub(super) fn latest(recovery: Recovery, now: u64) -> u64 {
    now.max(recovery.since)
}
