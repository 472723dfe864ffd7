//! `torture power`.

use super::options::{Options, program};
use super::progress::run_rounds;
use monotable_engine::Durability;
use monotable_torture::campaign::{Campaign, Plan};
use monotable_torture::machine::Machine;
use monotable_torture::preload::Shim;
use std::io;

pub(super) fn run(mut options: Options) -> io::Result<()> {
    let machine = Machine::new(&program()?, &options.folder()?, Some(Shim::build()?))?;
    let plan = Plan::new(options.seed);
    let (name, plan) = match options.durability {
        Durability::Sync => ("power", plan),
        Durability::Relaxed => ("power, relaxed", plan.relaxed()),
    };
    let campaign = Campaign::new(machine, plan);
    run_rounds(name, &mut options, campaign, Campaign::power_round)
}
