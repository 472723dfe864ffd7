//! `monotable verify`: what is stored, held against the model.

use crate::exit::{Failure, done, note};
use crate::notation::Notation;
use crate::output::{OutputArguments, print, visible};
use crate::rows::{DeploymentArguments, ModelArguments, Opened, Use, usable};
use crate::target::TargetArguments;
use clap::Args;
use monotable_item::{EncodedItem, Item};
use monotable_store::{Repaired, Store, Verification, Violation};

const EXAMPLES: &str = "\
Examples:
  $ monotable verify -m model.toml
  $ monotable verify -m model.toml --repair
  $ monotable verify -m model.toml --convert

A violation that somebody's write explains, who writes while this reads, is gone the next time. The exit code
is 1 if there are violations. Repairs and conversions write rows of the tenant that is named, those in partitions
of all tenants too; without one, rows of the tenant without a prefix. Run twice, they write nothing the second time.";

/// Members of a violation, in order.
const COLUMNS: [&str; 4] = ["wrong", "entity", "key", "message"];

/// Read everything and hold it against the model: values, keys, guards, references, counters, relations
///
/// Violations are printed one per line.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Verify {
    #[command(flatten)]
    model: ModelArguments,

    /// First set counters to the count, and write guards and keys of indexes that old rows lack
    #[arg(long)]
    repair: bool,

    /// First write rows that stand under keys of an old layout under those of today
    #[arg(long)]
    convert: bool,

    #[command(flatten)]
    deployment: DeploymentArguments,

    #[command(flatten)]
    output: OutputArguments,

    #[command(flatten)]
    target: TargetArguments,
}

impl Verify {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let model = usable(&self.model.model)?;
        let opened = Opened::open_long(model, self.target, Use::Old).await?;
        let store = self.deployment.applied(opened.store)?;
        drop(opened.dynamo);
        let mut repairs = Vec::new();
        if self.convert {
            repairs.push(("convert", store.convert().await?));
        }
        if self.repair {
            repairs.extend(repair(&store).await?);
        }
        let found = store.verify().await?;
        // With it goes the line that says how far it is.
        drop(store);
        for (what, repaired) in &repairs {
            tell(what, repaired);
        }
        show(&found.violations, &self.output)?;
        conclude(&found)
    }
}

async fn repair(store: &Store) -> Result<Vec<(&'static str, Repaired)>, Failure> {
    let recounted = store.recount().await?;
    let filled = store.backfill().await?;
    Ok(vec![("recount", recounted), ("backfill", filled)])
}

fn tell(what: &str, repaired: &Repaired) {
    let written = repaired.written;
    done(format_args!("{what}: {} written", count(written, "row")));
    for left in &repaired.left {
        note(format_args!("{what} left {}", visible(left)));
    }
}

fn show(violations: &[Violation], output: &OutputArguments) -> Result<(), Failure> {
    if !output.is_given() {
        let line = |violation: &Violation| format!("{}\n", visible(&violation.to_string()));
        let lines: String = violations.iter().map(line).collect();
        return print(lines.as_bytes());
    }
    let items: Vec<EncodedItem> = violations.iter().map(item).collect();
    let columns = COLUMNS.map(str::to_owned).to_vec();
    let mut printer = output.printer(Notation::Plain, columns);
    printer.page(&items)?;
    printer.finish()
}

fn item(violation: &Violation) -> EncodedItem {
    let item = Item::new()
        .with("wrong", violation.wrong.name())
        .with("entity", violation.entity.as_str())
        .with("key", violation.key.as_str())
        .with("message", violation.message.as_str());
    EncodedItem::from(item)
}

fn conclude(found: &Verification) -> Result<(), Failure> {
    let looked_at = format!(
        "{} and {} looked at, and {} that the model does not know",
        count(found.rows, "row"),
        count(found.guards, "guard"),
        count(found.unknown, "item"),
    );
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

fn count(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}
