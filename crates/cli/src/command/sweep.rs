//! `monotable sweep`: what commits left that never finished, deleted.

use crate::exit::Failure;
use crate::rows::{
    Asked, Call, Given, ModelArguments, Opened, RowArguments, Use, Verb, WriteArguments, usable,
};
use crate::versions::{Asking, DryRunArguments, age, counted};
use clap::Args;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  $ monotable sweep -m values.toml values userId=ada
  $ monotable sweep -m values.toml values userId=ada --older-than 2h --dry-run
  $ monotable sweep -m values.toml values

A commit that is under way would be undone: choose an age that no commit reaches.";

/// Delete what commits left in a versioned repository that never finished
///
/// It prints how many such commits there were, how many rows they had written, and how many are not old enough.
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

    #[command(flatten)]
    write: DryRunArguments,

    #[command(flatten)]
    rows: RowArguments,
}

impl Sweep {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        if self.key.is_empty() {
            return self.everywhere().await;
        }
        let given = Given::words(self.key, self.rows.notation.notation())?;
        let asked = Asked {
            write: WriteArguments::from(self.write),
            asking: Asking {
                older_than: self.older_than,
                ..Asking::default()
            },
            ..Asked::new(Verb::Sweep, self.repository, given)
        };
        Call::new(self.model.model, self.rows).run(asked).await
    }

    /// Of every owner: the whole table is read.
    async fn everywhere(self) -> Result<(), Failure> {
        let write = WriteArguments::from(self.write);
        if write.dry_run {
            let what = "--dry-run needs the key of one repository";
            return Err(Failure::usage(what));
        }
        let model = usable(&self.model.model)?;
        let notation = self.rows.notation.notation();
        let opened = Opened::open_long(model, self.rows.target, Use::Old).await?;
        let store = self.rows.caller.applied(opened.store)?;
        let swept = store.sweep_all(&self.repository, self.older_than).await?;
        let counts = [
            ("intents", swept.intents),
            ("rows", swept.rows),
            ("left", swept.left),
        ];
        counted(&counts, &self.rows.output, notation)
    }
}
