//! The rows of a model: what the commands with `-m` have in common.
//!
//! - `model.rs`, `caller.rs`: the model, and who asks; `opened.rs`: the model on a DynamoDB; `watched.rs`: how far it is;
//! - `words.rs`, `kinds.rs`, `given.rs`: `Name=value` and JSON as values that the model knows;
//! - `asked.rs`: operations; `call.rs`: operations run; `paging.rs`: page by page;
//! - `page_printer.rs`: what is printed.

mod call;
mod caller;
mod input_values;
mod kinds;
mod model;
mod opened;
mod page_document;
mod page_printer;
mod paging;
mod row_command;
mod watched;
mod words;

pub(crate) use call::{Call, RowArguments, key_names};
pub(crate) use caller::{CallerArguments, WriterArguments, principal};
pub(crate) use input_values::{InputValues, RowWords};
pub(crate) use model::{ModelArguments, usable};
pub(crate) use opened::{Opened, Use};
pub(crate) use paging::{CursorArguments, PageSink, Paging};
pub(crate) use row_command::{ChangeArguments, HashArguments, RowCommand, Verb, WriteArguments};
