//! One file per operation: what it does to tables and items.

mod attached_policy;
mod backup_description;
mod batch_execute_statement;
mod batch_get_item;
mod batch_write_item;
mod bulk_description;
mod cancel_bulk_operation;
mod continuous_backups;
mod create_backup;
mod create_table;
mod delete_backup;
mod delete_item;
mod delete_resource_policy;
mod delete_table;
mod describe_backup;
mod describe_bulk_operation;
mod describe_continuous_backups;
mod describe_contributor_insights;
mod describe_endpoints;
mod describe_export;
mod describe_global_table;
mod describe_global_table_settings;
mod describe_import;
mod describe_kinesis_streaming_destination;
mod describe_limits;
mod describe_stream;
mod describe_table;
mod describe_table_replica_auto_scaling;
mod describe_time_to_live;
mod description;
mod execute_statement;
mod execute_transaction;
mod export_description;
mod export_filter;
mod export_table_to_point_in_time;
mod get_item;
mod get_records;
mod get_resource_policy;
mod get_shard_iterator;
mod import_description;
mod import_table;
mod index_set;
mod item_write;
mod list_backups;
mod list_bulk_operations;
mod list_contributor_insights;
mod list_exports;
mod list_global_tables;
mod list_imports;
mod list_streams;
mod list_tables;
mod list_tags_of_resource;
mod paged;
mod partiql;
mod put_item;
mod put_resource_policy;
mod query;
mod redefinition;
mod restore_table_from_backup;
mod restore_table_to_point_in_time;
mod restored_table;
mod scan;
mod search_vectors;
mod start_bulk_put_items;
mod tag_resource;
mod transact_get_items;
mod transact_write_items;
mod transfer_list;
mod untag_resource;
mod update_continuous_backups;
mod update_contributor_insights;
mod update_item;
mod update_table;
mod update_time_to_live;
mod vector_index_set;

pub(crate) use description::{ACCOUNT, export_arn, table_arn};
pub(crate) use export_filter::ExportFilter;
pub(crate) use index_set::KeyElement;
pub(crate) use scan::scan_snapshot;

use crate::engine::Core;
use crate::step::Step;
use monotable_api::{Error, Operation};
use std::sync::Arc;

/// An operation of the engine.
pub(crate) trait Execute: Operation {
    /// Checks the request and does what can be done on the calling thread.
    fn start(core: &Arc<Core>, input: Self::Input) -> Result<Step<Self::Output>, Error>;
}
