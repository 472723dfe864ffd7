//! TransactWriteItems: up to a hundred writes of any tables, all or none.

mod action;
mod builder;
mod request;

pub use action::{TransactAction, TransactWrite};
pub use request::{
    TransactConditionCheck, TransactDelete, TransactPut, TransactUpdate, TransactWriteItem,
    TransactWriteItemsInput, TransactWriteItemsOutput, ValidTransactWriteItems,
};
