//! `monotable rollback`: the head moved to another revision.

use crate::exit::Failure;
use crate::rows::{
    Call, InputValues, ModelArguments, RowArguments, RowCommand, Verb, WriteArguments,
};
use crate::versions::{Asking, split};
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  $ monotable rollback -m values.toml values userId=ada $REV --dry-run
  $ monotable rollback -m values.toml values userId=ada $REV";

const USAGE: &str = "monotable rollback [OPTIONS] <REPOSITORY> [KEY=VALUE]... <REV>";

/// Move the head of a versioned repository to another revision, and show the head
///
/// Nothing else changes: later revisions stay in the log, and the head can be moved there again. `revert` makes a new
/// revision instead.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
pub(crate) struct Rollback {
    #[command(flatten)]
    model: ModelArguments,

    /// The repository
    repository: String,

    /// The attributes of its key, NAME=VALUE each, and the id of a revision
    #[arg(value_name = "KEY=VALUE|REV", required = true)]
    words: Vec<String>,

    /// Only if the head is this revision
    #[arg(long, value_name = "REV")]
    from: Option<String>,

    #[command(flatten)]
    write: WriteArguments,

    #[command(flatten)]
    rows: RowArguments,
}

impl Rollback {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let (key, revisions) = split(self.words);
        let given = InputValues::words(key, self.rows.notation.notation())?;
        let asked = RowCommand {
            write: self.write,
            asking: Asking {
                revisions,
                from: self.from,
                ..Asking::default()
            },
            ..RowCommand::new(Verb::Rollback, self.repository, given)
        };
        Call::new(self.model.find()?, self.rows).run(asked).await
    }
}
