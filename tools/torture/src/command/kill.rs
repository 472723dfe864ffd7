//! `torture kill`.

use super::options::{Options, program};
use super::progress::run_rounds;
use monotable_engine::Durability;
use monotable_torture::campaign::{Campaign, Plan};
use monotable_torture::machine::Machine;
use std::io;

pub(super) fn run(mut options: Options) -> io::Result<()> {
    let machine = Machine::new(&program()?, &options.folder()?, None)?;
    let mut plan = Plan::new(options.seed);
    // Only a power cut may take what a relaxed engine acknowledged.
    plan.durability = options.durability;
    let name = match options.durability {
        Durability::Sync => "kill",
        Durability::Relaxed => "kill, relaxed",
    };
    let campaign = Campaign::new(machine, plan);
    run_rounds(name, &mut options, campaign, Campaign::kill_round)
}
