//! The mechanisms: what the declarations of a model demand and write for a change of a row.
//!
//! Each has up to two faces here. `complete` fills in the new rows and says what of the old ones the write depends on;
//! `apply` adds to the draft what must hold of other items and what is written there. A mechanism that gives rise to other
//! rows pushes changes of them; none writes a row but [`keys`].
//!
//! `verify` of each says what a stored row states (`state`) and when the facts about one subject agree (`judge`);
//! `statements.rs` has them all.

pub(crate) mod archive;
pub(crate) mod audit;
mod blind;
pub(crate) mod checks;
pub(crate) mod claims;
pub(crate) mod collections;
pub(crate) mod counters;
pub(crate) mod derived;
pub(crate) mod each;
pub(crate) mod history;
pub(crate) mod keys;
pub(crate) mod note;
pub(crate) mod numbers;
pub(crate) mod paths;
pub(crate) mod references;
pub(crate) mod relations;
pub(crate) mod singles;
mod statements;
pub(crate) mod times;
pub(crate) mod tombstones;
pub(crate) mod values;

pub(crate) use blind::find_blind_update;
pub(crate) use statements::{Statements, judge};
