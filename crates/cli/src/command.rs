//! One file per command: its arguments, its help, and what it does.

pub(crate) mod attach;
pub(crate) mod backup;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod create;
pub(crate) mod create_table;
pub(crate) mod delete;
pub(crate) mod delete_table;
pub(crate) mod describe;
pub(crate) mod detach;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod get;
pub(crate) mod move_row;
pub(crate) mod put;
pub(crate) mod query;
pub(crate) mod restore;
pub(crate) mod scan;
pub(crate) mod serve;
pub(crate) mod setup;
pub(crate) mod tables;
pub(crate) mod update;
pub(crate) mod verify;
