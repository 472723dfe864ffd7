//! Who may do what.
//!
//! [`Gate`] is the only code that asks. It asks for every row that leaves the store and for every change that a caller
//! causes, many at once, so that the rows which rules and grants look at are read together.
//!
//! - `allow.rs`: the `allow` rules of entities, decided in three values: a rule that cannot be decided refuses;
//! - `grants.rs`: rights that rows give; `folders.rs`: the folders above a row, where grants climb a path;
//! - `hidden.rs`: rows that a change refers to and that the caller does not see;
//! - `question.rs`: what is asked; `gate.rs`: rules and grants together; `verdict.rs`: what a caller is told.

mod allow;
mod facts;
mod folders;
mod gate;
mod grants;
mod hidden;
mod question;
mod verdict;

pub(crate) use gate::{Gate, Permit};
pub(crate) use question::{Question, Right, decided_by};
