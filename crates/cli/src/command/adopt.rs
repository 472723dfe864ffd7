//! `monotable adopt`: a table that other programs wrote, taken over.

use crate::command::verify::{Consent, SpillArguments, count, tell};
use crate::exit::{Failure, done};
use crate::output::{print, visible};
use crate::rows::{ModelArguments, Opened, Use, WriterArguments};
use crate::target::TargetArguments;
use clap::Args;
use monotable_store::{Adoption, RepairMode};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ monotable adopt -m model.toml
  $ monotable adopt -m model.toml --yes

Rows that something else has written lack what the model's operations rely on: guards of unique values and of
relations, counters, derived rows, keys of indexes; or they stand under keys of an old layout. Without --yes it is only
said what would be written. A call that was cut off is made again. If nothing contradicts the model in the end, the
store remembers that its rows are adopted; the exit code is 1 if something does.";

/// Take over a table that other programs wrote: convert old layouts, write guards, counters and derived rows, and verify
///
/// What would be written, and what contradicts the model, is printed one per line.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Adopt {
    #[command(flatten)]
    model: ModelArguments,

    /// Write what is printed without it
    #[arg(long)]
    yes: bool,

    /// Say what would be written, and write nothing, as without --yes
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,

    /// A folder that keeps how far the tables were read
    #[arg(long, value_name = "DIR")]
    job: Option<PathBuf>,

    #[command(flatten)]
    writer: WriterArguments,

    #[command(flatten)]
    target: TargetArguments,
}

impl Adopt {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let model = self.model.find()?.load()?.into_model();
        let spill = SpillArguments::open(self.job.as_deref())?;
        let opened = Opened::open_long(model, self.target, Use::Old).await?;
        let store = self.writer.applied(opened.store)?;
        drop(opened.dynamo);
        let mode = if self.yes {
            RepairMode::Write
        } else {
            RepairMode::Plan
        };
        let adoption = store.adopt(&spill.job_options(), mode).await?;
        // With it goes the line that says how far it is.
        drop(store);
        let consent = if self.dry_run {
            Consent::WithoutDryRun
        } else {
            Consent::Yes
        };
        tell("convert", &adoption.converted, consent)?;
        tell("repair", &adoption.repaired, consent)?;
        conclude(&adoption)
    }
}

fn conclude(adoption: &Adoption) -> Result<(), Failure> {
    let violations = &adoption.verification.violations;
    let lines = violations
        .iter()
        .map(|violation| format!("{}\n", visible(&violation.to_string())));
    print(lines.collect::<String>().as_bytes())?;
    if !violations.is_empty() {
        let left = count(violations.len() as u64, "violation");
        return Err(Failure::violations(format!(
            "{left} left: the rows are not adopted"
        )));
    }
    if adoption.is_adopted {
        done("no violations; the rows are adopted");
    } else {
        done("no violations; the store's own item cannot be written, so nothing remembers it");
    }
    Ok(())
}
