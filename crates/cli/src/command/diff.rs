//! `monotable diff`: what two revisions differ in.

use crate::exit::Failure;
use crate::rows::{Call, InputValues, ModelArguments, RowArguments, RowCommand, Verb};
use crate::versions::{Asking, split};
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  $ monotable diff -m values.toml values userId=ada $REV
  $ monotable diff -m values.toml values userId=ada $REV head --output json

A revision is its id, as `monotable log` shows it, `head`, or a time: the last one up to then, 2026-01-23T09:00:00Z.
Words with = are the key of the repository, all others are revisions.

+ is a row that was added, - one that was removed, ~ one that says something else, > one that stands elsewhere in its
order. --output json is a list of {\"is\", \"entity\", \"before\", \"after\", \"attributes\"}.";

const USAGE: &str = "monotable diff [OPTIONS] <REPOSITORY> [KEY=VALUE]... <FROM> [TO]";

/// Show what two revisions of a versioned repository differ in
///
/// TO is the head if it is not given.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
pub(crate) struct Diff {
    #[command(flatten)]
    model: ModelArguments,

    /// The repository
    repository: String,

    /// The attributes of its key, NAME=VALUE each, and one or two revisions
    #[arg(value_name = "KEY=VALUE|REV", required = true)]
    words: Vec<String>,

    #[command(flatten)]
    rows: RowArguments,
}

impl Diff {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let (key, revisions) = split(self.words);
        let given = InputValues::words(key, self.rows.notation.notation())?;
        let asked = RowCommand {
            asking: Asking {
                revisions,
                ..Asking::default()
            },
            ..RowCommand::new(Verb::Diff, self.repository, given)
        };
        Call::new(self.model.find()?, self.rows).run(asked).await
    }
}
