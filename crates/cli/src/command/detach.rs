//! `monotable detach`: two rows of a model no longer related.

use crate::exit::Failure;
use crate::rows::{
    Call, InputValues, ModelArguments, RowArguments, RowCommand, Verb, WriteArguments,
};
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  $ monotable detach -m model.toml ParentChild UserId=ada ParentId=george ChildId=ada";

/// End the relation of two rows of a model, and show the row that related them
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Detach {
    #[command(flatten)]
    model: ModelArguments,

    /// The entity of the relation
    relation: String,

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

impl Detach {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let given = InputValues::words(self.key, self.rows.notation.notation())?;
        let mut asked = RowCommand::new(Verb::Detach, self.relation, given).written(self.write);
        asked.expect = self.expect;
        Call::new(self.model.find()?, self.rows).run(asked).await
    }
}
