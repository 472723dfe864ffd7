//! `monotable delete-table`: removes a table and everything in it.

use crate::exit::{Failure, done};
use crate::target::TargetArguments;
use clap::Args;
use monotable_api::{DeleteTableInput, DescribeTableInput, DynamoExt};
use std::io::{self, IsTerminal, Write};

const EXAMPLES: &str = "\
Examples:
  $ monotable delete-table Music --yes";

/// Delete a table with all its items
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DeleteTable {
    /// The table
    table: String,

    /// Do not ask
    #[arg(long, short)]
    yes: bool,

    #[command(flatten)]
    target: TargetArguments,
}

impl DeleteTable {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        if !self.yes && !io::stdin().is_terminal() {
            return Err(Failure::usage("deleting a table needs a yes").help("add --yes"));
        }
        let target = self.target.resolve()?;
        let place = target.to_string();
        let dynamo = target.open().await?;
        let table = &self.table;
        dynamo
            .describe_table(DescribeTableInput::new(table))
            .await?;
        if !self.yes && !is_confirmed(table, &place)? {
            return Err(Failure::other("nothing was deleted"));
        }
        dynamo.delete_table(DeleteTableInput::new(table)).await?;
        done(format_args!("deleted {table} in {place}"));
        Ok(())
    }
}

fn is_confirmed(table: &str, place: &str) -> Result<bool, Failure> {
    write!(
        anstream::stderr(),
        "Delete the table {table} with all its items in {place}? Type its name: "
    )?;
    let mut answer = String::new();
    let read = io::stdin().read_line(&mut answer);
    read.map_err(|error| Failure::other("cannot read the answer").caused_by(&error))?;
    Ok(answer.trim() == table)
}
