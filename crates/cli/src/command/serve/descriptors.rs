//! How many connections the system lets the server have.

/// Descriptors that are kept for the files of the store, for exports and for the log.
const KEPT: u64 = 512;
/// The most connections that a server takes by itself: each may cost some 30 KB of memory.
const MOST: u64 = 8192;
/// The fewest, whatever the system says.
const LEAST: u64 = 16;
/// When the system does not tell.
const UNKNOWN: u64 = 512;

/// Asks the system for as many descriptors as it gives, and says how many connections fit.
pub(super) fn connections() -> usize {
    let connections = raise_limit().map_or(UNKNOWN, share);
    usize::try_from(connections).unwrap_or(usize::MAX)
}

/// The part of so many descriptors that connections may take: three quarters of what is left for them.
fn share(descriptors: u64) -> u64 {
    let left = descriptors.saturating_sub(KEPT).max(descriptors / 2);
    (left / 4 * 3).clamp(LEAST, MOST)
}

/// Raises the limit to what the system allows at most. Gives back the limit.
#[cfg(unix)]
fn raise_limit() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // None stands for no limit; the kernel has one all the same.
    let most = maximum.unwrap_or(MOST * 2).min(MOST * 2);
    match current {
        Some(current) if current < most => {
            let raised = Rlimit {
                current: Some(most),
                maximum,
            };
            match setrlimit(Resource::Nofile, raised) {
                Ok(()) => Some(most),
                Err(_) => Some(current),
            }
        }
        current => current.or(Some(most)),
    }
}

#[cfg(not(unix))]
const fn raise_limit() -> Option<u64> {
    None
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
}
