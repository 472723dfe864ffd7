//! What a process uses, from `/proc`.

use crate::failure::Failure;
use std::fs;
use std::time::{Duration, Instant};

/// The kernel's unit of time for other programs: 1/100 s on every Linux that this runs on.
const TICK: Duration = Duration::from_millis(10);

/// A look at the processor each so often, until it rests.
const LOOK: Duration = Duration::from_millis(250);
/// A process that uses less than this much of one core rests.
const RESTING_CORES: f64 = 0.05;
/// No longer than this is waited for rest.
const MOST_WAIT: Duration = Duration::from_secs(10);

/// A process by its number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Process {
    id: u32,
}

impl Process {
    pub(crate) const fn new(id: u32) -> Self {
        Self { id }
    }

    /// This program.
    pub(crate) fn own() -> Self {
        Self::new(std::process::id())
    }

    /// The processor time it has used, in its own code and in the kernel, in all threads.
    pub(crate) fn processor_time(self) -> Result<Duration, Failure> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.id))?;
        processor_time(&stat).ok_or_else(|| format!("not understood: {stat}").into())
    }

    /// The memory it holds now, in bytes.
    pub(crate) fn resident_bytes(self) -> Result<u64, Failure> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.id))?;
        resident_bytes(&status).ok_or_else(|| format!("no VmRSS in: {status}").into())
    }

    /// Waits until it does nothing more in the background, or for some seconds.
    pub(crate) fn await_rest(self) -> Result<(), Failure> {
        let start = Instant::now();
        while start.elapsed() < MOST_WAIT {
            let before = self.processor_time()?;
            std::thread::sleep(LOOK);
            let used = self.processor_time()?.saturating_sub(before);
            if used.as_secs_f64() < RESTING_CORES * LOOK.as_secs_f64() {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// The fields `utime` and `stime`: the 12th and 13th after the name, which is in parentheses and may
/// hold anything.
fn processor_time(stat: &str) -> Option<Duration> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split(' ').skip(11);
    let user: u32 = fields.next()?.parse().ok()?;
    let system: u32 = fields.next()?.parse().ok()?;
    Some(TICK * user.checked_add(system)?)
}

fn resident_bytes(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_behind_a_strange_name() {
        let stat =
            "7 (a) b) S 1 7 7 0 -1 4194560 100 0 0 0 250 50 9 9 20 0 1 0 12345 1000 200 1844";
        assert_eq!(processor_time(stat), Some(Duration::from_secs(3)));
        assert_eq!(
            resident_bytes("Name:\tx\nVmRSS:\t  2048 kB\n"),
            Some(2 << 20)
        );
    }

    #[test]
    fn this_process_uses_something() {
        let before = Process::own().processor_time().unwrap();
        let start = Instant::now();
        while Process::own().processor_time().unwrap() == before {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "no time is counted"
            );
        }
        assert!(Process::own().resident_bytes().unwrap() > 100_000);
    }
}
