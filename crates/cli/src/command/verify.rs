//! `monotable verify`: what is stored, held against the model.

mod listing;
mod temporary;

use crate::exit::{Failure, done, note};
use crate::output::{OutputArguments, print, visible};
use crate::rows::{ModelArguments, Opened, Use, WriterArguments};
use crate::target::TargetArguments;
use clap::Args;
use monotable_store::{RepairMode, RepairScope, Repaired, Store, Verification, VerifyOptions};
use std::path::PathBuf;
pub(crate) use temporary::SpillArguments;

const EXAMPLES: &str = "\
Examples:
  $ monotable verify -m model.toml
  $ monotable verify -m model.toml --repair
  $ monotable verify -m model.toml --repair --yes
  $ monotable verify -m model.toml --finish
  $ monotable verify -m model.toml --finish --convert --dry-run
  $ monotable verify -m model.toml --job ./job

Four lists are printed: violations, operations that were begun and have not ended, items that the model does not
know, and notes about what it allows. The exit code is 1 if there are violations, and only then. What looks wrong is
read again before it is told, so a store that is in use verifies as clean as one that is not. All tenants are read,
unless one is named. --repair prints what it would write; with --yes it writes, each row in its own tenant, and a
second call writes nothing. With --job, a call that was cut off is gone on with by the next one.";

/// Read everything and hold it against the model: values, keys, guards, references, counters, relations
///
/// What is found is printed one per line.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Verify {
    #[command(flatten)]
    model: ModelArguments,

    /// Print what a repair would write: counters, guards, keys of indexes, derived rows; with --yes, write it first
    #[arg(long)]
    repair: bool,

    /// Write what --repair prints
    #[arg(long, requires = "repair")]
    yes: bool,

    /// First write rows that stand under keys of an old layout under those of today
    #[arg(long)]
    convert: bool,

    /// First end the deletes, moves and commits that were begun and have not ended, and delete tokens that are over
    #[arg(long)]
    finish: bool,

    /// Say what --finish, --convert and --repair would write, and write nothing
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,

    /// A folder that keeps how far the tables were read, so that a second call goes on
    #[arg(long, value_name = "DIR")]
    job: Option<PathBuf>,

    #[command(flatten)]
    writer: WriterArguments,

    #[command(flatten)]
    output: OutputArguments,

    #[command(flatten)]
    target: TargetArguments,
}

impl Verify {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let model = self.model.find()?.load()?.into_model();
        let spill = SpillArguments::open(self.job.as_deref())?;
        let opened = Opened::open_long(model, self.target, Use::Old).await?;
        let store = self.writer.applied(opened.store)?;
        drop(opened.dynamo);
        let mut repairs = Vec::new();
        if self.finish {
            let options = spill.options();
            let finished = if self.dry_run {
                store.plan_finish(&options).await?
            } else {
                store.finish(&options).await?
            };
            repairs.push(("finish", finished));
        }
        if self.convert {
            let converted = if self.dry_run {
                store.plan_conversion(&spill.options()).await?
            } else {
                store.convert().await?
            };
            repairs.push(("convert", converted));
        }
        if self.repair {
            repairs.push(("repair", repair(&store, &spill.options(), self.yes).await?));
        }
        let found = store.verify_with(&spill.job_options()).await?;
        // With it goes the line that says how far it is.
        drop(store);
        for (what, repaired) in &repairs {
            let consent = if self.dry_run {
                Consent::WithoutDryRun
            } else {
                Consent::Yes
            };
            tell(what, repaired, consent)?;
        }
        listing::show(&found, &self.output)?;
        conclude(&found)
    }
}

async fn repair(store: &Store, options: &VerifyOptions, writes: bool) -> Result<Repaired, Failure> {
    let mode = if writes {
        RepairMode::Write
    } else {
        RepairMode::Plan
    };
    Ok(store.repair(options, RepairScope::All, mode).await?)
}

/// How a caller has written what is only planned.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Consent {
    /// By `--yes`.
    Yes,
    /// By the same command without `--dry-run`.
    WithoutDryRun,
}

pub(crate) fn tell(what: &str, repaired: &Repaired, consent: Consent) -> Result<(), Failure> {
    if !repaired.planned.is_empty() {
        let line = |plan: &String| format!("would {what}: {}\n", visible(plan));
        let lines: String = repaired.planned.iter().map(line).collect();
        print(lines.as_bytes())?;
        let planned = count(repaired.planned.len() as u64, "row");
        let how = match consent {
            Consent::Yes => "--yes writes them",
            Consent::WithoutDryRun => "nothing was written",
        };
        done(format_args!("{what}: {planned} to write; {how}"));
        return Ok(());
    }
    let written = repaired.written;
    done(format_args!("{what}: {} written", count(written, "row")));
    for left in &repaired.left {
        note(format_args!("{what} left {}", visible(left)));
    }
    Ok(())
}

fn conclude(found: &Verification) -> Result<(), Failure> {
    let mut looked_at = format!(
        "{} and {} looked at, and {} that the model does not know",
        count(found.rows, "row"),
        count(found.guards, "guard"),
        count(found.unknown, "item"),
    );
    if !found.unfinished.is_empty() {
        let unfinished = count(found.unfinished.len() as u64, "operation");
        looked_at.push_str(&format!("; {unfinished} not ended: --finish ends them"));
    }
    if found.unsettled > 0 {
        let unsettled = count(found.unsettled, "finding");
        looked_at.push_str(&format!(
            "; {unsettled} changed while looked at: verify again"
        ));
    }
    match found.violations.len() as u64 {
        0 => {
            done(format_args!("no violations; {looked_at}"));
            Ok(())
        }
        violations => {
            let what = format_args!("{}; {looked_at}", count(violations, "violation")).to_string();
            Err(Failure::violations(what))
        }
    }
}

pub(crate) fn count(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}
