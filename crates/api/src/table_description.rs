//! Tables as AWS describes them.

use crate::billing::{BillingModeSummary, OnDemandThroughput, ProvisionedThroughputDescription};
use crate::choice::choices;
use crate::encryption::SseDescription;
use crate::key_schema::{AttributeDefinition, KeySchemaElement};
use crate::stream::StreamSpecification;
use crate::structure::structure;
use crate::vector_index::VectorIndexDescription;
use crate::{IndexProjection, Timestamp};

choices! {
    /// What a table is at.
    pub enum TableStatus {
        /// It is being created.
        Creating = "CREATING",
        /// It is being changed, and can be used.
        Updating = "UPDATING",
        /// It is being deleted.
        Deleting = "DELETING",
        /// It can be used.
        Active = "ACTIVE",
        /// Its key cannot be used.
        InaccessibleEncryptionCredentials = "INACCESSIBLE_ENCRYPTION_CREDENTIALS",
        /// It is being archived.
        Archiving = "ARCHIVING",
        /// It is archived.
        Archived = "ARCHIVED",
        /// It may not be replicated.
        ReplicationNotAuthorized = "REPLICATION_NOT_AUTHORIZED",
    }

    /// What an index is at.
    pub enum IndexStatus {
        /// It is being created.
        Creating = "CREATING",
        /// It is being changed, and can be used.
        Updating = "UPDATING",
        /// It is being deleted.
        Deleting = "DELETING",
        /// It can be used.
        Active = "ACTIVE",
    }

    /// What a table's storage costs.
    pub enum TableClass {
        /// The ordinary class.
        Standard = "STANDARD",
        /// Cheaper storage, dearer requests.
        StandardInfrequentAccess = "STANDARD_INFREQUENT_ACCESS",
    }
}

structure! {
    /// A table.
    pub struct TableDescription {
        /// The types of its key attributes.
        attribute_definitions: Vec<AttributeDefinition>,
        /// Its name.
        table_name: String,
        /// Its key.
        key_schema: Vec<KeySchemaElement>,
        /// What it is at.
        table_status: TableStatus,
        /// When it was created.
        creation_date_time: Timestamp,
        /// Its units per second; zeros when it is paid by use.
        provisioned_throughput: ProvisionedThroughputDescription,
        /// How large all items are; brought up to date now and then.
        table_size_bytes: u64,
        /// How many items there are; brought up to date now and then.
        item_count: u64,
        /// Its ARN.
        table_arn: String,
        /// An id that no other table ever has.
        table_id: String,
        /// How it is paid for, once that has been by use.
        billing_mode_summary: BillingModeSummary,
        /// Its local secondary indexes.
        local_secondary_indexes: Vec<LocalSecondaryIndexDescription>,
        /// Its global secondary indexes.
        global_secondary_indexes: Vec<GlobalSecondaryIndexDescription>,
        /// Its vector indexes.
        vector_indexes: Vec<VectorIndexDescription>,
        /// Its stream.
        stream_specification: StreamSpecification,
        /// When its latest stream was created.
        latest_stream_label: String,
        /// The ARN of its latest stream.
        latest_stream_arn: String,
        /// The version of global tables it is one of.
        global_table_version: String,
        /// What it was restored from.
        restore_summary: RestoreSummary,
        /// How it is encrypted.
        #[serde(rename = "SSEDescription")]
        sse_description: SseDescription,
        /// Its class.
        table_class_summary: TableClassSummary,
        /// Whether it cannot be deleted.
        deletion_protection_enabled: bool,
        /// The most it may use when it is paid by use.
        on_demand_throughput: OnDemandThroughput,
        /// What it can take at once.
        warm_throughput: TableWarmThroughputDescription,
    }

    /// A local secondary index.
    pub struct LocalSecondaryIndexDescription {
        /// Its name.
        index_name: String,
        /// Its key.
        key_schema: Vec<KeySchemaElement>,
        /// Which attributes it holds.
        projection: IndexProjection,
        /// How large it is; brought up to date now and then.
        index_size_bytes: u64,
        /// How many items are in it; brought up to date now and then.
        item_count: u64,
        /// Its ARN.
        index_arn: String,
    }

    /// A global secondary index.
    pub struct GlobalSecondaryIndexDescription {
        /// Its name.
        index_name: String,
        /// Its key.
        key_schema: Vec<KeySchemaElement>,
        /// Which attributes it holds.
        projection: IndexProjection,
        /// What it is at.
        index_status: IndexStatus,
        /// Whether it is being filled from the table's items.
        backfilling: bool,
        /// Its units per second; zeros when it is paid by use.
        provisioned_throughput: ProvisionedThroughputDescription,
        /// How large it is; brought up to date now and then.
        index_size_bytes: u64,
        /// How many items are in it; brought up to date now and then.
        item_count: u64,
        /// Its ARN.
        index_arn: String,
        /// The most it may use when it is paid by use.
        on_demand_throughput: OnDemandThroughput,
        /// What it can take at once.
        warm_throughput: IndexWarmThroughputDescription,
    }

    /// What a table can take at once.
    pub struct TableWarmThroughputDescription {
        /// Read units.
        read_units_per_second: u64,
        /// Write units.
        write_units_per_second: u64,
        /// How far a change of it is.
        status: TableStatus,
    }

    /// What an index can take at once.
    pub struct IndexWarmThroughputDescription {
        /// Read units.
        read_units_per_second: u64,
        /// Write units.
        write_units_per_second: u64,
        /// How far a change of it is.
        status: IndexStatus,
    }

    /// A table's class.
    pub struct TableClassSummary {
        /// The class.
        table_class: TableClass,
        /// Since when.
        last_update_date_time: Timestamp,
    }

    /// What a table was restored from.
    pub struct RestoreSummary {
        /// The backup.
        source_backup_arn: String,
        /// The table that the backup is of.
        source_table_arn: String,
        /// The point in time that was restored.
        restore_date_time: Timestamp,
        /// Whether it is still being restored.
        restore_in_progress: bool,
    }
}
