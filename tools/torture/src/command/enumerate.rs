//! `torture enumerate`.

use super::options::{Options, program};
use crate::report;
use monotable_torture::enumeration::{Enumeration, EnumerationPlan};
use std::io;

/// Between two lines about how far it is.
const TOLD: u64 = 2000;

pub(super) fn run(mut options: Options) -> io::Result<()> {
    let folder = options.folder()?;
    let plan = EnumerationPlan {
        requests: 400,
        every: 1,
        recovery_step: 60,
        most_states: options.rounds.into(),
        at_once: 12,
    };
    let mut enumeration = Enumeration::new(&program()?, &folder, plan)?;
    enumeration.survey(|counts| {
        if counts.states.is_multiple_of(TOLD) {
            report(&format!(
                "{} states, {} broken",
                counts.states,
                counts.violations.len()
            ));
        }
    })?;
    report(&enumeration.counts.to_string());
    if enumeration.counts.violations.is_empty() {
        return Ok(());
    }
    options.keep();
    Err(io::Error::other("a promise was broken"))
}
