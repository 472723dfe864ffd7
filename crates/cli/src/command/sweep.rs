//! `monotable sweep`: what commits left that never finished, deleted.

use crate::exit::{Failure, note};
use crate::rows::{Call, InputValues, ModelArguments, RowArguments, RowCommand, Use, Verb, Work};
use crate::versions::{Asking, age, print_sweep};
use clap::Args;
use monotable_store::SweepMode;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  $ monotable sweep -m values.toml values userId=ada
  $ monotable sweep -m values.toml values userId=ada --older-than 2h --dry-run
  $ monotable sweep -m values.toml values
  $ monotable sweep -m values.toml values --delete

A commit that is under way would be undone: choose an age that no commit reaches. Whatever the head or the log
names is never deleted. Without a key the whole table is read, and nothing is deleted without --delete. The exit
code is 1 if a head, a log or an intent is not understood; what depends on it is left.";

/// Delete what unfinished commits have left in a versioned repository
///
/// It prints how many such commits there were, how many rows they had written, and how many are not old enough; then
/// what goes and what is kept, each with its owner, its revision and the reason.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Sweep {
    #[command(flatten)]
    model: ModelArguments,

    /// The repository
    repository: String,

    /// The attributes of its key, NAME=VALUE each, or one JSON object; without any the whole table is read
    #[arg(value_name = "KEY=VALUE")]
    key: Vec<String>,

    /// Only what began so long ago: 30s, 15m, 2h, 1d
    #[arg(long, value_name = "AGE", value_parser = age, default_value = "1d")]
    older_than: Duration,

    /// Without a key: delete what is found, instead of only listing it
    #[arg(long, conflicts_with_all = ["key", "dry_run"])]
    delete: bool,

    #[command(flatten)]
    rows: RowArguments,
}

impl Sweep {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        if self.key.is_empty() {
            return self.everywhere().await;
        }
        let given = InputValues::words(self.key, self.rows.notation.notation())?;
        let asked = RowCommand {
            asking: Asking {
                older_than: self.older_than,
                ..Asking::default()
            },
            ..RowCommand::new(Verb::Sweep, self.repository, given)
        };
        Call::new(self.model.find()?, self.rows).run(asked).await
    }

    /// Of every owner: the whole table is read.
    async fn everywhere(self) -> Result<(), Failure> {
        let mode = if self.delete {
            SweepMode::Delete
        } else {
            SweepMode::List
        };
        let model = self.model.find()?.load()?.into_model();
        let notation = self.rows.notation.notation();
        if self.rows.trial.explain {
            return Err(Failure::usage(
                "--explain needs a key: without one the whole table is read",
            )
            .help("add the attributes of the key of a repository, KEY=VALUE each"));
        }
        let store = self.rows.open(model, Use::Old, Work::Long).await?;
        let report = store
            .sweep_all(&self.repository, self.older_than, mode)
            .await?;
        if mode == SweepMode::List {
            note("nothing was deleted; --delete deletes what is listed as removed");
        }
        print_sweep(&report, &self.rows.output, notation)
    }
}
