//! One file per command: its arguments, its help, and what it does.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod create_table;
pub(crate) mod delete_table;
pub(crate) mod describe;
pub(crate) mod get;
pub(crate) mod put;
pub(crate) mod query;
pub(crate) mod scan;
pub(crate) mod serve;
pub(crate) mod tables;
