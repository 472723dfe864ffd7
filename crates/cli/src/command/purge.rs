//! `monotable purge`: everything of an owner, deleted.

use crate::exit::{Failure, note};
use crate::notation::Notation;
use crate::rows::{ModelArguments, Opened, RowArguments, Use, principal, usable};
use crate::versions::{DryRunArguments, print_purge};
use clap::Args;
use monotable_item::Item;
use monotable_store::{PurgeReport, Store};

const EXAMPLES: &str = "\
Examples:
  $ monotable purge -m values.toml userId=ada --dry-run
  $ monotable purge -m values.toml userId=ada --yes";

/// Delete everything of an owner: all partitions that the isolation of the model gives to this caller
///
/// There is no way back. Without --yes it says what would be deleted, and deletes nothing; --dry-run lists the partitions,
/// each with its revision, its rows and how it was found. At last the whole table is read, for snapshots that no row names.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Purge {
    #[command(flatten)]
    model: ModelArguments,

    /// Attributes of the model's principal
    #[arg(value_name = "NAME=VALUE", required = true)]
    owner: Vec<String>,

    /// Delete it
    #[arg(long, conflicts_with = "dry_run")]
    yes: bool,

    #[command(flatten)]
    write: DryRunArguments,

    #[command(flatten)]
    rows: RowArguments,
}

impl Purge {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let model = usable(&self.model.model)?;
        let owner = principal(&self.owner, &model)?;
        let usage = if self.yes { Use::Old } else { Use::Pretended };
        let notation: Notation = self.rows.notation.notation();
        let opened = Opened::open_long(model, self.rows.target, usage).await?;
        let store = self.rows.caller.applied(opened.store)?;
        drop(opened.dynamo);
        let report = purge(&store, owner, !self.yes).await?;
        // With it goes the line that says how far it is.
        drop(store);
        match (self.yes, self.write.dry_run) {
            (false, false) => Err(unsure(&report)),
            (_, is_dry) => {
                print_purge(&report, &self.rows.output, notation)?;
                if is_dry {
                    note("--dry-run: nothing was deleted");
                }
                Ok(())
            }
        }
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
