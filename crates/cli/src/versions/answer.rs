//! What is printed of what a repository answers.

use super::asking::Asking;
use super::declared::Declared;
use super::{committed, difference, removed, snapshot};
use crate::exit::Failure;
use crate::notation::Notation;
use crate::output::OutputArguments;
use monotable_model::model::Model;
use monotable_store::AnyOutput;

/// An answer on its way to the output.
pub(crate) struct Answer<'a> {
    pub(crate) model: &'a Model,
    /// The repository, if it was one that was asked.
    pub(crate) declared: Option<Declared<'a>>,
    pub(crate) asking: &'a Asking,
    pub(crate) output: OutputArguments,
    pub(crate) notation: Notation,
}

impl Answer<'_> {
    /// Prints it.
    pub(crate) fn print(self, outcome: AnyOutput) -> Result<(), Failure> {
        match (outcome, self.declared) {
            (AnyOutput::Committed(made), _) => committed::print(&self, &made),
            (AnyOutput::Snapshot(shown), Some(declared)) => {
                snapshot::print(&self, &declared, &shown)
            }
            (AnyOutput::Differences(found), Some(declared)) => {
                difference::print(&self, &declared, &found)
            }
            (AnyOutput::SweepReport(report), _) => {
                removed::print_sweep(&report, &self.output, self.notation)
            }
            (other, _) => Err(Failure::bug(format_args!("this was the answer: {other:?}"))),
        }
    }
}
