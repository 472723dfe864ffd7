//! `monotable carry`: rows of one repository's head committed to another.

use crate::exit::Failure;
use crate::rows::{
    Call, ChangeArguments, InputValues, ModelArguments, RowArguments, RowCommand, Verb,
    WriteArguments,
};
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  $ monotable commit -m values.toml plan userId=ada date=2026-01-23 --set reason=morning_plan \\
      --create 'PlanTodo {\"actionId\": \"a1\", \"classification\": \"urgent\"}'
  $ monotable carry -m values.toml rollover userId=ada date=2026-01-23";

/// Carry rows of one versioned repository over to another, as the model declares it, and show the new revision
///
/// Rows that are there already stay as they are. If there is nothing to carry, no revision is made.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Carry {
    #[command(flatten)]
    model: ModelArguments,

    /// The carry
    carry: String,

    /// The attributes of the key of the repository that the rows come from, NAME=VALUE each, or one JSON object
    #[arg(value_name = "KEY=VALUE")]
    key: Vec<String>,

    /// What the new revision says, beside what the carry sets
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,

    #[command(flatten)]
    write: WriteArguments,

    #[command(flatten)]
    rows: RowArguments,
}

impl Carry {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let given = InputValues::words(self.key, self.rows.notation.notation())?;
        let asked = RowCommand {
            change: ChangeArguments {
                set: self.set,
                ..ChangeArguments::default()
            },
            write: self.write,
            ..RowCommand::new(Verb::Carry, self.carry, given)
        };
        Call::new(self.model.find()?, self.rows).run(asked).await
    }
}
