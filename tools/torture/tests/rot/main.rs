//! Short forms of `torture flips`, `torture calls` and `torture enumerate`.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "helpers of tests fail like tests"
)]

use monotable_torture::calls::Calls;
use monotable_torture::enumeration::{Enumeration, EnumerationPlan};
use monotable_torture::flips::{FlipPlan, survey};
use std::path::Path;
use tempfile::TempDir;

/// In memory where the system has that: nothing here is about the real disk.
fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        tempfile::tempdir_in(memory).unwrap()
    } else {
        tempfile::tempdir().unwrap()
    }
}

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_torture"))
}

fn flip(width: usize) {
    let folder = folder();
    let plan = FlipPlan {
        step: usize::MAX,
        doctor_step: 5,
        width,
    };
    let counts = survey(folder.path(), plan, |_| ()).unwrap();
    println!("{counts}");
    assert!(counts.violations.is_empty(), "{counts}");
    assert!(counts.files >= 15 && counts.flips > 150, "{counts}");
    assert!(
        counts.refused > 0 && counts.reported > 0 && counts.harmless > 0,
        "{counts}"
    );
    assert!(counts.whole_copies > 0, "{counts}");
}

#[test]
fn a_flipped_bit_in_any_kind_of_file_is_noticed_or_harmless() {
    flip(1);
}

#[test]
fn a_spoiled_piece_of_any_kind_of_file_is_noticed_or_harmless() {
    flip(40);
}

#[test]
fn a_failing_call_makes_no_false_acknowledgement() {
    let folder = folder();
    let mut calls = Calls::new(program(), folder.path()).unwrap();
    calls.survey(83, |_| ()).unwrap();
    println!("{}", calls.counts);
    assert!(calls.counts.violations.is_empty(), "{}", calls.counts);
    assert!(
        calls.counts.calls > 300 && calls.counts.failed_requests > 0,
        "{}",
        calls.counts
    );
    assert!(
        calls.counts.failed_opens > 0 && calls.counts.unseen > 0,
        "{}",
        calls.counts
    );
}

#[test]
fn no_power_cut_loses_an_acknowledged_request() {
    let folder = folder();
    let plan = EnumerationPlan {
        requests: 90,
        every: 17,
        recovery_step: 150,
        most_states: 600,
        at_once: 6,
    };
    let mut enumeration = Enumeration::new(program(), folder.path(), plan).unwrap();
    let surveyed = enumeration.survey(|_| ());
    let counts = &enumeration.counts;
    if !counts.violations.is_empty() {
        println!("kept: {}", folder.keep().display());
    }
    surveyed.unwrap();
    println!("{counts}");
    assert!(counts.violations.is_empty(), "{counts}");
    assert!(counts.states > 200 && counts.recoveries > 0, "{counts}");
}
