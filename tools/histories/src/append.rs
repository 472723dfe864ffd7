//! Histories of clients that append to lists, of servers that are killed.
//!
//! Layout: `lists.rs` is the table and its lists, `request.rs` what clients ask for, `client.rs` a client, `round.rs` one
//! history, with its kills.

mod client;
mod lists;
mod request;
mod round;

use crate::Program;
use crate::check::check;
use crate::history::{History, Outcome};
use round::Store;
use std::fmt;
use std::io;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// What is run.
#[derive(Clone, Debug)]
pub struct AppendSettings {
    /// The server.
    pub program: Program,
    /// How many histories there are in all.
    pub histories: u32,
    /// How many stores, each with its server, work side by side.
    pub stores: u32,
    /// How many clients a history has.
    pub clients: u32,
    /// How many requests each of them makes.
    pub requests: u32,
    /// The most kills of a history; each has at least one.
    pub kills: u32,
    /// Where chance begins.
    pub seed: u64,
    /// Ends the run earlier if it takes longer.
    pub longest: Duration,
}

/// What was run.
#[derive(Clone, Debug, Default)]
pub struct AppendSummary {
    /// Histories that were checked.
    pub histories: u32,
    /// Requests, by what became of them.
    pub committed: u64,
    /// Refused ones.
    pub aborted: u64,
    /// Those whose answers were lost.
    pub unknown: u64,
    /// How often a server was killed.
    pub kills: u32,
    /// What is wrong, with the number of the history.
    pub anomalies: Vec<String>,
    /// How long it took.
    pub time: Duration,
}

/// Runs histories and checks each of them. An error is one of the run itself; what histories show is in the summary.
pub async fn run(settings: &AppendSettings) -> io::Result<AppendSummary> {
    let began = Instant::now();
    let mut stores = JoinSet::new();
    for number in 0..settings.stores {
        stores.spawn(run_store(settings.clone(), number));
    }
    let mut summary = AppendSummary::default();
    while let Some(part) = stores.join_next().await {
        summary.add(part.map_err(io::Error::other)??);
    }
    summary.time = began.elapsed();
    Ok(summary)
}

/// The histories of one store, one after another.
async fn run_store(settings: AppendSettings, number: u32) -> io::Result<AppendSummary> {
    let mut summary = AppendSummary::default();
    let mut store = Store::open(&settings).await?;
    let numbers = (number..settings.histories).step_by(settings.stores.max(1) as usize);
    let began = Instant::now();
    for history_number in numbers.take_while(|_| began.elapsed() < settings.longest) {
        let round = store.run_history(&settings, history_number).await;
        let (history, kills) = match round {
            Ok(round) => round,
            Err(error) => {
                return Err(io::Error::other(format!(
                    "history {history_number}: {error}"
                )));
            }
        };
        summary.count(&history);
        summary.kills += kills;
        for anomaly in check(&history) {
            summary
                .anomalies
                .push(format!("history {history_number}: {anomaly}"));
        }
    }
    Ok(summary)
}

impl AppendSummary {
    fn count(&mut self, history: &History) {
        self.histories += 1;
        for operation in &history.operations {
            match operation.outcome {
                Outcome::Committed => self.committed += 1,
                Outcome::Aborted => self.aborted += 1,
                Outcome::Unknown => self.unknown += 1,
            }
        }
    }

    fn add(&mut self, part: Self) {
        self.histories += part.histories;
        self.committed += part.committed;
        self.aborted += part.aborted;
        self.unknown += part.unknown;
        self.kills += part.kills;
        self.anomalies.extend(part.anomalies);
    }
}

impl fmt::Display for AppendSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} histories, {} requests acknowledged, {} refused, {} without an answer, {} kills: {} anomalies, in {} s",
            self.histories,
            self.committed,
            self.aborted,
            self.unknown,
            self.kills,
            self.anomalies.len(),
            self.time.as_secs(),
        )
    }
}
