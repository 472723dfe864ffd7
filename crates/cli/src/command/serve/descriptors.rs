//! How many connections the system lets the server have.

use crate::exit::Failure;

/// Descriptors that are kept for the files of the store, for exports and for the log.
const KEPT: u64 = 512;
/// The most connections that a server takes by itself: each may cost some 30 KB of memory.
const MOST: u64 = 8192;
/// The fewest, whatever the system says.
const LEAST: u64 = 16;
/// Descriptors where the system does not tell.
#[cfg(not(unix))]
const UNKNOWN: u64 = 1024;

/// Asks the system for the descriptors that so many connections need, or for a good number if none is wished, and says
/// how many connections there may be. A store that finds no descriptor for a file stops, so more are refused.
pub(super) fn connections(wished: Option<u32>) -> Result<usize, Failure> {
    let needed = wished.map_or(2 * MOST, |wished| u64::from(wished) + KEPT);
    let descriptors = raise_limit(needed);
    let connections = match wished.map(u64::from) {
        None => share(descriptors),
        Some(wished) if wished <= descriptors.saturating_sub(kept(descriptors)) => wished,
        Some(wished) => {
            return Err(Failure::configuration(format_args!(
                "{wished} connections need {needed} file descriptors, and the system gives {descriptors}"
            ))
            .help("give a smaller number to --max-connections, or raise the limit (ulimit -n)"));
        }
    };
    Ok(usize::try_from(connections).unwrap_or(usize::MAX))
}

/// What connections leave to the store, of so many descriptors.
fn kept(descriptors: u64) -> u64 {
    KEPT.min(descriptors / 2)
}

/// The part of so many descriptors that connections take by themselves: three quarters of what is left for them.
fn share(descriptors: u64) -> u64 {
    let left = descriptors.saturating_sub(kept(descriptors));
    (left / 4 * 3).clamp(LEAST, MOST)
}

/// Raises the limit to so many descriptors, as far as the system allows it. Gives back the limit.
#[cfg(unix)]
fn raise_limit(needed: u64) -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // None stands for no limit.
    let current = current.unwrap_or(u64::MAX);
    let wanted = maximum.map_or(needed, |maximum| needed.min(maximum));
    if current >= wanted {
        return current;
    }
    let raised = Rlimit {
        current: Some(wanted),
        maximum,
    };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => wanted,
        Err(_) => current,
    }
}

#[cfg(not(unix))]
const fn raise_limit(_: u64) -> u64 {
    UNKNOWN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_descriptors_for_the_store() {
        for (descriptors, connections) in [
            (20, 16),
            (256, 96),
            (1024, 384),
            (4096, 2688),
            (1_000_000, 8192),
        ] {
            assert_eq!(share(descriptors), connections, "{descriptors}");
        }
    }

    #[test]
    fn more_connections_than_descriptors_are_refused() {
        assert_eq!(connections(Some(10)).ok(), Some(10));
        let refused = connections(Some(u32::MAX)).unwrap_err().to_string();
        assert!(
            refused.contains("4294967295 connections need 4294967807 file descriptors"),
            "{refused}"
        );
    }
}
