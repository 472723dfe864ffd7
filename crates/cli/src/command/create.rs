//! `monotable create`: a new row of a model.

use crate::exit::Failure;
use crate::rows::{
    Call, HashArguments, ModelArguments, RowArguments, RowCommand, RowWords, Verb, WriteArguments,
};
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  $ monotable create -m model.toml User UserId=ada Email=ada@example.com PasswordHash='Enchantress of Numbers'
  $ monotable create -m model.toml User UserId=mary Email=mary@example.com \\
      --set-hash PasswordHash='$2b$10$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
  $ monotable create -m model.toml Tree UserId=ada TreeId=byron TreeName=Byron SharedWith='[\"mary\"]'
  $ echo '{\"UserId\": \"ada\", \"TreeId\": \"king\", \"TreeName\": \"King\"}' | monotable create -m model.toml Tree
  $ monotable create -m model.toml Person UserId=ada TreeId=byron PersonId=george FirstName=George LastName=Byron Gender=Male
  $ monotable create -m model.toml Person UserId=ada TreeId=byron PersonId=ada FirstName=Ada LastName=Byron Gender=Female";

/// Create a row of a model, and show it
///
/// Everything that the model says about it is kept: ids, times and defaults are made, unique values claimed,
/// references held against what is there, counters counted. An embedded store and its tables are made if
/// they are missing. If there is such a row already, this is a conflict.
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
    hashes: HashArguments,

    #[command(flatten)]
    write: WriteArguments,

    #[command(flatten)]
    rows: RowArguments,
}

impl Create {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let model = self.model.model;
        let given = self.words.read(&model, self.rows.notation.notation())?;
        let mut asked = RowCommand::new(Verb::Create, self.entity, given).written(self.write);
        asked.change.hashes = self.hashes;
        Call::new(model, self.rows).run(asked).await
    }
}
