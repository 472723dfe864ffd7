//! `monotable setup`: the tables of a model.

use crate::exit::{Failure, done, note};
use crate::rows::{ModelArguments, Opened};
use crate::target::TargetArguments;
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  $ monotable setup -m model.toml
  $ monotable setup -m model.toml --store ./data
  $ monotable setup -m model.toml --dry-run";

/// Make the tables and indexes of a model that are missing
///
/// A table that is there and differs from the model's is an error, and stays as it is. Makes the embedded
/// store if there is none; commands on rows make the tables of an embedded store by themselves.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Setup {
    #[command(flatten)]
    model: ModelArguments,

    /// Say what would be made, and make nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    target: TargetArguments,
}

impl Setup {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let model = self.model.find()?.load()?.into_model();
        if self.dry_run {
            return plan(Opened::open_to_plan(model, self.target).await?).await;
        }
        let opened = Opened::open_bare(model, self.target).await?;
        let place = opened.place.locate();
        for made in opened.store.setup().await? {
            if made.new {
                done(format_args!("created {} {place}", made.table))
            } else {
                done(format_args!("{} is there already {place}", made.table))
            }
            for changed in &made.changed {
                done(format_args!("{} has {changed} now", made.table));
            }
            for lacking in &made.lacks {
                note(format_args!(
                    "{} has no {lacking}: the target has none",
                    made.table
                ));
            }
        }
        Ok(())
    }
}

/// Says what a setup would make.
async fn plan(opened: Opened) -> Result<(), Failure> {
    let place = opened.place.locate();
    for planned in opened.store.plan_setup().await? {
        let table = &planned.table;
        if planned.new {
            done(format_args!("would create {table} {place}"));
        } else {
            done(format_args!("{table} is there already {place}"));
        }
        for setting in &planned.changed {
            done(format_args!("would give {table} its {setting}"));
        }
        for lacking in &planned.lacks {
            note(format_args!(
                "{table} has no {lacking}: the target has none"
            ));
        }
    }
    Ok(())
}
