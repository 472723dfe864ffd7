//! A backup as AWS describes it.

use super::description::{backup_arn, describe_encryption, table_arn};
use crate::catalog::{
    AddedIndex, BackupDefinition, BackupState, Catalog, IndexDefinition, IndexKind,
    TableDefinition, ThroughputState,
};
use crate::wording;
use monotable_api::{
    BackupArn, BackupDescription, BackupDetails, BackupStatus, BackupSummary, BackupType,
    BillingMode, Error, GlobalSecondaryIndexInfo, LocalSecondaryIndexInfo, ProjectedAttributes,
    ProvisionedThroughput, SourceTableDetails, SourceTableFeatureDetails, StreamSpecification,
    TimeToLiveDescription, TimeToLiveStatus, Timestamp, ValidKeySchema,
};
use std::sync::Arc;

/// The backup that an ARN names.
pub(super) fn find<'a>(
    catalog: &'a Catalog,
    arn: &BackupArn,
) -> Result<&'a Arc<BackupDefinition>, Error> {
    let mut backups = catalog.backups();
    let found = backups.find(|backup| backup.table.name == arn.table() && backup.label == arn.id());
    found.ok_or_else(|| wording::backup_not_found(arn.as_str()))
}

/// Describes a backup and its table.
pub(super) fn describe(
    backup: &BackupDefinition,
    region: &str,
    status: BackupStatus,
) -> BackupDescription {
    BackupDescription {
        backup_details: Some(details(backup, region, status)),
        source_table_details: Some(source(backup, region)),
        source_table_feature_details: Some(features(backup)),
    }
}

/// How far a backup is.
pub(super) const fn status(backup: &BackupDefinition) -> BackupStatus {
    match backup.state {
        BackupState::Creating => BackupStatus::Creating,
        BackupState::Available => BackupStatus::Available,
    }
}

pub(super) fn details(
    backup: &BackupDefinition,
    region: &str,
    status: BackupStatus,
) -> BackupDetails {
    BackupDetails {
        backup_arn: Some(backup_arn(region, &backup.table.name, &backup.label)),
        backup_name: Some(backup.name.clone()),
        backup_size_bytes: Some(backup.bytes),
        backup_status: Some(status),
        backup_type: Some(backup.kind),
        backup_creation_date_time: Some(Timestamp::from_millis(backup.created)),
        backup_expiry_date_time: backup.expires.map(Timestamp::from_millis),
    }
}

pub(super) fn summarize(backup: &BackupDefinition, region: &str) -> BackupSummary {
    BackupSummary {
        table_name: Some(backup.table.name.clone()),
        table_id: Some(backup.table.uuid.clone()),
        table_arn: Some(table_arn(region, &backup.table.name)),
        backup_arn: Some(backup_arn(region, &backup.table.name, &backup.label)),
        backup_name: Some(backup.name.clone()),
        backup_creation_date_time: Some(Timestamp::from_millis(backup.created)),
        backup_expiry_date_time: backup.expires.map(Timestamp::from_millis),
        backup_status: Some(status(backup)),
        backup_type: Some(backup.kind),
        backup_size_bytes: Some(backup.bytes),
    }
}

fn source(backup: &BackupDefinition, region: &str) -> SourceTableDetails {
    let table = &backup.table;
    let key: ValidKeySchema = (&table.key).into();
    SourceTableDetails {
        table_name: Some(table.name.clone()),
        table_id: Some(table.uuid.clone()),
        table_arn: Some(table_arn(region, &table.name)),
        table_size_bytes: Some(backup.bytes),
        key_schema: Some(key.describe()),
        table_creation_date_time: Some(Timestamp::from_millis(table.created)),
        provisioned_throughput: Some(throughput(table.billing.provisioned)),
        on_demand_throughput: table.billing.on_demand.clone(),
        item_count: Some(backup.items),
        billing_mode: Some(match table.billing.provisioned {
            Some(_) => BillingMode::Provisioned,
            None => BillingMode::PayPerRequest,
        }),
    }
}

fn throughput(units: Option<ThroughputState>) -> ProvisionedThroughput {
    let units = units.unwrap_or(ThroughputState { read: 0, write: 0 });
    let shown = |units: u64| i64::try_from(units).unwrap_or(i64::MAX);
    ProvisionedThroughput::new(shown(units.read), shown(units.write))
}

/// AWS says nothing about the features of a table that it has backed up itself.
fn features(backup: &BackupDefinition) -> SourceTableFeatureDetails {
    let table = &backup.table;
    if backup.kind == BackupType::System {
        return SourceTableFeatureDetails::default();
    }
    let stream = table.stream.filter(|stream| stream.enabled);
    let time_to_live = table.time_to_live.clone();
    SourceTableFeatureDetails {
        local_secondary_indexes: non_empty(indexes(table, IndexKind::Local).map(local_index)),
        global_secondary_indexes: non_empty(indexes(table, IndexKind::Global).map(global_index)),
        vector_indexes: non_empty(indexes(table, IndexKind::Vector).filter_map(|index| {
            let index = index.vector_index()?;
            Some(index.describe())
        })),
        stream_description: stream.map(|stream| StreamSpecification {
            stream_enabled: Some(true),
            stream_view_type: Some(stream.view.into()),
        }),
        time_to_live_description: time_to_live.map(|attribute| TimeToLiveDescription {
            time_to_live_status: Some(TimeToLiveStatus::Enabled),
            attribute_name: Some(attribute),
        }),
        sse_description: table.encryption.as_ref().and_then(describe_encryption),
    }
}

/// The indexes that a table restored from the backup has.
fn indexes(table: &TableDefinition, kind: IndexKind) -> impl Iterator<Item = &IndexDefinition> {
    let indexes = table.indexes.iter();
    indexes.filter(move |index| index.kind == kind && index.added != Some(AddedIndex::Deleting))
}

fn non_empty<T>(list: impl Iterator<Item = T>) -> Option<Vec<T>> {
    let list: Vec<T> = list.collect();
    (!list.is_empty()).then_some(list)
}

fn local_index(index: &IndexDefinition) -> LocalSecondaryIndexInfo {
    let key: ValidKeySchema = (&index.key).into();
    let projection: ProjectedAttributes = (&index.projection).into();
    LocalSecondaryIndexInfo {
        index_name: Some(index.name.clone()),
        key_schema: Some(key.describe()),
        projection: Some(projection.describe()),
    }
}

fn global_index(index: &IndexDefinition) -> GlobalSecondaryIndexInfo {
    let key: ValidKeySchema = (&index.key).into();
    let projection: ProjectedAttributes = (&index.projection).into();
    GlobalSecondaryIndexInfo {
        index_name: Some(index.name.clone()),
        key_schema: Some(key.describe()),
        projection: Some(projection.describe()),
        provisioned_throughput: Some(throughput(index.throughput)),
        on_demand_throughput: index.on_demand.clone(),
    }
}
