//! How much memory the server gives to items and blocks of the disk.

/// The least and the most that a server takes by itself, in megabytes.
const LEAST: u64 = 64;
const MOST: u64 = 1024;
/// When the machine does not tell.
const UNKNOWN: u64 = 256;
/// The part of the machine's memory that is taken: there are other processes.
const PART: u64 = 8;

/// In megabytes, for this machine. Memory is only taken as items are read or written.
pub(super) fn for_this_machine() -> u64 {
    let told = std::fs::read_to_string("/proc/meminfo").ok();
    let memory = told.as_deref().and_then(total);
    memory.map_or(UNKNOWN, |memory| (memory / PART).clamp(LEAST, MOST))
}

/// The least that a region gets: an engine with less reads the disk for everything.
const LEAST_PART: u64 = 4 << 20;

/// The part of one region in so many bytes, of so many regions.
pub(super) fn part(bytes: u64, regions: usize) -> u64 {
    (bytes / regions.max(1) as u64).max(LEAST_PART)
}

/// Megabytes, from a line `MemTotal: 24682012 kB`.
fn total(told: &str) -> Option<u64> {
    let line = told
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kilobytes / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_is_that_of_the_machine() {
        let told = "MemFree: 1 kB\nMemTotal:       24682012 kB\nBuffers: 2 kB\n";
        assert_eq!(total(told), Some(24_103));
        assert_eq!(total("MemFree: 1 kB"), None);
        assert!((LEAST..=MOST).contains(&for_this_machine()));
    }
}
