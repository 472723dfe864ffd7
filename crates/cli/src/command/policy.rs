//! `monotable policy`: what the policies of access keys say.

mod form;
mod request;
mod test;

use crate::exit::Failure;
use clap::{Args, Subcommand};
use test::Test;

/// Try the policies of access keys
#[derive(Args, Debug)]
#[command(after_help = test::EXAMPLES)]
pub(crate) struct PolicyCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    Test(Test),
}

impl PolicyCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.action {
            Action::Test(test) => test.run(),
        }
    }
}
