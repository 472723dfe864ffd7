//! The model of a command.

use crate::exit::Failure;
use crate::findings::{Findings, Tally};
use crate::model_file::ModelFile;
use clap::{Args, ValueHint};
use monotable_model::model::Model;
use std::path::{Path, PathBuf};

/// The model as the command line names it.
#[derive(Args, Clone, Debug)]
pub(crate) struct ModelArguments {
    /// The model; - is stdin
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) model: PathBuf,
}

/// Reads a model; one with errors is refused with all of them, as `check` shows them.
pub(crate) fn usable(path: &Path) -> Result<Model, Failure> {
    let findings = Findings::of(ModelFile::read(path)?);
    match findings.usable() {
        Some(model) => Ok(model.clone()),
        None => {
            findings.show();
            findings.note_other_kind();
            Err(Failure::configuration(Tally::of(&findings)))
        }
    }
}
