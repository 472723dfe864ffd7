//! `monotable setup`: the tables of a model.

mod difference;

use crate::confirmation::confirm;
use crate::exit::{Failure, done, note};
use crate::progress::Progress;
use crate::rows::{ModelArguments, Opened};
use crate::target::{Place, TargetArguments};
use clap::Args;
use difference::{Tense, tell_difference};
use monotable_store::{SetupReport, SetupScope};
use std::sync::{Mutex, PoisonError};

const EXAMPLES: &str = "\
Examples:
  $ monotable setup -m model.toml
  $ monotable setup -m model.toml --store ./data
  $ monotable setup -m model.toml --dry-run
  $ monotable setup -m model.toml --drop-indexes --confirm Orders";

/// Make the tables and indexes of a model that are missing, and bring those that are there up to date
///
/// Says what is different, and changes it: tables, global indexes, time to live, streams, point-in-time recovery,
/// deletion protection, tags and billing mode. What is as the model says is left alone, so that a second run changes
/// nothing. An index that differs from the model's, or that the model does not know, is dropped only with
/// --drop-indexes. Makes the embedded store if there is none; commands on rows make the tables of an embedded store by
/// themselves, and leave their indexes to this one.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Setup {
    #[command(flatten)]
    model: ModelArguments,

    /// Say what would be changed, and change nothing
    #[arg(long)]
    dry_run: bool,

    /// Drop indexes that the model does not know, and make those anew that differ from the model's
    #[arg(long)]
    drop_indexes: bool,

    /// The name of the table that loses an index, as a confirmation; asked for on anything but a store of this machine
    #[arg(long, value_name = "TABLE", requires = "drop_indexes")]
    confirm: Option<String>,

    #[command(flatten)]
    target: TargetArguments,
}

impl Setup {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let model = self.model.find()?.load()?.into_model();
        let scope = if self.drop_indexes {
            SetupScope::Everything
        } else {
            SetupScope::Additions
        };
        if self.dry_run {
            let opened = Opened::open_to_plan(model, self.target).await?;
            let planned = opened.store.plan_setup(scope).await?;
            tell_difference(&planned, &opened.place, Tense::Would);
            return Ok(());
        }
        let opened = Opened::open_bare(model, self.target).await?;
        let planned = opened.store.plan_setup(scope).await?;
        for table in planned.iter().filter(|table| table.drops()) {
            confirm_drop(table, &opened.place, self.confirm.as_deref())?;
        }
        tell_difference(&planned, &opened.place, Tense::Will);
        let progress = Mutex::new(Progress::new());
        let made = opened
            .store
            .setup_within(scope, &|waiting| {
                let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
                progress.at(waiting);
            })
            .await;
        drop(progress);
        conclude(&made?, &planned, &opened.place);
        Ok(())
    }
}

/// Says what was not known beforehand, and that it is done.
fn conclude(made: &[SetupReport], planned: &[SetupReport], place: &Place) {
    for (table, planned) in made.iter().zip(planned) {
        let name = &table.table;
        let untold = table.lacks.iter();
        for lacking in untold.filter(|lacking| !planned.lacks.contains(lacking)) {
            note(format_args!("{name} has no {lacking}: the target has none"));
        }
        if table.new {
            done(format_args!("created {name} {}", place.locate()));
        } else if !table.is_unchanged() {
            done(format_args!(
                "{name} is as the model says now {}",
                place.locate()
            ));
        }
    }
}

fn confirm_drop(table: &SetupReport, place: &Place, given: Option<&str>) -> Result<(), Failure> {
    let what = format!("setup drops indexes of {}", table.table);
    confirm(place, &what, &table.table, given)
}
