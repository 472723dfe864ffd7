//! `monotable create`: new rows of a model.

mod bulk;
pub(super) mod refused_lines;

use crate::exit::Failure;
use crate::model_file::is_stdin;
use crate::rows::{
    Call, HashArguments, ModelArguments, RowArguments, RowCommand, RowWords, Verb, WriteArguments,
};
use bulk::Bulk;
use clap::{Args, ValueHint};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ monotable create User UserId=ada Email=ada@example.com PasswordHash='Enchantress of Numbers'
  $ monotable create -m model.toml User UserId=mary Email=mary@example.com \\
      --set-hash PasswordHash='$2b$10$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
  $ monotable create Tree UserId=ada TreeId=byron TreeName=Byron SharedWith='[\"mary\"]'
  $ echo '{\"UserId\": \"ada\", \"TreeId\": \"king\", \"TreeName\": \"King\"}' | monotable create Tree
  $ monotable create Person UserId=ada TreeId=byron PersonId=george FirstName=George LastName=Byron Gender=Male
  $ monotable create Person UserId=ada TreeId=byron PersonId=ada FirstName=Ada LastName=Byron Gender=Female
  $ echo '{\"UserId\": \"ada\", \"TreeId\": \"milbanke\", \"TreeName\": \"Milbanke\"}' > trees.jsonl
  $ monotable create Tree --file trees.jsonl --refused again.jsonl --output jsonl

Of many rows each goes through the model for itself: one that is refused is reported with its line and the reason, the
others are created, and the exit code is not 0. --refused keeps the refused lines in a file for another try. All rows
are created even if whoever reads the output goes, as `head` does.";

/// Create a row of a model and show it, or create many rows from a file
///
/// Everything that the model declares is kept: ids, times and defaults are made, unique values are claimed,
/// references are checked and counters are counted. An embedded store and its tables are made if they are missing. If
/// there is such a row already, this is a conflict.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Create {
    #[command(flatten)]
    model: ModelArguments,

    /// The entity
    entity: String,

    #[command(flatten)]
    words: RowWords,

    #[command(flatten)]
    bulk: BulkArguments,

    #[command(flatten)]
    hashes: HashArguments,

    #[command(flatten)]
    write: WriteArguments,

    #[command(flatten)]
    rows: RowArguments,
}

/// Where many rows come from.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct BulkArguments {
    /// Create the rows of this file, one JSON object per line or one array; - is stdin
    #[arg(
        help_heading = "Many rows",
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["words", "json", "given", "token"]
    )]
    file: Option<PathBuf>,

    /// Write the lines that were refused to this file
    #[arg(help_heading = "Many rows", long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    refused: Option<PathBuf>,

    /// Stop at the first line that is refused
    #[arg(help_heading = "Many rows", long)]
    stop: bool,
}

impl Create {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let model = self.model.find()?;
        // A dash alone is short for --file -.
        let dash = self.words.is_dash().then(|| PathBuf::from("-"));
        if let Some(file) = self.bulk.file.or(dash) {
            if is_stdin(&file) && model.is_stdin() {
                return Err(Failure::usage("stdin can be read only once"));
            }
            let bulk = Bulk {
                model,
                entity: self.entity,
                file,
                refused: self.bulk.refused,
                stops: self.bulk.stop,
                rows: self.rows,
            };
            return bulk.run().await;
        }
        if self.bulk.refused.is_some() || self.bulk.stop {
            return Err(Failure::usage("--refused and --stop are for many rows")
                .help("give the rows with --file FILE, or - for stdin"));
        }
        let given = self.words.read(&model, self.rows.notation.notation())?;
        let mut asked = RowCommand::new(Verb::Create, self.entity, given).written(self.write);
        asked.change.hashes = self.hashes;
        Call::new(model, self.rows).run(asked).await
    }
}
