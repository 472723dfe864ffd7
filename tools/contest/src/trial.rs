//! One server's turn: its tables, its load, then phase after phase.

use crate::client::Client;
use crate::exchange::{Draft, Exchange, Scrutiny};
use crate::failure::Failure;
use crate::figures::PhaseFigures;
use crate::generator::{Pace, drive};
use crate::phase::{Dataset, Phase};
use crate::process::Process;
use crate::progress::say;
use crate::signer::Signer;
use crate::table::{self, Table};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// How many batches of the load are signed at a time: signatures grow old.
const BATCHES: u64 = 1_000;
/// How many requests of a phase are looked for afterwards.
const READ_BACK: u64 = 50;
/// A table that is not there after this long never comes.
const LONGEST_CREATION: Duration = Duration::from_secs(60);

/// What each server has to do.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) dataset: Dataset,
    pub(crate) phases: Vec<Phase>,
    pub(crate) connections: usize,
    /// See `Arguments`.
    pub(crate) requests: u64,
    pub(crate) longest: Duration,
    /// What was written and is not found after this long was lost.
    pub(crate) longest_lag: Duration,
}

/// A server that answers, as its tests see it.
pub(crate) struct Trial<'a> {
    pub(crate) name: &'a str,
    pub(crate) address: SocketAddr,
    pub(crate) process: Process,
    pub(crate) plan: &'a Plan,
}

impl Trial<'_> {
    /// Makes the tables and waits until they can be used.
    pub(crate) fn create_tables(&self) -> Result<(), Failure> {
        let client = Client::new(self.address);
        for table in Table::ALL {
            client.call(table.create())?;
            let start = Instant::now();
            while !table::is_active(&client.call(table.describe())?) {
                if start.elapsed() > LONGEST_CREATION {
                    return Err(format!("table {} is never active", table.name()).into());
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        Ok(())
    }

    /// Writes all that is there before the clock starts. How long that took, without signing.
    pub(crate) fn load(&self) -> Result<Duration, Failure> {
        let (signer, dataset) = (Signer::new(self.address), self.plan.dataset);
        let mut took = Duration::ZERO;
        for first in (0..dataset.batches()).step_by(BATCHES as usize) {
            let count = BATCHES.min(dataset.batches() - first);
            let batches =
                Exchange::prepare(&signer, count, |number| dataset.batch(first + number))?;
            took += drive(self.address, &batches, self.unhurried())?.elapsed;
            let done = first + count;
            say(&format!(
                "{}: loaded {done} of {} batches",
                self.name,
                dataset.batches()
            ));
        }
        Ok(took)
    }

    /// Measures one phase on what was loaded, and looks for what it wrote.
    pub(crate) fn measure(&self, phase: Phase) -> Result<PhaseFigures, Failure> {
        let dataset = self.plan.dataset;
        let figures = self.measure_drafts(phase, |number| phase.draft(dataset, number))?;
        self.read_back(phase, figures.requests)?;
        Ok(figures)
    }

    /// Measures one phase with these requests.
    pub(crate) fn measure_drafts(
        &self,
        phase: Phase,
        draft: impl Fn(u64) -> Draft + Sync,
    ) -> Result<PhaseFigures, Failure> {
        let count = phase.share(self.plan.requests);
        let exchanges = Exchange::prepare(&Signer::new(self.address), count, draft)?;
        self.process.await_rest()?;
        let pace = Pace {
            connections: self.plan.connections,
            scrutiny: Scrutiny::Glance,
            longest: Some(self.plan.longest),
            repeats: phase.repeats(),
        };
        let before = (
            self.process.processor_time()?,
            Process::own().processor_time()?,
        );
        let outcome = drive(self.address, &exchanges, pace)?;
        let server = self.process.processor_time()?.saturating_sub(before.0);
        let generator = Process::own().processor_time()?.saturating_sub(before.1);
        let figures = PhaseFigures::new(phase, outcome, server, generator);
        say(&format!(
            "{}: {}: {:.0}/s",
            self.name,
            phase.name(),
            figures.per_second
        ));
        Ok(figures)
    }

    /// Some of what the first `written` requests wrote, the last one included.
    fn read_back(&self, phase: Phase, written: u64) -> Result<(), Failure> {
        let step = (written / READ_BACK).max(1) as usize;
        let some = (0..written).rev().step_by(step);
        let drafts: Vec<Draft> = some.flat_map(|number| phase.read_back(number)).collect();
        let signer = Signer::new(self.address);
        let signed: Result<Vec<_>, _> = drafts
            .into_iter()
            .map(|draft| Exchange::sign(&signer, draft))
            .collect();
        let exchanges = signed?;
        self.find_all(&exchanges).map_err(|failure| {
            format!("what {} wrote is not all there: {failure}", phase.name()).into()
        })
    }

    /// Asks again until all is there: an index may lag behind its table, as AWS's do.
    fn find_all(&self, exchanges: &[Exchange]) -> Result<(), Failure> {
        let start = Instant::now();
        loop {
            match drive(self.address, exchanges, self.unhurried()) {
                Ok(_) => return Ok(()),
                Err(failure) if start.elapsed() >= self.plan.longest_lag => return Err(failure),
                Err(_) => std::thread::sleep(Duration::from_millis(100)),
            }
        }
    }

    /// For what is not measured: every answer is looked at closely.
    const fn unhurried(&self) -> Pace {
        Pace {
            connections: self.plan.connections,
            scrutiny: Scrutiny::Full,
            longest: None,
            repeats: false,
        }
    }
}
