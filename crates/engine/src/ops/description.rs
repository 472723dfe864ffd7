//! A table as AWS describes it.

use crate::catalog::{
    AddedIndex, Index, IndexDefinition, IndexKind, Table, TableOrigin, ThroughputState,
};
use crate::stream::label;
use monotable_api::{
    AttributeDefinition, BillingMode, BillingModeSummary, GlobalSecondaryIndexDescription,
    IndexStatus, KeyAttribute, LocalSecondaryIndexDescription, ProjectedAttributes,
    ProvisionedThroughputDescription, RestoreSummary, SseDescription, SseSpecification, SseStatus,
    SseType, StreamSpecification, TableClassSummary, TableDescription, TableStatus,
    TableWarmThroughputDescription, Timestamp, ValidKeySchema, VectorIndexDescription,
    WarmThroughput,
};

/// The account that local ARNs name.
pub(crate) const ACCOUNT: &str = "000000000000";

/// Describes a table.
pub(super) fn describe(table: &Table, region: &str, status: TableStatus) -> TableDescription {
    let definition = &table.definition;
    let billing = &definition.billing;
    let arn = table_arn(region, &definition.name);
    let label = definition.stream.map(|stream| label(stream.created));
    let status = if table.is_filled() {
        status
    } else {
        TableStatus::Creating
    };
    TableDescription {
        attribute_definitions: Some(attribute_definitions(table)),
        table_name: Some(definition.name.clone()),
        key_schema: Some(table.key.describe()),
        table_status: Some(status),
        creation_date_time: Some(Timestamp::from_millis(definition.created)),
        provisioned_throughput: Some(ProvisionedThroughputDescription {
            last_increase_date_time: billing.raised.map(Timestamp::from_millis),
            last_decrease_date_time: billing.lowered.map(Timestamp::from_millis),
            ..throughput(billing.provisioned)
        }),
        table_size_bytes: Some(table.counts.bytes()),
        item_count: Some(table.counts.rows()),
        table_id: Some(definition.uuid.clone()),
        billing_mode_summary: billing.on_demand_since.map(|since| BillingModeSummary {
            billing_mode: Some(match billing.provisioned {
                Some(_) => BillingMode::Provisioned,
                None => BillingMode::PayPerRequest,
            }),
            last_update_to_pay_per_request_date_time: Some(Timestamp::from_millis(since)),
        }),
        local_secondary_indexes: non_empty(local_indexes(table, &arn)),
        global_secondary_indexes: non_empty(global_indexes(table, &arn, status)),
        vector_indexes: non_empty(vector_indexes(table, &arn, status)),
        stream_specification: table.stream.map(|stream| StreamSpecification {
            stream_enabled: Some(true),
            stream_view_type: Some(stream.view.into()),
        }),
        latest_stream_arn: label.as_ref().map(|label| format!("{arn}/stream/{label}")),
        latest_stream_label: label,
        sse_description: definition.encryption.as_ref().and_then(describe_encryption),
        table_class_summary: definition.class.map(|class| TableClassSummary {
            table_class: Some(class),
            last_update_date_time: None,
        }),
        deletion_protection_enabled: Some(definition.deletion_protection),
        on_demand_throughput: billing.on_demand.clone(),
        warm_throughput: definition.warm_throughput.as_ref().map(describe_warm),
        restore_summary: definition
            .origin
            .as_ref()
            .and_then(|origin| restore_summary(origin, region)),
        table_arn: Some(arn),
        ..TableDescription::default()
    }
}

pub(crate) fn table_arn(region: &str, table: &str) -> String {
    format!("arn:aws:dynamodb:{region}:{ACCOUNT}:table/{table}")
}

/// The ARN of a backup.
pub(super) fn backup_arn(region: &str, table: &str, label: &str) -> String {
    format!("{}/backup/{label}", table_arn(region, table))
}

/// The ARN of an export.
pub(crate) fn export_arn(region: &str, table: &str, label: &str) -> String {
    format!("{}/export/{label}", table_arn(region, table))
}

/// The ARN of an import.
pub(super) fn import_arn(region: &str, table: &str, label: &str) -> String {
    format!("{}/import/{label}", table_arn(region, table))
}

/// The ARN of a bulk operation.
pub(super) fn bulk_operation_arn(region: &str, table: &str, label: &str) -> String {
    format!("{}/bulk-operation/{label}", table_arn(region, table))
}

/// The ARN of a stream.
pub(super) fn stream_arn(region: &str, table: &str, label: &str) -> String {
    format!("{}/stream/{label}", table_arn(region, table))
}

/// What a table is being restored from. AWS says nothing about it once the table is whole, as others have recorded in
/// October 2026 (the notes of a controller for Kubernetes).
fn restore_summary(origin: &TableOrigin, region: &str) -> Option<RestoreSummary> {
    let (backup, table, time) = match origin {
        TableOrigin::Backup {
            label,
            table,
            created,
            ..
        } => (Some(backup_arn(region, table, label)), table, *created),
        TableOrigin::Table { name, time, .. } => (None, name, *time),
        TableOrigin::Import(_) => return None,
    };
    Some(RestoreSummary {
        source_backup_arn: backup,
        source_table_arn: Some(table_arn(region, table)),
        restore_date_time: Some(Timestamp::from_millis(time)),
        restore_in_progress: Some(true),
    })
}

/// Describes a table that goes. AWS leaves out what it was made of, and when.
pub(super) fn describe_deleted(table: &Table, region: &str) -> TableDescription {
    TableDescription {
        attribute_definitions: None,
        key_schema: None,
        creation_date_time: None,
        ..describe(table, region, TableStatus::Deleting)
    }
}

