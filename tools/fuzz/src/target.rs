//! One file for each target.

pub(crate) mod cursor;
pub(crate) mod expression;
pub(crate) mod item;
pub(crate) mod journal;
pub(crate) mod model;
pub(crate) mod partiql;
pub(crate) mod policy;
pub(crate) mod request;
pub(crate) mod rest;
pub(crate) mod signature;
pub(crate) mod table_file;
