//! What a model declares of a table and CreateTable does not say: settings that have requests of their own.
//!
//! A setting is looked at first, so that a table that is as the model wants it is only read.

use super::SetupWatch;
use super::wanted::view_type;
use crate::error::Error;
use crate::store::Store;
use crate::whole::repair::RepairMode;
use monotable_api::{
    DescribeContinuousBackupsInput, DescribeTableInput, DescribeTimeToLiveInput, DynamoExt,
    Error as ServiceError, PointInTimeRecoveryStatus, StreamSpecification, TimeToLiveStatus,
    UpdateContinuousBackupsInput, UpdateTableInput, UpdateTimeToLiveInput,
};
use monotable_model::model::Table;

/// A setting of a table that has a request of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Setting {
    Billing,
    TimeToLive,
    Recovery,
    Stream,
    DeletionProtection,
    Tags,
}

impl Setting {
    /// In the order in which a table gets them.
    const ALL: [Self; 6] = [
        Self::Billing,
        Self::TimeToLive,
        Self::Recovery,
        Self::Stream,
        Self::DeletionProtection,
        Self::Tags,
    ];

    /// As people call it.
    const fn name(self) -> &'static str {
        match self {
            Self::TimeToLive => "time to live",
            Self::Recovery => "point-in-time recovery",
            Self::Stream => "stream",
            Self::Billing => "billing mode",
            Self::DeletionProtection => "deletion protection",
            Self::Tags => "tags",
        }
    }
}

/// What became of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Applied {
    /// The model does not ask for it, or the table has it.
    AsDeclared,
    /// The table has it now.
    Changed,
    /// The target has no such thing.
    Lacking,
}

/// The settings of a table that were looked at.
#[derive(Clone, Debug, Default)]
pub(super) struct AppliedSettings {
    /// Those that the table has now, and had not before.
    pub(super) changed: Vec<&'static str>,
    /// Those that the model asks for and the target does not have.
    pub(super) lacking: Vec<&'static str>,
}

/// The settings that a new table is given.
pub(super) fn list_settings(table: &Table) -> Vec<&'static str> {
    let declared = |setting: &Setting| match setting {
        Setting::TimeToLive => table.ttl.is_some(),
        Setting::Recovery => table.pitr,
        Setting::Stream => table.stream.is_some(),
        // A new table is made with it.
        Setting::Billing => false,
        Setting::DeletionProtection => table.deletion_protection == Some(true),
        Setting::Tags => !table.tags.is_empty(),
    };
    let settings = Setting::ALL.into_iter().filter(declared);
    settings.map(Setting::name).collect()
}

impl Store {
    /// Gives a table that is active the settings that the model declares, or says which it would give it.
    pub(super) async fn apply_settings(
        &self,
        table: &Table,
        mode: RepairMode,
        watch: SetupWatch<'_>,
    ) -> Result<AppliedSettings, Error> {
        let mut settings = AppliedSettings::default();
        for setting in Setting::ALL {
            let applied = match setting {
                Setting::TimeToLive => self.apply_time_to_live(table, mode).await,
                Setting::Recovery => self.apply_recovery(table, mode).await,
                Setting::Stream => self.apply_stream(table, mode, watch).await,
                Setting::Billing => self.apply_billing(table, mode, watch).await,
                Setting::DeletionProtection => {
                    self.apply_deletion_protection(table, mode, watch).await
                }
                Setting::Tags => self.apply_tags(table, mode).await,
            };
            match applied? {
                Applied::AsDeclared => {}
                Applied::Changed => settings.changed.push(setting.name()),
                Applied::Lacking => settings.lacking.push(setting.name()),
            }
        }
        Ok(settings)
    }