fn non_empty<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}

/// The attributes that the table and its indexes name with their types, each once.
fn attribute_definitions(table: &Table) -> Vec<AttributeDefinition> {
    let indexes = table
        .indexes
        .iter()
        .flat_map(|index| index.named_attributes());
    let mut named: Vec<&KeyAttribute> = Vec::new();
    for key in table.key.attributes().chain(indexes) {
        if !named.contains(&key) {
            named.push(key);
        }
    }
    named
        .into_iter()
        .map(|key| AttributeDefinition::new(&*key.name, key.kind.into()))
        .collect()
}

fn throughput(units: Option<ThroughputState>) -> ProvisionedThroughputDescription {
    let units = units.unwrap_or(ThroughputState { read: 0, write: 0 });
    ProvisionedThroughputDescription {
        number_of_decreases_today: Some(0),
        read_capacity_units: Some(units.read),
        write_capacity_units: Some(units.write),
        ..ProvisionedThroughputDescription::default()
    }
}

/// The indexes of a kind, with what is kept of them.
fn indexes(
    table: &Table,
    kind: IndexKind,
) -> impl Iterator<Item = (&IndexDefinition, &crate::catalog::Index)> {
    let kept = table.definition.indexes.iter().zip(&table.indexes);
    kept.filter(move |(_, index)| index.kind == kind)
}

fn local_indexes(table: &Table, arn: &str) -> Vec<LocalSecondaryIndexDescription> {
    let indexes = indexes(table, IndexKind::Local);
    let described = indexes.map(|(_, index)| LocalSecondaryIndexDescription {
        index_name: Some(index.name.clone()),
        key_schema: Some(ValidKeySchema::describe(&index.key)),
        projection: Some(ProjectedAttributes::describe(&index.projection)),
        index_size_bytes: Some(index.counts.bytes()),
        item_count: Some(index.counts.rows()),
        index_arn: Some(format!("{arn}/index/{}", index.name)),
    });
    described.collect()
}

fn global_indexes(
    table: &Table,
    arn: &str,
    status: TableStatus,
) -> Vec<GlobalSecondaryIndexDescription> {
    let indexes = indexes(table, IndexKind::Global);
    let described = indexes.map(|(kept, index)| GlobalSecondaryIndexDescription {
        index_name: Some(index.name.clone()),
        key_schema: Some(ValidKeySchema::describe(&index.key)),
        projection: Some(ProjectedAttributes::describe(&index.projection)),
        index_status: Some(index_status(index, status)),
        backfilling: backfilling(index, status),
        provisioned_throughput: Some(throughput(kept.throughput)),
        index_size_bytes: Some(index.counts.bytes()),
        item_count: Some(index.counts.rows()),
        index_arn: Some(format!("{arn}/index/{}", index.name)),
        on_demand_throughput: kept.on_demand.clone(),
        ..GlobalSecondaryIndexDescription::default()
    });
    described.collect()
}

fn vector_indexes(table: &Table, arn: &str, status: TableStatus) -> Vec<VectorIndexDescription> {
    let indexes = indexes(table, IndexKind::Vector);
    let described = indexes.filter_map(|(kept, index)| {
        let asked = kept.vector_index()?.describe();
        Some(VectorIndexDescription {
            index_name: asked.index_name,
            search_schema: asked.search_schema,
            projection: asked.projection,
            vector_attribute: asked.vector_attribute,
            dimensions: asked.dimensions,
            distance_function: asked.distance_function,
            index_status: Some(index_status(index, status)),
            backfilling: backfilling(index, status),
            index_size_bytes: Some(index.counts.bytes()),
            item_count: Some(index.counts.rows()),
            index_arn: Some(format!("{arn}/index/{}", index.name)),
        })
    });
    described.collect()
}

/// What is at with an index of a table with this status.
const fn index_status(index: &Index, table: TableStatus) -> IndexStatus {
    match (index.added, table) {
        (Some(AddedIndex::Creating), _) => IndexStatus::Creating,
        (Some(AddedIndex::Deleting), _) => IndexStatus::Deleting,
        (_, TableStatus::Creating) => IndexStatus::Creating,
        (_, TableStatus::Deleting) => IndexStatus::Deleting,
        _ => IndexStatus::Active,
    }
}

/// Whether items from before are being put into an index. The answer that adds one is given before the first of them is.
fn backfilling(index: &Index, table: TableStatus) -> Option<bool> {
    let is_filled = index.added == Some(AddedIndex::Creating);
    is_filled.then_some(table != TableStatus::Updating)
}

fn describe_warm(asked: &WarmThroughput) -> TableWarmThroughputDescription {
    TableWarmThroughputDescription {
        read_units_per_second: asked.read_units_per_second.map(i64::unsigned_abs),
        write_units_per_second: asked.write_units_per_second.map(i64::unsigned_abs),
        status: Some(TableStatus::Active),
    }
}

pub(super) fn describe_encryption(asked: &SseSpecification) -> Option<SseDescription> {
    asked.enabled.filter(|enabled| *enabled)?;
    Some(SseDescription {
        status: Some(SseStatus::Enabled),
        sse_type: asked
            .sse_type
            .as_ref()
            .and_then(monotable_api::Chosen::known)
            .or(Some(SseType::Kms)),
        kms_master_key_arn: asked.kms_master_key_id.clone(),
        ..SseDescription::default()
    })
}
