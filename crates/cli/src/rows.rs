//! The rows of a model: what the commands with `-m` have in common.
//!
//! - `model.rs`, `caller.rs`: the model, and who asks; `opened.rs`: the model on a DynamoDB; `watched.rs`: how far it is;
//! - `words.rs`, `kinds.rs`, `given.rs`: `Name=value` and JSON as values that the model knows;
//! - `asked.rs`: operations; `call.rs`: operations run; `paging.rs`: page by page;
//! - `page_printer.rs`: what is printed.

mod asked;
mod call;
mod caller;
mod given;
mod kinds;
mod model;
mod opened;
mod page_document;
mod page_printer;
mod paging;
mod watched;
mod words;

pub(crate) use asked::{Asked, ChangeArguments, Verb, WriteArguments};
pub(crate) use call::{Call, RowArguments, key_names};
pub(crate) use caller::{CallerArguments, DeploymentArguments, principal};
pub(crate) use given::{Given, RowWords};
pub(crate) use model::{ModelArguments, usable};
pub(crate) use opened::{Opened, Use};
pub(crate) use paging::{CursorArguments, PageSink, Paging};
