//! How much memory this process holds.

use crate::failure::Failure;

/// Resident now, and at most so far, in bytes.
pub(crate) fn resident() -> Result<(u64, u64), Failure> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    Ok((field(&status, "VmRSS:")?, field(&status, "VmHWM:")?))
}

fn field(status: &str, name: &str) -> Result<u64, Failure> {
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let line = line.ok_or("no resident memory in /proc/self/status")?;
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kilobytes * 1024)
}
