//! `monotable migrate`: a store taken from one version of its model to another.

mod listing;
mod plan;
mod run;
mod versions;

use crate::exit::Failure;
use clap::{Args, Subcommand};
use plan::PlanMigration;
use run::RunMigration;

const EXAMPLES: &str = "\
Examples:
  $ monotable migrate plan old.toml new.toml
  $ monotable migrate run old.toml new.toml --dry-run
  $ monotable migrate run old.toml new.toml
  $ monotable migrate run old.toml new.toml --old-stopped --clean-up";

/// Change the design of tables that are full: compare two versions of a model, and take the rows from one to the other
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Migrate {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    Plan(Box<PlanMigration>),
    Run(Box<RunMigration>),
}

impl Migrate {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        match self.action {
            Action::Plan(plan) => plan.run().await,
            Action::Run(run) => run.run().await,
        }
    }
}
