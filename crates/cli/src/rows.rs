//! The rows of a model: what the commands with `-m` have in common.
//!
//! - `model.rs`, `environment.rs`, `caller.rs`: the model, the names of its tables, and who asks; `opened.rs`: the model on a DynamoDB; `watched.rs`: how far it is;
//! - `words.rs`, `vocabulary.rs`, `input_values.rs`: `Name=value` and JSON as values that the model knows; `problems.rs`,
//!   `refusal.rs`, `names.rs`: everything that is wrong with them, at once;
//! - `row_command.rs`: operations; `call.rs`: operations run; `trial.rs`, `explanation.rs`: operations only tried;
//! - `paging.rs`, `page_printer.rs`, `page_document.rs`: what is printed, page by page.

mod call;
mod caller;
mod environment;
mod explanation;
mod input_values;
mod model;
mod names;
mod opened;
mod page_document;
mod page_printer;
mod paging;
mod problems;
mod refusal;
mod row_command;
mod trial;
mod vocabulary;
mod watched;
mod words;

pub(crate) use call::{Call, RowArguments, Work, key_names};
pub(crate) use caller::{WriterArguments, principal};
pub(crate) use environment::EnvironmentArguments;
pub(crate) use input_values::{InputValues, RowWords};
pub(crate) use model::{
    LoadedModel, ModelArguments, ModelSource, find_default, find_file, load_model,
};
pub(crate) use names::{NameKind, refuse_name};
pub(crate) use opened::{Opened, Use};
pub(crate) use page_printer::ENTITY;
pub(crate) use paging::{CursorArguments, PageSink, Paging};
pub(crate) use refusal::refuse_values;
pub(crate) use row_command::{ChangeArguments, HashArguments, RowCommand, Verb, WriteArguments};
pub(crate) use trial::explain;
