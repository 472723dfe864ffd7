//! `monotable completions`: what a shell needs to complete our commands.

use crate::exit::Failure;
use crate::output::print;
use clap::{Args, Command};
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  $ monotable completions bash > monotable.bash
  $ monotable completions zsh > _monotable
  $ monotable completions fish > monotable.fish

Put the file where your shell looks for completions, for example
~/.local/share/bash-completion/completions/monotable.";

/// Print completions for a shell
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self, mut commands: Command) -> Result<(), Failure> {
        let mut script = Vec::new();
        let name = commands.get_name().to_owned();
        clap_complete::generate(self.shell, &mut commands, name, &mut script);
        print(&script)
    }
}
