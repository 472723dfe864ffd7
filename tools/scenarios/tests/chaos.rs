//! Many clients at once, on a target that fails at random: whatever they do, the model's promises hold afterwards.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod chaos {
    pub(crate) mod authorization;
    pub(crate) mod faults;
    pub(crate) mod formkiq;
    pub(crate) mod processproof;
    pub(crate) mod values;
    pub(crate) mod workload;
    pub(crate) mod yggdrasil;
}

use chaos::faults::Rates;
use chaos::workload::{Workload, run};
use chaos::{authorization, formkiq, processproof, values, yggdrasil};

/// More rounds by hand: `MONOTABLE_CHAOS=50 cargo test -p monotable-scenarios --test chaos`.
fn seeds() -> std::ops::Range<u64> {
    let rounds = std::env::var("MONOTABLE_CHAOS")
        .ok()
        .and_then(|text| text.parse().ok());
    let first = std::env::var("MONOTABLE_SEED")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    first..first + rounds.unwrap_or(3)
}

const CASES: [(bool, Rates); 4] = [
    (false, Rates::none()),
    (false, Rates::faults()),
    (true, Rates::none()),
    (true, Rates::faults()),
];

fn all(workload: &'static dyn Workload) {
    for seed in seeds() {
        for (stale, rates) in CASES {
            run(workload, seed, stale, rates);
        }
    }
}

#[test]
fn yggdrasil_keeps_its_promises() {
    all(&yggdrasil::Trees);
}

#[test]
fn processproof_keeps_its_promises() {
    all(&processproof::Resources);
}

#[test]
fn authorization_keeps_its_promises() {
    all(&authorization::Grants);
}

#[test]
fn values_keeps_its_promises() {
    for seed in seeds() {
        for rates in [Rates::none(), Rates::faults()] {
            values::run(seed, rates);
        }
    }
}

#[test]
fn formkiq_keeps_its_promises() {
    for seed in seeds() {
        for (stale, rates) in CASES {
            formkiq::run(seed, stale, rates);
        }
    }
}
