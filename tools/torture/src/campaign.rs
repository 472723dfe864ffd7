//! Round after round on one directory: a writer is killed, maybe the power is cut, and everything is
//! looked at. The model carries over.

mod faults;
mod inspection;
mod resending;

pub use faults::Fault;

use crate::check::{Model, Promise};
use crate::history::{History, Sent};
use crate::kill_time::{KillClock, KillTime};
use crate::machine::Machine;
use crate::power_loss::Loss;
use crate::record::Record;
use crate::running::Next;
use crate::summary::Summary;
use crate::write::Write;
use fastrand::Rng;
use monotable_engine::Durability;
use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

/// A relaxed engine syncs every half second; what was acknowledged before this much time must be
/// there, also on a machine that is busy with other things.
const RELAXED_WINDOW: Duration = Duration::from_secs(4);

/// How a campaign goes.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What writers are told.
    pub durability: Durability,
    /// Whether the engine must keep the promise of synced writes, whatever writers are told.
    pub expect_sync: bool,
    /// Decides everything that is random.
    pub seed: u64,
    /// How many threads write.
    pub threads: u8,
    /// The longest that a writer writes.
    pub longest: Duration,
    /// Environment of writers, for the shim.
    pub settings: Vec<(String, String)>,
}

impl Plan {
    /// Synced writes of six threads.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            durability: Durability::Sync,
            expect_sync: true,
            seed,
            threads: 6,
            longest: Duration::from_millis(1500),
            settings: Vec::new(),
        }
    }

    /// Acknowledged writes survive the process, not the machine.
    #[must_use]
    pub const fn relaxed(mut self) -> Self {
        self.durability = Durability::Relaxed;
        self.expect_sync = false;
        self
    }
}

/// A campaign under way.
#[derive(Debug)]
pub struct Campaign {
    pub(crate) machine: Machine,
    pub(crate) plan: Plan,
    pub(crate) dice: Rng,
    pub(crate) model: Model,
    pub(crate) history: History,
    /// Requests whose token counts, and when they were last known to; for later rounds.
    claimed: VecDeque<(Sent, Instant)>,
    /// Writers started; each has stamps of its own.
    writers: u32,
    /// What was found so far.
    pub summary: Summary,
}

impl Campaign {
    /// On an empty machine.
    #[must_use]
    pub fn new(machine: Machine, plan: Plan) -> Self {
        Self {
            machine,
            dice: Rng::with_seed(plan.seed),
            model: Model::of(plan.threads),
            history: History::of(plan.threads),
            claimed: VecDeque::new(),
            writers: 0,
            summary: Summary::default(),
            plan,
        }
    }

    /// Kills a writer and looks at what is left. False once a promise is broken.
    ///
    /// # Errors
    ///
    /// When the torture itself does not work.
    pub fn kill_round(&mut self) -> io::Result<bool> {
        self.summary.rounds += 1;
        self.write_and_kill()?;
        // A store that was only opened has nothing new in it: the next writer recovers it again.
        if !self.history.is_empty() || self.dice.u8(0..4) == 0 {
            self.look()?;
        }
        Ok(self.summary.is_clean())
    }

    /// Kills a writer, cuts the power, and looks at what is left. False once a promise is broken.
    ///
    /// # Errors
    ///
    /// When the torture itself does not work.
    pub fn power_round(&mut self) -> io::Result<bool> {
        self.summary.rounds += 1;
        let killed = self.write_and_kill()?;
        let strict = self.plan.expect_sync;
        // What a kill alone leaves is visible to the next reader, so it must be durable from then on.
        let cuts = !strict || self.dice.u8(0..4) > 0;
        if cuts {
            let loss = match self.dice.u8(0..4) {
                0 => Loss::Everything,
                _ => Loss::Some {
                    seed: self.dice.u64(..),
                },
            };
            self.cut(loss)?;
        }
        let promise = if strict {
            Promise::Everything
        } else {
            Promise::Prefix {
                before: killed.checked_sub(RELAXED_WINDOW).unwrap_or(killed),
            }
        };
        self.inspect(promise)?;
        Ok(self.summary.is_clean())
    }

