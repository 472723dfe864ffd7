//! Versioned repositories of a model: what the commands on them have in common.
//!
//! - `declared.rs`: a repository in the model; `label.rs`: how its rows and revisions are called on one line;
//! - `asking.rs`: what is asked of one, as an operation of the store; `revision_words.rs`, `age.rs`: its words;
//! - `change_line.rs`, `short_forms.rs`, `change_set.rs`: what a commit changes;
//! - `log_lines.rs`, `graph.rs`: revisions drawn; `tree.rs`, `tree_document.rs`, `snapshot.rs`: the rows of one;
//!   `difference.rs`: what two differ in; `committed.rs`: new ones;
//! - `answer.rs`: what is printed of an outcome; `removed.rs`: what sweeps and purges delete; `advice.rs`: what to do about a refusal.

mod advice;
mod age;
mod answer;
mod asking;
mod change_line;
mod change_set;
mod committed;
mod declared;
mod difference;
mod graph;
mod label;
mod log_lines;
mod removed;
mod revision_words;
mod short_forms;
mod snapshot;
mod tree;
mod tree_document;

pub(crate) use advice::refused;
pub(crate) use age::age;
pub(crate) use answer::Answer;
pub(crate) use asking::{Asking, CommitArguments};
pub(crate) use change_line::read_write;
pub(crate) use change_set::ChangeSet;
pub(crate) use declared::Declared;
pub(crate) use log_lines::LogLines;
pub(crate) use removed::{print_purge, print_sweep};
pub(crate) use revision_words::split;
