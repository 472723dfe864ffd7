//! Saying how far a long run is, and what came of it.

use super::options::Options;
use crate::report;
use monotable_torture::campaign::Campaign;
use monotable_torture::summary::Summary;
use std::io;
use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_secs(10);

/// Runs rounds until all are done or one fails.
pub(super) fn run_rounds(
    name: &str,
    options: &mut Options,
    mut campaign: Campaign,
    round: impl Fn(&mut Campaign) -> io::Result<bool>,
) -> io::Result<()> {
    let rounds = options.rounds;
    let folder = options.folder()?;
    let (seed, folder) = (options.seed, folder.display());
    report(&format!(
        "{name}: {rounds} rounds, seed {seed}, in {folder}"
    ));
    let mut last = Instant::now();
    for number in 1..=rounds {
        let clean = round(&mut campaign).map_err(|error| {
            let kept = options.keep().unwrap_or("".as_ref()).display().to_string();
            io::Error::other(format!(
                "{name}, round {number}, seed {seed}, {kept}: {error}"
            ))
        })?;
        if !clean {
            break;
        }
        if last.elapsed() > INTERVAL {
            last = Instant::now();
            let acknowledged = campaign.summary.acknowledged;
            report(&format!(
                "{name}: round {number} of {rounds}, {acknowledged} acknowledged"
            ));
        }
    }
    conclude(name, options, &campaign.summary)
}

/// Tells the numbers. A broken promise is an error, and its directory is kept.
pub(super) fn conclude(name: &str, options: &mut Options, summary: &Summary) -> io::Result<()> {
    report(&format!("{name}:\n{summary}"));
    if summary.is_clean() {
        return Ok(());
    }
    let (seed, round) = (options.seed, summary.rounds);
    let kept = options.keep().unwrap_or("".as_ref()).display();
    let message = format!("{name} failed in round {round}, seed {seed}; see {kept}");
    Err(io::Error::other(message))
}
