//! `monotable update`: some attributes of a row of a model changed.

use crate::exit::Failure;
use crate::rows::{
    Call, ChangeArguments, InputValues, ModelArguments, RowArguments, RowCommand, Verb,
    WriteArguments,
};
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  $ monotable update -m model.toml Person UserId=ada PersonId=ada --set BirthDate=1815-12-10 --unset Biography
  $ monotable update -m model.toml Tree UserId=ada TreeId=byron --append SharedWith=charles --expect IsPublic=false";

/// Change some attributes of a row of a model, and show it
///
/// Index keys, unique values, counters and times are kept up to date.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Update {
    #[command(flatten)]
    model: ModelArguments,

    /// The entity
    entity: String,

    /// The attributes of its key, NAME=VALUE each, or one JSON object
    #[arg(value_name = "NAME=VALUE", required = true)]
    key: Vec<String>,

    #[command(flatten)]
    change: ChangeArguments,

    /// Only if an attribute has this value; a name alone: only if it has none
    #[arg(long, value_name = "NAME=VALUE")]
    expect: Vec<String>,

    #[command(flatten)]
    write: WriteArguments,

    #[command(flatten)]
    rows: RowArguments,
}

impl Update {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let given = InputValues::words(self.key, self.rows.notation.notation())?;
        let mut asked = RowCommand::new(Verb::Update, self.entity, given).written(self.write);
        asked.change = self.change;
        asked.expect = self.expect;
        Call::new(self.model.find()?, self.rows).run(asked).await
    }
}
