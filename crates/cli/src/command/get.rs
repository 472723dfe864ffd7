//! `monotable get`: one row of a model.

use crate::exit::Failure;
use crate::rows::{Call, InputValues, ModelArguments, RowArguments, RowCommand, Verb};
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  $ monotable get Person UserId=ada PersonId=george
  $ monotable get -m model.toml Tree UserId=ada TreeId=byron --as UserId=mary
  $ monotable get Person UserId=ada PersonId=george --explain

`monotable table get` shows the raw item of any table.";

/// Show one row of a model
///
/// Exits with 254 if there is no such row.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Get {
    #[command(flatten)]
    model: ModelArguments,

    /// The entity
    entity: String,

    /// The attributes of its key, NAME=VALUE each, or one JSON object
    #[arg(value_name = "NAME=VALUE", required = true)]
    key: Vec<String>,

    /// See every write that was acknowledged before
    #[arg(long)]
    consistent: bool,

    #[command(flatten)]
    rows: RowArguments,
}

impl Get {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let given = InputValues::words(self.key, self.rows.notation.notation())?;
        let mut asked = RowCommand::new(Verb::Get, self.entity, given);
        asked.is_consistent = self.consistent;
        Call::new(self.model.find()?, self.rows).run(asked).await
    }
}
