//! `monotable move`: rows of a model that come to stand elsewhere.

use crate::exit::Failure;
use crate::rows::{
    Call, ChangeArguments, InputValues, ModelArguments, RowArguments, RowCommand, Verb,
    WriteArguments,
};
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  $ monotable move -m model.toml transfer_tree UserId=ada TreeId=byron --set UserId=mary";

/// Move a row of a model with the rows that go along, as the model declares it, and show it
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MoveRow {
    #[command(flatten)]
    model: ModelArguments,

    /// The move, or the name of its way back or of its purge
    name: String,

    /// The attributes of the row's key, NAME=VALUE each, or one JSON object
    #[arg(value_name = "NAME=VALUE", required = true)]
    key: Vec<String>,

    /// A new value of an attribute that the move changes; none for a move to another entity
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,

    #[command(flatten)]
    write: WriteArguments,

    #[command(flatten)]
    rows: RowArguments,
}

impl MoveRow {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let given = InputValues::words(self.key, self.rows.notation.notation())?;
        let mut asked = RowCommand::new(Verb::Move, self.name, given).written(self.write);
        asked.change = ChangeArguments {
            set: self.set,
            ..ChangeArguments::default()
        };
        Call::new(self.model.find()?, self.rows).run(asked).await
    }
}
