//! `monotable commit`: a new revision of a repository.

use crate::exit::Failure;
use crate::rows::{
    Call, ChangeArguments, InputValues, ModelArguments, RowArguments, RowCommand, Verb,
    WriteArguments,
};
use crate::versions::{Asking, ChangeSet, CommitArguments};
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  $ monotable commit -m values.toml values userId=ada --set message=begin --set source=weekly_review \\
      --create 'ValuesNode {\"nodeId\": \"d1\", \"nodeType\": \"DRIVER\", \"title\": \"Health\"}'
  $ echo '{\"update\": \"ValuesNode\", \"key\": {\"nodeId\": \"d1\"}, \"set\": {\"title\": \"Good health\"}}' |
      monotable commit -m values.toml values userId=ada --set message=rename --set source=daily_update

Changes are read from --changes, or from stdin if the command line has none, one JSON object per line or one array:
  {\"create\": \"ENTITY\", \"values\": {..}}       {\"put\": \"ENTITY\", \"values\": {..}}
  {\"update\": \"ENTITY\", \"key\": {..}, \"set\": {..}, \"unset\": [..], \"add\": {..}, \"append\": {..}}
  {\"delete\": \"ENTITY\", \"key\": {..}}
A line can be a whole commit, of another repository too. All commits of a call are made, or none; without REPOSITORY
only those of such lines:
  {\"commit\": \"plan\", \"key\": {..}, \"values\": {..}, \"parent\": \"REV\", \"changes\": [..]}
Its \"parent\" is null for the first commit; \"rebase\": \"REV\" is there too. --create, --update and --delete may be
given several times, and are carried out in the order in which they are given, after the lines. If a line is bad,
nothing is written.";

/// Commit changes to a versioned repository of a model, and show the new revision
///
/// A revision has all rows of the one before, with the changes. Everything that the model says about them is kept. An
/// embedded store and its tables are made if they are missing. Without --parent, --rebase or --first the revision
/// follows whatever the head is.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Commit {
    #[command(flatten)]
    model: ModelArguments,

    /// The repository
    repository: Option<String>,

    /// The attributes of its key, NAME=VALUE each, or one JSON object
    #[arg(value_name = "KEY=VALUE")]
    key: Vec<String>,

    /// What the revision says: a message, a reason
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,

    #[command(flatten)]
    commit: CommitArguments,

    #[command(flatten)]
    write: WriteArguments,

    #[command(flatten)]
    rows: RowArguments,
}

impl Commit {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let model = self.model.find()?;
        let notation = self.rows.notation.notation();
        let commit = self.commit;
        let file = commit.changes.as_deref();
        let changes = ChangeSet::read(&commit.short, file, &model, notation)?;
        let given = InputValues::words(self.key, notation)?;
        let name = self.repository.unwrap_or_default();
        let asked = RowCommand {
            change: ChangeArguments {
                set: self.set,
                ..ChangeArguments::default()
            },
            write: self.write,
            asking: Asking {
                changes,
                parent: commit.parent(),
                ..Asking::default()
            },
            ..RowCommand::new(Verb::Commit, name, given)
        };
        Call::new(model, self.rows).run(asked).await
    }
}
