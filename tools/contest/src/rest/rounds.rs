//! Both sides, turn after turn.

use super::arguments::RestArguments;
use super::samples::{Samples, Side, Work};
use super::server::RestServer;
use crate::exchange::Scrutiny;
use crate::failure::Failure;
use crate::generator::{Pace, drive};
use crate::progress::say;
use crate::quantile::quantile;
use serde::Serialize;

/// So many rows are written at a time before anything is measured: signatures grow old.
const LOADED_AT_ONCE: u64 = 10_000;
/// How many different reads there are; they are sent again until the time is over.
const READS: u64 = 20_000;

/// What one side came to in one turn.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Turn {
    pub(super) requests: u64,
    pub(super) per_second: f64,
    pub(super) p50_micros: u32,
    pub(super) p99_micros: u32,
    /// The server's processor time for one request.
    pub(super) server_micros: f64,
}

/// Both sides in one round.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Round {
    pub(super) dynamo: Turn,
    pub(super) rest: Turn,
}

impl Round {
    /// The part of the requests a second that REST reaches.
    pub(super) fn speed_ratio(&self) -> f64 {
        self.rest.per_second / self.dynamo.per_second
    }

    /// The ratio of the requests that the server answers in a second of its processor time. Other programs of the machine move
    /// it less than requests a second.
    pub(super) fn processor_ratio(&self) -> f64 {
        self.dynamo.server_micros / self.rest.server_micros
    }
}

/// All rounds of everything that is measured.
pub(super) type Rounds = Vec<(Work, Vec<Round>)>;

pub(super) fn measure_rounds(
    server: &RestServer,
    samples: &Samples,
    arguments: &RestArguments,
) -> Result<Rounds, Failure> {
    let mut rows = load(server, samples, arguments)?;
    let mut measured = Vec::new();
    for work in Work::ALL {
        let mut rounds = Vec::new();
        for number in 0..arguments.rounds {
            let mut take = |side| -> Result<Turn, Failure> {
                let count = match work {
                    Work::Get => READS,
                    Work::Create => arguments.requests,
                };
                let turn = take_turn(server, samples, arguments, (side, work), rows, count)?;
                if work == Work::Create {
                    rows += count;
                }
                Ok(turn)
            };
            // Who goes first changes, so that what one leaves behind is not always the other's burden.
            let round = if number % 2 == 0 {
                let dynamo = take(Side::Dynamo)?;
                let rest = take(Side::Rest)?;
                Round { dynamo, rest }
            } else {
                let rest = take(Side::Rest)?;
                let dynamo = take(Side::Dynamo)?;
                Round { dynamo, rest }
            };
            say(&format!(
                "{} {}: DynamoDB {:.0}/s, REST {:.0}/s: {:.2}, by processor time {:.2}",
                work.name(),
                number + 1,
                round.dynamo.per_second,
                round.rest.per_second,
                round.speed_ratio(),
                round.processor_ratio()
            ));
            rounds.push(round);
        }
        measured.push((work, rounds));
    }
    Ok(measured)
}

/// Writes the rows that are read. How many there are.
fn load(server: &RestServer, samples: &Samples, arguments: &RestArguments) -> Result<u64, Failure> {
    let mut rows = 0;
    while rows < arguments.items {
        let count = LOADED_AT_ONCE.min(arguments.items - rows);
        let puts = samples.prepare((Side::Dynamo, Work::Create), server, rows, count)?;
        let pace = Pace {
            connections: arguments.connections,
            scrutiny: Scrutiny::Full,
            longest: None,
            repeats: false,
        };
        drive(server.address(), &puts, pace)?;
        rows += count;
    }
    Ok(rows)
}

fn take_turn(
    server: &RestServer,
    samples: &Samples,
    arguments: &RestArguments,
    turn: (Side, Work),
    rows: u64,
    count: u64,
) -> Result<Turn, Failure> {
    let exchanges = samples.prepare(turn, server, rows, count)?;
    server.process().await_rest()?;
    let pace = Pace {
        connections: arguments.connections,
        scrutiny: Scrutiny::Glance,
        longest: Some(arguments.longest),
        repeats: turn.1 == Work::Get,
    };
    let before = server.process().processor_time()?;
    let outcome = drive(server.address(), &exchanges, pace)?;
    let used = server.process().processor_time()?.saturating_sub(before);
    let requests = outcome.answers();
    let seconds = outcome.elapsed.as_secs_f64();
    let mut micros = outcome.micros;
    Ok(Turn {
        requests,
        per_second: requests as f64 / seconds,
        p50_micros: quantile(&mut micros, 0.5),
        p99_micros: quantile(&mut micros, 0.99),
        server_micros: used.as_secs_f64() * 1e6 / requests.max(1) as f64,
    })
}
