//! What holds stored rows against a model, in bounded memory: facts, sorted on disk, judged subject by subject.
//!
//! Every stored row states *facts*, each about a *subject*: a guard's address, a counter, the row that a reference names.
//! Facts are sorted outside of memory, so that all that is said about one subject comes together, whoever said it. A
//! mechanism then judges the subject from its facts, which pass by one after the other. What it finds is a *candidate*: the
//! tables live on while they are read, so the rows of a candidate are read again before it is reported.
//!
//! What rows state and how subjects are judged is in `mechanism/<name>/verify.rs`; `whole/verify.rs` drives it.
//!
//! Layout: `fact.rs` is a fact and its bytes; `sorter.rs`, `run.rs` and `merge.rs` sort; `spill.rs` is where runs are kept;
//! `subject.rs` is all facts about one thing; `candidate.rs` what was found, `local.rs` what a row shows by itself; `report.rs` what is told; `job.rs` is how far a
//! scan has come.

mod candidate;
mod content;
mod fact;
mod job;
mod local;
mod merge;
mod report;
mod run;
mod sorter;
mod spill;
mod subject;

pub(crate) use candidate::{Ask, Candidate, Confirmation, Findings, Remedy, Told};
pub(crate) use content::content_hash;
pub(crate) use fact::{
    FactSink, FieldReader, Fields, StatedRow, SubjectKey, Topic, encode, read_address,
};
pub(crate) use job::{Job, MovingRow, Position};
pub(crate) use local::{LOCAL, LocalRemedy, entity_at, judge_local, judge_rows, state_local};
pub use report::{
    Note, NoteKind, Unfinished, UnfinishedKind, UnknownItem, Verification, Violation, ViolationKind,
};
pub(crate) use sorter::{Limits, Sorter};
#[cfg(feature = "native")]
pub use spill::SpillFolder;
pub use spill::SpillPlace;
pub(crate) use subject::{FactFilter, Facts, StatedFact, Subject, encode_fact};
