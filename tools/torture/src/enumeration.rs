//! Power cuts by enumeration: a run is recorded once, and every state that a power cut could have left of it is made and opened.
//!
//! The trace of the shim has every write, every sync and every name, in order. A power cut can come behind each of them. What was synced
//! by then is on the disk. Of what was not, any part can be: so for each moment, several *choices* are made of the changes
//! that no sync covers (`choice.rs`), and of the names that no sync of their folder covers. The same is done with what a
//! recovery writes: power is cut while the store is opened after a power cut.
//!
//! Each state is opened in this process and must be as after all acknowledged requests, or as after the one more that was under way.

mod choice;
mod crew;
mod disk;
mod recorder;

use choice::Choice;
use crew::{Crew, State};
use disk::{Disk, Image};
use monotable_faultlog::{Deed, Step};
use recorder::Recorder;
pub use recorder::record_child;
use std::collections::HashSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct EnumerationPlan {
    /// How many requests are recorded.
    pub requests: u64,
    /// The power is cut behind every so many steps of the run.
    pub every: usize,
    /// Of so many states, one is recovered under the shim, and the recovery is cut as well.
    pub recovery_step: u64,
    /// No more states than this.
    pub most_states: u64,
    /// So many states are opened at the same time: most of the time each waits for its threads.
    pub at_once: usize,
}

/// What was tried and found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnumerationCounts {
    /// Steps of the recorded run: writes, syncs, and changes of names and sizes.
    pub steps: u64,
    /// Different states that were opened.
    pub states: u64,
    /// Those of them that a power cut during a recovery left.
    pub states_of_recoveries: u64,
    /// Recoveries that were recorded.
    pub recoveries: u64,
    /// States that another choice had made before.
    pub repeated: u64,
    /// What was promised and not kept.
    pub violations: Vec<String>,
}

impl fmt::Display for EnumerationCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} steps recorded; {} different states opened, {} of them from power cuts during {} recoveries; {} states came twice",
            self.steps, self.states, self.states_of_recoveries, self.recoveries, self.repeated
        )?;
        match self.violations.as_slice() {
            [] => write!(f, "no acknowledged request was lost, no index disagrees"),
            violations => {
                writeln!(f, "BROKEN:")?;
                violations
                    .iter()
                    .try_for_each(|line| writeln!(f, "  {line}"))
            }
        }
    }
}

/// What requests must be in a state.
#[derive(Clone, Copy, Debug, Default)]
struct Promise {
    acknowledged: u64,
    sent: u64,
}

/// An enumeration under way.
#[derive(Debug)]
pub struct Enumeration {
    recorder: Recorder,
    folder: PathBuf,
    plan: EnumerationPlan,
    seen: HashSet<u128>,
    crew: Crew,
    /// What was found so far.
    pub counts: EnumerationCounts,
}

impl Enumeration {
    /// In this folder; `program` is the torture command.
    ///
    /// # Errors
    ///
    /// When the shim cannot be built.
    pub fn new(program: &Path, folder: &Path, plan: EnumerationPlan) -> io::Result<Self> {
        Ok(Self {
            recorder: Recorder::new(program, folder)?,
            folder: folder.into(),
            plan,
            seen: HashSet::new(),
            crew: Crew::start(folder, plan.at_once)?,
            counts: EnumerationCounts::default(),
        })
    }

    /// Records a run, and opens every state.
    ///
    /// # Errors
    ///
    /// When the torture itself does not work.
    pub fn survey(&mut self, mut tell: impl FnMut(&EnumerationCounts)) -> io::Result<()> {
        let steps = self.recorder.record_run(self.plan.requests)?;
        self.counts.steps = steps.len() as u64;
        self.cut_everywhere(Disk::with_folder("store"), &steps, None, &mut tell)?;
        self.counts.violations.extend(self.crew.finish());
        Ok(())
    }

    /// Cuts the power behind every step.
    fn cut_everywhere(
        &mut self,
        mut disk: Disk,
        steps: &[Step],
        fixed: Option<Promise>,
        tell: &mut dyn FnMut(&EnumerationCounts),
    ) -> io::Result<()> {
        let mut promise = fixed.unwrap_or_default();
        let every = if fixed.is_some() { 1 } else { self.plan.every };
        for (number, step) in steps.iter().enumerate() {
            if fixed.is_none() && step.path == b"notes" {
                note(&mut promise, &step.deed);
                continue;
            }
            disk.apply(step);
            if !number.is_multiple_of(every) {
                continue;
            }
            for choice in Choice::all(&disk) {
                if self.counts.states >= self.plan.most_states {
                    return Ok(());
                }
                let image = disk.cut(&choice);
                if !self.seen.insert(image.hash(promise.acknowledged)) {
                    self.counts.repeated += 1;
                    continue;
                }
                self.open(&image, promise, fixed.is_some(), tell)?;
            }
        }
        Ok(())
    }

    fn open(
        &mut self,
        image: &Image,
        promise: Promise,
        is_recovery: bool,
        tell: &mut dyn FnMut(&EnumerationCounts),
    ) -> io::Result<()> {
        self.counts.states += 1;
        self.counts.states_of_recoveries += u64::from(is_recovery);
        self.crew.open(State {
            image: image.clone(),
            promise,
        });
        self.counts.violations.extend(self.crew.take_violations());
        tell(&self.counts);
        let is_sound = self.counts.violations.is_empty();
        if is_sound && !is_recovery && self.counts.states.is_multiple_of(self.plan.recovery_step) {
            self.counts.recoveries += 1;
            image.write(&self.folder.join("state"))?;
            let steps = self.recorder.record_recovery(&self.folder.join("state"))?;
            let disk = Disk::from_image(image);
            self.cut_everywhere(disk, &steps, Some(promise), tell)?;
        }
        Ok(())
    }
}

/// What the writer noted: `s` before a request is sent, `a` when it is acknowledged.
fn note(promise: &mut Promise, deed: &Deed) {
    if let Deed::Write { bytes, .. } = deed {
        for byte in bytes {
            match byte {
                b's' => promise.sent += 1,
                b'a' => promise.acknowledged += 1,
                _ => {}
            }
        }
    }
}
