//! The torture in short: a few rounds of everything. `MONOTABLE_TORTURE_ROUNDS` makes it longer.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "helpers of tests fail like tests"
)]

mod faults;
mod rounds;

use monotable_torture::campaign::{Campaign, Plan};
use monotable_torture::machine::Machine;
use monotable_torture::preload::Shim;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;
use tempfile::TempDir;

/// Rounds of each kind.
fn rounds() -> u32 {
    let wanted = std::env::var("MONOTABLE_TORTURE_ROUNDS");
    wanted.map_or(4, |rounds| rounds.parse().unwrap())
}

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_torture"))
}

fn shim() -> Shim {
    static SHIM: OnceLock<Shim> = OnceLock::new();
    SHIM.get_or_init(|| Shim::build().unwrap()).clone()
}

/// Short rounds of a campaign on a directory that goes away with the second value.
fn campaign(plan: Plan, shim: Option<Shim>) -> (Campaign, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let machine = Machine::new(program(), folder.path(), shim).unwrap();
    let plan = Plan {
        longest: Duration::from_millis(500),
        ..plan
    };
    (Campaign::new(machine, plan), folder)
}

/// Fails with everything that was found.
fn assert_clean(campaign: &Campaign) {
    assert!(campaign.summary.is_clean(), "{}", campaign.summary);
}
