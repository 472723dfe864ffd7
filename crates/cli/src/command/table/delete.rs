//! `monotable table delete`: removes a table and everything in it.

use crate::exit::{Failure, done};
use crate::target::{OpenTarget, Place, TargetArguments};
use clap::Args;
use monotable_api::{DeleteTableInput, DescribeTableInput, DynamoExt};
use std::io::{self, IsTerminal, Write};

const EXAMPLES: &str = "\
Examples:
  $ monotable table delete Music --yes";

/// Delete a table with all its items
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Delete {
    /// The table
    table: String,

    /// Do not ask
    #[arg(long, short)]
    yes: bool,

    #[command(flatten)]
    target: TargetArguments,
}

impl Delete {
    pub(super) async fn run(self) -> Result<(), Failure> {
        if !self.yes && !io::stdin().is_terminal() {
            return Err(Failure::usage("deleting a table needs a yes").help("add --yes"));
        }
        let target = self.target.resolve()?;
        let OpenTarget { dynamo, place, .. } = target.open().await?;
        let table = &self.table;
        dynamo
            .describe_table(DescribeTableInput::new(table))
            .await?;
        if !self.yes && !is_confirmed(table, &place)? {
            return Err(Failure::other("nothing was deleted"));
        }
        dynamo.delete_table(DeleteTableInput::new(table)).await?;
        done(format_args!("deleted {table} {}", place.locate()));
        Ok(())
    }
}

fn is_confirmed(table: &str, place: &Place) -> Result<bool, Failure> {
    write!(
        anstream::stderr(),
        "Delete the table {table} with all its items {}? Type its name: ",
        place.locate()
    )?;
    let mut answer = String::new();
    let read = io::stdin().read_line(&mut answer);
    read.map_err(|error| Failure::other("cannot read the answer").caused_by(&error))?;
    Ok(answer.trim() == table)
}
