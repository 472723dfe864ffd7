//! Changes of a design whose tables are full: two versions of a model compared, and the phases that lead from one to the other.
//!
//! [`compare`] lists what differs. Each [`Difference`] has two findings, because two kinds of programs meet rows of the other
//! kind: what programs of the new version find in rows of the old one ([`Difference::stored_rows`]), and what programs of the old
//! version, which still run, make of rows of the new one ([`Difference::old_programs`]). A finding is a proof, a
//! backfill, or a counterexample: a row that is rendered by the code that renders keys. [`Plan`] puts the findings in an order in
//! which nothing breaks, and says which programs have to end first where that cannot be.
//!
//! Nothing here reads or writes a store; `monotable-operations` runs plans.
//!
//! Layout:
//! - `difference.rs`: what is found; `plan.rs`, `phase.rs`: what is done about it; `bridge.rs`: the text of a model that writes an old layout;
//!   `estimate.rs`: what it costs;
//! - `pairs.rs`: which entities of the two versions have the same rows, which `recognition.rs` proves; `renames.rs`: which attributes;
//! - `example.rs`: rows that are shown; `compare.rs`, `compare/`: one file for each kind of difference.

mod bridge;
mod compare;
mod difference;
mod estimate;
mod example;
mod pairs;
mod phase;
mod plan;
mod recognition;
mod renames;

pub use bridge::{bridge_layouts, write_bridge};
pub use compare::compare;
pub use difference::{
    Counterexample, DecidedBy, Difference, DifferenceKind, Finding, RowExample, Verdict, Work,
};
pub use estimate::{Estimate, RowSizes};
pub use phase::{Actor, Phase, PhaseName};
pub use plan::{Plan, SideBySide};
