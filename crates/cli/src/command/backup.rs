//! `monotable backup`: every item of a model's tables in a file.

mod destination;

use crate::command::verify::count;
use crate::exit::{Failure, done};
use crate::rows::{ModelArguments, Opened, Use};
use crate::target::TargetArguments;
use clap::{Args, ValueHint};
use destination::Destination;
use std::io;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ monotable backup -m model.toml backup.jsonl
  $ monotable backup -m model.toml > backup.jsonl";

/// Write every item of a model's tables to a file, one per line
///
/// Items are as they are stored, in DynamoDB's JSON. What others write meanwhile may be in it or not.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Backup {
    #[command(flatten)]
    model: ModelArguments,

    /// The file, which is written whole or not at all; - is stdout
    #[arg(default_value = "-", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// Read everything and say how many items there are; write nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    target: TargetArguments,
}

impl Backup {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let model = self.model.find()?.load()?.into_model();
        let opened = Opened::open_long(model, self.target, Use::Old).await?;
        let place = opened.place;
        drop(opened.dynamo);
        if self.dry_run {
            let items = opened.store.backup(&mut io::sink()).await?;
            drop(opened.store);
            let items = count(items, "item");
            done(format_args!("would write {items} of {place}"));
            return Ok(());
        }
        let mut destination = Destination::new(&self.file)?;
        let outcome = opened.store.backup(&mut destination).await;
        drop(opened.store);
        let items = destination.finish(outcome)?;
        let items = count(items, "item");
        done(format_args!("{items} of {place} written"));
        Ok(())
    }
}
