//! `monotable attach`: two rows of a model related.

use crate::exit::Failure;
use crate::rows::{Call, ModelArguments, RowArguments, RowCommand, RowWords, Verb, WriteArguments};
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  $ monotable attach -m model.toml ParentChild UserId=ada TreeId=byron ParentId=george ChildId=ada Type=Biological";

/// Relate two rows of a model, and show the new row that relates them
///
/// The entity is one that refers to both. A relation that would be a cycle, or that is there with its ends
/// the other way round, is refused if the model says so.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Attach {
    #[command(flatten)]
    model: ModelArguments,

    /// The entity of the relation
    relation: String,

    #[command(flatten)]
    words: RowWords,

    #[command(flatten)]
    write: WriteArguments,

    #[command(flatten)]
    rows: RowArguments,
}

impl Attach {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let model = self.model.find()?;
        let given = self.words.read(&model, self.rows.notation.notation())?;
        let asked = RowCommand::new(Verb::Attach, self.relation, given).written(self.write);
        Call::new(model, self.rows).run(asked).await
    }
}
