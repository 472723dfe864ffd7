//! `monotable table`: raw items of any table, with or without a model.

mod create;
mod delete;
mod describe;
mod get;
mod list;
mod put;
mod query;
mod scan;

use crate::exit::Failure;
use clap::{Args, Subcommand};
use create::Create;
use delete::Delete;
use describe::Describe;
use get::Get;
use list::List;
use put::Put;
use query::Query;
use scan::Scan;

const EXAMPLES: &str = "\
Examples:
  $ monotable table create Songs Artist Title
  $ monotable table put Songs '{\"Artist\": \"Nina Simone\", \"Title\": \"Sinnerman\"}'
  $ monotable table query Songs 'Nina Simone'
  $ monotable table delete Songs --yes

`monotable table COMMAND --help` says more about each of them. The commands for the rows of a model, which keep what
the model declares, are `monotable create`, `get`, `query` and so on.";

/// Work with tables and their raw items, with or without a model
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TableCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    List(List),
    Describe(Describe),
    Create(Create),
    Delete(Delete),
    Get(Get),
    Put(Put),
    Query(Query),
    Scan(Scan),
}

impl TableCommand {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        match self.action {
            Action::List(list) => list.run().await,
            Action::Describe(describe) => describe.run().await,
            Action::Create(create) => create.run().await,
            Action::Delete(delete) => delete.run().await,
            Action::Get(get) => get.run().await,
            Action::Put(put) => put.run().await,
            Action::Query(query) => query.run().await,
            Action::Scan(scan) => scan.run().await,
        }
    }
}
