//! `torture calls`.

use super::options::{Options, program};
use crate::report;
use monotable_torture::calls::Calls;
use std::io;

/// Between two lines about how far it is.
const TOLD: u64 = 100;

pub(super) fn run(mut options: Options) -> io::Result<()> {
    let folder = options.folder()?;
    let mut calls = Calls::new(&program()?, &folder)?;
    calls.survey(options.rounds.into(), |counts| {
        if counts.runs.is_multiple_of(TOLD) {
            report(&format!("{} runs, {} calls", counts.runs, counts.calls));
        }
    })?;
    report(&format!(
        "every {}th call\n{}",
        options.rounds, calls.counts
    ));
    if calls.counts.violations.is_empty() {
        return Ok(());
    }
    options.keep();
    Err(io::Error::other("a promise was broken"))
}
