//! `monotable delete`: a row of a model deleted.

use crate::exit::Failure;
use crate::rows::{
    Call, InputValues, ModelArguments, RowArguments, RowCommand, Verb, WriteArguments,
};
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  $ monotable delete -m model.toml Tree UserId=ada TreeId=king --dry-run
  $ monotable delete -m model.toml Tree UserId=ada TreeId=king --expect PersonCount=0";

/// Delete a row of a model with everything that goes with it, and show what it was
///
/// Rows that refer to it are deleted, changed or in the way, as the model says.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Delete {
    #[command(flatten)]
    model: ModelArguments,

    /// The entity
    entity: String,

    /// The attributes of its key, NAME=VALUE each, or one JSON object
    #[arg(value_name = "NAME=VALUE", required = true)]
    key: Vec<String>,

    /// Only if an attribute has this value; a name alone: only if it has none
    #[arg(long, value_name = "NAME=VALUE")]
    expect: Vec<String>,

    #[command(flatten)]
    write: WriteArguments,

    #[command(flatten)]
    rows: RowArguments,
}

impl Delete {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let given = InputValues::words(self.key, self.rows.notation.notation())?;
        let mut asked = RowCommand::new(Verb::Delete, self.entity, given).written(self.write);
        asked.expect = self.expect;
        Call::new(self.model.find()?, self.rows).run(asked).await
    }
}
