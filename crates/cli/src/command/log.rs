//! `monotable log`: the revisions of a repository.

use crate::exit::Failure;
use crate::rows::{
    Call, CursorArguments, InputValues, ModelArguments, Paging, RowArguments, RowCommand, Verb,
};
use crate::versions::Asking;
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  $ monotable log -m values.toml values userId=ada
  $ monotable log -m values.toml values userId=ada --graph
  $ monotable log -m values.toml values userId=ada --oldest-first --limit 10 --output json

A line for each revision, unless --output says otherwise. --output json and jsonl are those of `monotable query`; the
row of the head is among the followed.";

/// Show the revisions of a versioned repository, the newest first
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Log {
    #[command(flatten)]
    model: ModelArguments,

    /// The repository
    repository: String,

    /// The attributes of its key, NAME=VALUE each, or one JSON object
    #[arg(value_name = "KEY=VALUE")]
    key: Vec<String>,

    /// At most so many; without it all
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,

    /// The oldest first
    #[arg(long)]
    oldest_first: bool,

    /// Draw what follows what: after a rollback there are branches
    #[arg(long, conflicts_with_all = ["limit", "cursor", "oldest_first"])]
    graph: bool,

    #[command(flatten)]
    cursor: CursorArguments,

    #[command(flatten)]
    rows: RowArguments,
}

impl Log {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let notation = self.rows.notation.notation();
        if self.graph && !self.rows.output.is_text(notation) {
            return Err(Failure::usage("--graph is a drawing, which is no JSON")
                .help("leave out --graph: each revision names its parent"));
        }
        let given = InputValues::words(self.key, notation)?;
        let asked = RowCommand {
            paging: Paging {
                limit: self.limit.map(|limit| limit as usize),
                cursor: self.cursor.cursor,
                is_descending: false,
                is_all: self.cursor.all,
            },
            asking: Asking {
                oldest_first: self.oldest_first,
                is_drawn: self.graph,
                ..Asking::default()
            },
            ..RowCommand::new(Verb::Log, self.repository, given)
        };
        Call::new(self.model.find()?, self.rows).run(asked).await
    }
}
