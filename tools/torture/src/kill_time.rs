//! When a writer is killed.

use crate::record::Record;
use crate::write::Write;
use fastrand::Rng;
use std::time::{Duration, Instant};

/// The moment of a kill.
#[derive(Clone, Copy, Debug)]
pub enum KillTime {
    /// So long after the start: mostly before the engine is open.
    AfterStart(Duration),
    /// So long after the engine is open.
    AfterOpen(Duration),
    /// So long after the n-th time that a table is made or deleted.
    AtTable(u32, Duration),
}

impl KillTime {
    /// One of all kinds. `longest` bounds how long a writer writes.
    pub fn choose(dice: &mut Rng, longest: Duration) -> Self {
        let micros = |dice: &mut Rng, most: Duration| {
            Duration::from_micros(dice.u64(0..=u64::try_from(most.as_micros()).unwrap_or(0)))
        };
        match dice.u8(0..10) {
            0 => Self::AfterStart(micros(dice, Duration::from_millis(8))),
            1 => Self::AfterStart(micros(dice, Duration::from_millis(60))),
            2 | 3 => Self::AtTable(dice.u32(1..8), micros(dice, Duration::from_millis(4))),
            4 => Self::AfterOpen(micros(dice, Duration::from_millis(10))),
            _ => Self::AfterOpen(micros(dice, longest)),
        }
    }
}

/// Waits for the moment.
#[derive(Debug)]
pub struct KillClock {
    kill: KillTime,
    due: Option<Instant>,
    tables: u32,
    /// A writer that never gets there is killed then.
    end: Instant,
}

impl KillClock {
    /// For a writer started at this moment.
    #[must_use]
    pub fn new(kill: KillTime, started: Instant, longest: Duration) -> Self {
        let due = match kill {
            KillTime::AfterStart(delay) => Some(started + delay),
            KillTime::AfterOpen(_) | KillTime::AtTable(..) => None,
        };
        Self {
            kill,
            due,
            tables: 0,
            end: started + longest + Duration::from_secs(20),
        }
    }

    /// Sees what the writer says.
    pub fn see(&mut self, record: &Record) {
        match (self.kill, record) {
            (KillTime::AfterOpen(delay), Record::Opened) => self.due = Some(Instant::now() + delay),
            (
                KillTime::AtTable(number, delay),
                Record::Creating(_) | Record::Intent(_, Write::CreateSide | Write::DeleteSide),
            ) => {
                self.tables += 1;
                if self.tables == number {
                    self.due = Some(Instant::now() + delay);
                }
            }
            _ => {}
        }
        if let (KillTime::AtTable(..), Record::Opened) = (self.kill, record) {
            self.end = self.end.min(Instant::now() + Duration::from_secs(2));
        }
    }

    /// How long until the kill.
    #[must_use]
    pub fn left(&self) -> Duration {
        let due = self.due.map_or(self.end, |due| due.min(self.end));
        due.saturating_duration_since(Instant::now())
    }
}
