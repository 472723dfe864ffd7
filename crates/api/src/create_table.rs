//! CreateTable: a new table with its indexes.

mod indexes;
mod request;

pub use request::{CreateTableInput, CreateTableOutput, ValidCreateTable};

pub(crate) use request::table_class;