    async fn apply_time_to_live(&self, table: &Table, mode: RepairMode) -> Result<Applied, Error> {
        let Some(wanted) = &table.ttl else {
            return Ok(Applied::AsDeclared);
        };
        let dynamo = self.executor.dynamo();
        let described = DescribeTimeToLiveInput::new(&table.physical);
        let described = match dynamo.describe_time_to_live(described).await {
            Ok(output) => output.time_to_live_description.unwrap_or_default(),
            Err(ServiceError::UnknownOperationException { .. }) => return Ok(Applied::Lacking),
            Err(error) => return Err(Error::service(error)),
        };
        let is_on = matches!(
            described.time_to_live_status,
            Some(TimeToLiveStatus::Enabled | TimeToLiveStatus::Enabling)
        );
        match described.attribute_name {
            Some(known) if is_on && known == wanted.value => return Ok(Applied::AsDeclared),
            Some(known) if is_on => {
                let (name, wanted) = (&table.physical, &wanted.value);
                return Err(Error::integrity(format!(
                    "items of table `{name}` expire by `{known}`, and the model says `{wanted}`; nothing was changed"
                )));
            }
            _ => {}
        }
        if mode == RepairMode::Plan {
            return Ok(Applied::Changed);
        }
        let enable = UpdateTimeToLiveInput::enable(&table.physical, &wanted.value);
        match dynamo.update_time_to_live(enable).await {
            Ok(_) => Ok(Applied::Changed),
            // Somebody else was faster.
            Err(ServiceError::ValidationException { message })
                if message.contains("already enabled") =>
            {
                Ok(Applied::AsDeclared)
            }
            Err(error) => Err(Error::service(error)),
        }
    }

    async fn apply_recovery(&self, table: &Table, mode: RepairMode) -> Result<Applied, Error> {
        if !table.pitr {
            return Ok(Applied::AsDeclared);
        }
        let dynamo = self.executor.dynamo();
        let described = DescribeContinuousBackupsInput::new(&table.physical);
        let described = match dynamo.describe_continuous_backups(described).await {
            Ok(output) => output.continuous_backups_description.unwrap_or_default(),
            Err(ServiceError::UnknownOperationException { .. }) => return Ok(Applied::Lacking),
            Err(error) => return Err(Error::service(error)),
        };
        let recovery = described.point_in_time_recovery_description;
        let status = recovery.and_then(|recovery| recovery.point_in_time_recovery_status);
        if status == Some(PointInTimeRecoveryStatus::Enabled) {
            return Ok(Applied::AsDeclared);
        }
        if mode == RepairMode::Plan {
            return Ok(Applied::Changed);
        }
        let enable = UpdateContinuousBackupsInput::enable(&table.physical);
        let enabled = dynamo.update_continuous_backups(enable).await;
        enabled.map_err(Error::service)?;
        Ok(Applied::Changed)
    }

    /// Gives a table that was there before its stream; a new one is made with it.
    async fn apply_stream(
        &self,
        table: &Table,
        mode: RepairMode,
        watch: SetupWatch<'_>,
    ) -> Result<Applied, Error> {
        let Some(wanted) = table.stream.map(view_type) else {
            return Ok(Applied::AsDeclared);
        };
        let dynamo = self.executor.dynamo();
        let described = DescribeTableInput::new(&table.physical);
        let described = dynamo.describe_table(described).await;
        let described = described.map_err(Error::service)?.table.unwrap_or_default();
        let known = described.stream_specification.unwrap_or_default();
        let view = known
            .stream_view_type
            .filter(|_| known.stream_enabled == Some(true));
        let wanted = Some(wanted.into());
        match view {
            Some(_) if view == wanted => return Ok(Applied::AsDeclared),
            Some(_) => {
                let name = &table.physical;
                return Err(Error::integrity(format!(
                    "the stream of table `{name}` shows something else than the model says; nothing was changed"
                )));
            }
            None => {}
        }
        if mode == RepairMode::Plan {
            return Ok(Applied::Changed);
        }
        let enable = UpdateTableInput {
            stream_specification: Some(StreamSpecification {
                stream_enabled: Some(true),
                stream_view_type: wanted,
            }),
            ..UpdateTableInput::new(&table.physical)
        };
        match dynamo.update_table(enable).await {
            Ok(_) => {
                self.await_active(&table.physical, watch).await?;
                Ok(Applied::Changed)
            }
            Err(ServiceError::ValidationException { message })
                if message.contains("StreamSpecification") =>
            {
                Ok(Applied::Lacking)
            }
            Err(error) => Err(Error::service(error)),
        }
    }
}
