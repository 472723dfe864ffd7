//! `monotable purge`: everything of an owner, deleted.

use crate::exit::{Failure, note};
use crate::rows::{ModelArguments, RowArguments, Use, Work, explain, principal};
use crate::versions::print_purge;
use clap::Args;
use monotable_item::Item;
use monotable_store::{AnyOperation, Options, Purge as Operation, PurgeReport, Store};

const EXAMPLES: &str = "\
Examples:
  $ monotable purge -m values.toml userId=ada --dry-run
  $ monotable purge -m values.toml userId=ada --yes";

/// Delete everything of an owner: all partitions that the isolation of the model gives to this caller
///
/// There is no way back. Without --yes it says what would be deleted, and deletes nothing; --dry-run lists the partitions,
/// each with its revision, its rows and how it was found. At the end the whole table is read, for snapshots that no row names.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Purge {
    #[command(flatten)]
    model: ModelArguments,

    /// Attributes of the model's principal
    #[arg(value_name = "NAME=VALUE", required = true)]
    owner: Vec<String>,

    /// Delete it
    #[arg(long, conflicts_with_all = ["dry_run", "explain"])]
    yes: bool,

    #[command(flatten)]
    rows: RowArguments,
}

impl Purge {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let model = self.model.find()?.load()?;
        let owner = principal(&self.owner, &model)?;
        let usage = if self.yes { Use::Old } else { Use::Pretended };
        let RowArguments { trial, output, .. } = &self.rows;
        let notation = self.rows.notation.notation();
        let store = self.rows.open(model.clone(), usage, Work::Long).await?;
        if trial.explain {
            let operation = AnyOperation::Purge(Operation { owner });
            let options = Options::default();
            return explain(&store, &model, operation, options, output, notation).await;
        }
        let report = purge(&store, owner, !self.yes).await?;
        // With it goes the line that says how far it is.
        drop(store);
        if !self.yes && !trial.dry_run {
            return Err(unsure(&report));
        }
        print_purge(&report, output, notation)?;
        if trial.dry_run {
            note("--dry-run: nothing was deleted");
        }
        Ok(())
    }
}

async fn purge(store: &Store, owner: Item, dry_run: bool) -> Result<PurgeReport, Failure> {
    let call = store.purge(owner);
    let report = if dry_run {
        call.dry_run().await
    } else {
        call.await
    };
    Ok(report?)
}

fn unsure(report: &PurgeReport) -> Failure {
    let (items, partitions) = (report.items(), report.partitions.len());
    let what =
        format!("this would delete {items} items in {partitions} partitions; nothing was deleted");
    Failure::usage(what).help("add --yes to delete them; there is no way back")
}
