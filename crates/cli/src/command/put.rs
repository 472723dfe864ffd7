//! `monotable put`: a row of a model made equal to what is given.

use crate::exit::Failure;
use crate::rows::{
    Call, HashArguments, ModelArguments, RowArguments, RowCommand, RowWords, Verb, WriteArguments,
};
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  $ monotable put User UserId=mary Email=mary@example.com PasswordHash='The Mechanism of the Heavens'
  $ monotable put -m model.toml User UserId=mary Email=mary@example.com PasswordHash=x --expect UserId=mary --dry-run

`monotable table put` writes raw items to any table.";

/// Create a row of a model, or make the row that is there equal to it, and show it
///
/// Everything that the model declares about the row is kept. Attributes of the row there that are not given are
/// removed; `monotable update` changes some and leaves the others.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Put {
    #[command(flatten)]
    model: ModelArguments,

    /// The entity
    entity: String,

    #[command(flatten)]
    words: RowWords,

    #[command(flatten)]
    hashes: HashArguments,

    /// Only if an attribute of the row there has this value; a name alone: only if it has none
    #[arg(long, value_name = "NAME=VALUE")]
    expect: Vec<String>,

    #[command(flatten)]
    write: WriteArguments,

    #[command(flatten)]
    rows: RowArguments,
}

impl Put {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let model = self.model.find()?;
        let given = self.words.read(&model, self.rows.notation.notation())?;
        let mut asked = RowCommand::new(Verb::Put, self.entity, given).written(self.write);
        asked.change.hashes = self.hashes;
        asked.expect = self.expect;
        Call::new(model, self.rows).run(asked).await
    }
}
