//! `torture flips`.

use super::options::Options;
use crate::report;
use monotable_torture::flips::{FlipPlan, survey};
use std::io;

/// Between two lines about how far it is.
const TOLD: u64 = 500;

/// Once with single bits, most of which the doctor finds out, and once with 40 bytes, which it cannot.
pub(super) fn run(mut options: Options) -> io::Result<()> {
    let folder = options.folder()?;
    for width in [1, 40] {
        let plan = FlipPlan {
            step: options.rounds as usize,
            doctor_step: 3,
            width,
        };
        let folder = folder.join(format!("width-{width}"));
        std::fs::create_dir_all(&folder)?;
        let counts = survey(&folder, plan, |counts| {
            if counts.flips.is_multiple_of(TOLD) {
                report(&format!("{} flips", counts.flips));
            }
        })?;
        report(&format!(
            "flips of {width} byte(s), every {} bytes\n{counts}",
            plan.step
        ));
        if !counts.violations.is_empty() {
            options.keep();
            return Err(io::Error::other(
                "a flip was not noticed, or an answer was wrong",
            ));
        }
    }
    Ok(())
}
