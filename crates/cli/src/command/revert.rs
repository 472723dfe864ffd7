//! `monotable revert`: a new revision with the rows of an old one.

use crate::exit::Failure;
use crate::rows::{
    Call, ChangeArguments, InputValues, ModelArguments, RowArguments, RowCommand, Verb,
    WriteArguments,
};
use crate::versions::{Asking, split};
use clap::Args;
use monotable_store::Parent;

const EXAMPLES: &str = "\
Examples:
  $ monotable revert -m values.toml values userId=ada $REV --set message='as it was' --set source=daily_update";

const USAGE: &str = "monotable revert [OPTIONS] <REPOSITORY> [KEY=VALUE]... <REV>";

/// Make a new revision of a versioned repository with the rows of an old one, and show it
///
/// The revision is an id, or a time: the last one up to then.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
pub(crate) struct Revert {
    #[command(flatten)]
    model: ModelArguments,

    /// The repository
    repository: String,

    /// The attributes of its key, NAME=VALUE each, and a revision
    #[arg(value_name = "KEY=VALUE|REV", required = true)]
    words: Vec<String>,

    /// What the new revision says: a message, a reason
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,

    /// Only if the head is this revision
    #[arg(long, value_name = "REV")]
    parent: Option<String>,

    #[command(flatten)]
    write: WriteArguments,

    #[command(flatten)]
    rows: RowArguments,
}

impl Revert {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let (key, revisions) = split(self.words);
        let given = InputValues::words(key, self.rows.notation.notation())?;
        let asked = RowCommand {
            change: ChangeArguments {
                set: self.set,
                ..ChangeArguments::default()
            },
            write: self.write,
            asking: Asking {
                revisions,
                parent: self.parent.map_or(Parent::Head, Parent::Is),
                ..Asking::default()
            },
            ..RowCommand::new(Verb::Revert, self.repository, given)
        };
        Call::new(self.model.find()?, self.rows).run(asked).await
    }
}
