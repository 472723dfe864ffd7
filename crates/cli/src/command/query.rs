//! `monotable query`: the rows of an access pattern.

use crate::exit::Failure;
use crate::rows::{
    Call, CursorArguments, InputValues, ModelArguments, Paging, RowArguments, RowCommand, Verb,
};
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  $ monotable query persons_of_tree TreeId=byron --limit 10
  $ monotable query -m model.toml children_of_person UserId=ada ParentId=george --output json
  $ monotable query persons_of_tree TreeId=byron --explain

A range is NAME.from=VALUE and NAME.to=VALUE, or one of them. `monotable patterns` lists the access patterns with their
parameters. The rows of the pattern are printed, and apart from them those that it follows to: --output json is
{\"rows\", \"followed\", \"dangling\", \"cursor\"}, a line of jsonl is a row, {\"@followed\": row} or {\"@dangling\": key}.
Where a pattern has rows of several entities each says its own as \"@entity\". Cursors are sealed with a secret of the
store, and serve any later command. `monotable table query` shows the raw items of any table.";

/// Show the rows of an access pattern of a model
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Query {
    #[command(flatten)]
    model: ModelArguments,

    /// The access pattern
    pattern: String,

    /// Its parameters, NAME=VALUE each, or one JSON object
    #[arg(value_name = "NAME=VALUE")]
    parameters: Vec<String>,

    /// Show this many rows at most
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,

    /// In descending order
    #[arg(long, visible_alias = "reverse")]
    descending: bool,

    /// See every write that was acknowledged before
    #[arg(long)]
    consistent: bool,

    #[command(flatten)]
    cursor: CursorArguments,

    #[command(flatten)]
    rows: RowArguments,
}

impl Query {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let given = InputValues::words(self.parameters, self.rows.notation.notation())?;
        let mut asked = RowCommand::new(Verb::Query, self.pattern, given);
        asked.is_consistent = self.consistent;
        asked.paging = Paging {
            limit: self.limit.map(|limit| limit as usize),
            cursor: self.cursor.cursor,
            is_descending: self.descending,
            is_all: self.cursor.all,
        };
        Call::new(self.model.find()?, self.rows).run(asked).await
    }
}
