//! One file per operation: what it does to tables and items.

mod batch_get_item;
mod batch_write_item;
mod create_table;
mod delete_item;
mod delete_table;
mod describe_endpoints;
mod describe_limits;
mod describe_table;
mod describe_time_to_live;
mod description;
mod get_item;
mod item_write;
mod list_tables;
mod paged;
mod put_item;
mod query;
mod scan;
mod transact_get_items;
mod transact_write_items;
mod update_item;
mod update_table;
mod update_time_to_live;

use crate::engine::Core;
use crate::step::Step;
use monotable_api::{Error, Operation};
use std::sync::Arc;

/// An operation of the engine.
pub(crate) trait Execute: Operation {
    /// Checks the request and does what can be done on the calling thread.
    fn start(core: &Arc<Core>, input: Self::Input) -> Result<Step<Self::Output>, Error>;
}
