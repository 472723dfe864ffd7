//! Backups as AWS describes them.

use crate::billing::{BillingMode, OnDemandThroughput, ProvisionedThroughput};
use crate::choice::choices;
use crate::describe_time_to_live::TimeToLiveDescription;
use crate::encryption::SseDescription;
use crate::key_schema::KeySchemaElement;
use crate::stream::StreamSpecification;
use crate::structure::structure;
use crate::vector_index::VectorIndex;
use crate::{IndexProjection, Timestamp};

choices! {
    /// How far a backup is.
    pub enum BackupStatus {
        /// It is being made.
        Creating = "CREATING",
        /// It is gone.
        Deleted = "DELETED",
        /// It is whole, and a table can be restored from it.
        Available = "AVAILABLE",
    }

    /// Who asked for a backup.
    pub enum BackupType {
        /// A request.
        User = "USER",
        /// The service, when a table with point-in-time recovery was deleted.
        System = "SYSTEM",
        /// Another service of AWS.
        AwsBackup = "AWS_BACKUP",
    }
}

structure! {
    /// A backup.
    pub struct BackupDetails {
        /// Its ARN.
        backup_arn: String,
        /// The name that the request gave it.
        backup_name: String,
        /// How large its items are.
        backup_size_bytes: u64,
        /// How far it is.
        backup_status: BackupStatus,
        /// Who asked for it.
        backup_type: BackupType,
        /// When it was asked for: it holds the table as it was then.
        backup_creation_date_time: Timestamp,
        /// When it goes by itself.
        backup_expiry_date_time: Timestamp,
    }

    /// A backup, with the table that it is of.
    pub struct BackupDescription {
        /// The backup.
        backup_details: BackupDetails,
        /// The table.
        source_table_details: SourceTableDetails,
        /// What the table had beside its items.
        source_table_feature_details: SourceTableFeatureDetails,
    }

    /// The table of a backup, as it was.
    pub struct SourceTableDetails {
        /// Its name.
        table_name: String,
        /// An id that no other table ever has.
        table_id: String,
        /// Its ARN.
        table_arn: String,
        /// How large its items are.
        table_size_bytes: u64,
        /// Its key.
        key_schema: Vec<KeySchemaElement>,
        /// When it was created.
        table_creation_date_time: Timestamp,
        /// Its units per second; zeros when it is paid by use.
        provisioned_throughput: ProvisionedThroughput,
        /// The most it may use when it is paid by use.
        on_demand_throughput: OnDemandThroughput,
        /// How many items it has.
        item_count: u64,
        /// How it is paid for.
        billing_mode: BillingMode,
    }

    /// What the table of a backup had beside its items.
    pub struct SourceTableFeatureDetails {
        /// Its local secondary indexes.
        local_secondary_indexes: Vec<LocalSecondaryIndexInfo>,
        /// Its global secondary indexes.
        global_secondary_indexes: Vec<GlobalSecondaryIndexInfo>,
        /// Its vector indexes.
        vector_indexes: Vec<VectorIndex>,
        /// Its stream.
        stream_description: StreamSpecification,
        /// Whether its items go by themselves.
        time_to_live_description: TimeToLiveDescription,
        /// How it is encrypted.
        #[serde(rename = "SSEDescription")]
        sse_description: SseDescription,
    }

    /// A local secondary index of the table of a backup.
    pub struct LocalSecondaryIndexInfo {
        /// Its name.
        index_name: String,
        /// Its key.
        key_schema: Vec<KeySchemaElement>,
        /// Which attributes it holds.
        projection: IndexProjection,
    }

    /// A global secondary index of the table of a backup.
    pub struct GlobalSecondaryIndexInfo {
        /// Its name.
        index_name: String,
        /// Its key.
        key_schema: Vec<KeySchemaElement>,
        /// Which attributes it holds.
        projection: IndexProjection,
        /// Its units per second; zeros when it is paid by use.
        provisioned_throughput: ProvisionedThroughput,
        /// The most it may use when it is paid by use.
        on_demand_throughput: OnDemandThroughput,
    }

    /// A backup in a list.
    pub struct BackupSummary {
        /// The name of its table.
        table_name: String,
        /// The id of its table.
        table_id: String,
        /// The ARN of its table.
        table_arn: String,
        /// Its ARN.
        backup_arn: String,
        /// The name that the request gave it.
        backup_name: String,
        /// When it was asked for.
        backup_creation_date_time: Timestamp,
        /// When it goes by itself.
        backup_expiry_date_time: Timestamp,
        /// How far it is.
        backup_status: BackupStatus,
        /// Who asked for it.
        backup_type: BackupType,
        /// How large its items are.
        backup_size_bytes: u64,
    }
}
