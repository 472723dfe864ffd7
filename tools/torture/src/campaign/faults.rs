//! Rounds with a disk that fails.

use super::Campaign;
use crate::power_loss::Loss;
use crate::record::{Frame, Record};
use crate::running::{Next, Running};
use crate::small_disk::{DISK_MEGABYTES, SmallDisk};
use fastrand::Rng;
use std::fmt;
use std::io;
use std::time::{Duration, Instant};

/// A writer that does not fill a disk in this time never will.
const FILL: Duration = Duration::from_secs(60);
/// A writer that met one has this long to end by itself.
const HANG: Duration = Duration::from_secs(60);

/// What an error must say of a disk that fails; the last two when the store met the fault earlier, or
/// in the background.
const SAYS_SO: [&str; 5] = [
    "Input/output error",
    "disk full: there is no space left for ",
    "No space left on device",
    "has stopped after a failed write",
    "an earlier write or background job failed",
];

/// A disk that fails: which call, how, and after how many that go well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    call: &'static str,
    error: &'static str,
    after: u32,
}

impl Fault {
    /// After so many syncs that go well, all fail.
    #[must_use]
    pub const fn sync(after: u32) -> Self {
        Self {
            call: "fsync",
            error: "EIO",
            after,
        }
    }

    /// Opening takes a few dozen calls, so small numbers fail there.
    fn choose(dice: &mut Rng) -> Self {
        let most = [30, 300, 3000];
        let most = dice.choice(most).unwrap_or(30);
        Self {
            call: if dice.bool() { "fsync" } else { "write" },
            error: if dice.bool() { "EIO" } else { "ENOSPC" },
            after: dice.u32(0..most),
        }
    }
}

/// As the shim is told.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.call, self.error, self.after)
    }
}

impl Campaign {
    /// Lets the disk fail under a writer, and looks at what is left once it works again. False once a
    /// promise is broken.
    ///
    /// # Errors
    ///
    /// When the torture itself does not work.
    pub fn fault_round(&mut self) -> io::Result<bool> {
        let fault = Fault::choose(&mut self.dice);
        self.meet(&fault)?;
        if self.dice.bool() {
            let seed = self.dice.u64(..);
            self.cut(Loss::Some { seed })?;
        }
        self.look()?;
        if let Some(first) = self.summary.violations.first_mut() {
            *first = format!("with {fault}: {first}");
        }
        Ok(self.summary.is_clean())
    }

    /// Lets a writer meet a fault, and follows it to its end.
    ///
    /// # Errors
    ///
    /// When the torture itself does not work.
    pub fn meet(&mut self, fault: &Fault) -> io::Result<()> {
        self.summary.rounds += 1;
        let settings = [("FAULTSHIM_FAIL".to_owned(), fault.to_string())];
        let arguments = self.writer_arguments();
        let writer = self.machine.start("write", &arguments, &settings)?;
        self.watch_faulty(writer, self.plan.longest * 2)
    }

    /// Lets a writer fill a real disk, and looks at what is left once there is room again.
    ///
    /// # Errors
    ///
    /// When the torture itself does not work.
    pub fn full_disk_round(&mut self, disk: &SmallDisk) -> io::Result<bool> {
        self.summary.rounds += 1;
        let room = self.dice.u32(5..60);
        disk.take_up((DISK_MEGABYTES - room) as usize)?;
        let arguments = self.writer_arguments();
        let writer = self.machine.start("write", &arguments, &[])?;
        self.watch_faulty(writer, FILL)?;
        disk.give_back()?;
        if self.summary.faults == 0 {
            let full = format!("{room} MB were not filled");
            self.summary.violations.push(full);
        }
        self.look()?;
        Ok(self.summary.is_clean())
    }

    /// Follows a writer that meets a fault to its end. One that meets none is killed.
    fn watch_faulty(&mut self, writer: Running, patience: Duration) -> io::Result<()> {
        let mut end = Instant::now() + patience;
        let mut faulty = false;
        let ended = loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break false;
            }
            match writer.next(left) {
                Next::Frame(frame) => {
                    if self.see_fault(&frame) && !faulty {
                        faulty = true;
                        end = Instant::now() + HANG;
                    }
                    self.history.take(frame.record);
                }
                Next::Nothing => break false,
                Next::End => break true,
            }
        };
        if faulty && !ended {
            let hangs = format!("a writer hangs {HANG:?} after a fault");
            self.summary.violations.push(hangs);
        }
        let (rest, said) = if ended {
            writer.finish()?
        } else {
            writer.kill()?
        };
        rest.into_iter()
            .for_each(|frame| self.history.take(frame.record));
        self.check_said(&said);
        self.check_faults();
        Ok(())
    }

    /// Whether the frame tells of a fault; it must say what fault.
    fn see_fault(&mut self, frame: &Frame) -> bool {
        use crate::write::Outcome::Failed;
        let message = match &frame.record {
            Record::OpenFailed(message) => {
                self.summary.faults_in_open += 1;
                message
            }
            Record::CreateFailed(message) | Record::Answer(_, Failed(message)) => message,
            _ => return false,
        };
        if !SAYS_SO.iter().any(|words| message.contains(words)) {
            let vague = format!("a fault is told as: {message}");
            self.summary.violations.push(vague);
        }
        true
    }

    fn check_faults(&mut self) {
        let faults = self.history.faults().count() as u64;
        self.summary.faults += u64::from(faults > 0);
        self.summary.reads_after_fault += self.history.good_reads;
        let reads = self.history.failed_reads.iter();
        let reads = reads.map(|problem| format!("a read after a fault: {problem}"));
        let after = self.history.acknowledged_after_fault();
        let after = after
            .into_iter()
            .map(|sent| format!("request {}: acknowledged after a fault", sent.stamp));
        let found: Vec<String> = reads.chain(after).collect();
        self.summary.violations.extend(found);
    }
}