    /// Cuts the power.
    ///
    /// # Errors
    ///
    /// When there is no shim.
    pub fn cut(&mut self, loss: Loss) -> io::Result<()> {
        let damage = self.machine.cut_power(loss)?;
        self.summary.power_cuts += 1;
        self.summary.unsynced_changes += damage.unsynced_changes as u64;
        Ok(())
    }

    /// Looks at everything; all that was acknowledged must be there.
    ///
    /// # Errors
    ///
    /// When the torture itself does not work.
    pub fn look(&mut self) -> io::Result<()> {
        self.inspect(Promise::Everything)
    }

    /// Runs a writer and kills it; returns when.
    pub(crate) fn write_and_kill(&mut self) -> io::Result<Instant> {
        let longest = if self.plan.expect_sync || self.dice.u8(0..8) > 0 {
            self.plan.longest
        } else {
            // Long enough for something to be old.
            self.plan.longest.max(RELAXED_WINDOW * 2)
        };
        let kill = KillTime::choose(&mut self.dice, longest);
        self.write_until(kill, longest)
    }

    /// Runs a writer and kills it at this moment, or when it has written for `longest`.
    ///
    /// # Errors
    ///
    /// When the torture itself does not work.
    pub fn write_until(&mut self, kill: KillTime, longest: Duration) -> io::Result<Instant> {
        let settings = self.plan.settings.clone();
        let arguments = self.writer_arguments();
        let writer = self.machine.start("write", &arguments, &settings)?;
        let mut clock = KillClock::new(kill, writer.started, longest);
        let mut opened = false;
        let mut note = |record: Record, campaign: &mut Self| {
            opened |= record == Record::Opened;
            campaign.note(record);
        };
        loop {
            match writer.next(clock.left()) {
                Next::Frame(frame) => {
                    clock.see(&frame.record);
                    note(frame.record, self);
                    // A writer that never pauses would keep the clock from being looked at.
                    if clock.left().is_zero() {
                        break;
                    }
                }
                Next::Nothing => break,
                Next::End => {
                    let early = "a writer ended before it was killed".to_owned();
                    self.summary.violations.push(early);
                    break;
                }
            }
        }
        let killed = Instant::now();
        let (rest, said) = writer.kill()?;
        for frame in rest {
            note(frame.record, self);
        }
        self.summary.kills += 1;
        self.summary.kills_in_open += u64::from(!opened);
        let changes_table = |sent: &Sent| {
            sent.answer.is_none() && matches!(sent.write, Write::CreateSide | Write::DeleteSide)
        };
        let in_table = self.history.requests().any(changes_table);
        self.summary.kills_in_table_change += u64::from(in_table);
        self.check_said(&said);
        let faults = self.history.faults();
        let faults: Vec<String> = faults
            .map(|fault| format!("a request failed: {fault}"))
            .collect();
        self.summary.violations.extend(faults);
        Ok(killed)
    }

    pub(crate) fn note(&mut self, record: Record) {
        if let Record::OpenFailed(error) = &record {
            let violation = format!("the store does not open: {error}");
            self.summary.violations.push(violation);
        }
        self.history.take(record);
    }

    pub(crate) fn check_said(&mut self, said: &str) {
        if said.contains("panicked") {
            self.summary.violations.push(format!("a panic: {said}"));
        }
    }

    pub(crate) fn writer_arguments(&mut self) -> Vec<String> {
        let seed = self.dice.u64(..);
        self.writers += 1;
        [
            durability_name(self.plan.durability).to_owned(),
            self.plan.threads.to_string(),
            self.writers.to_string(),
            seed.to_string(),
        ]
        .into()
    }
}

/// As children are told.
#[must_use]
pub const fn durability_name(durability: Durability) -> &'static str {
    match durability {
        Durability::Sync => "sync",
        Durability::Relaxed => "relaxed",
    }
}
