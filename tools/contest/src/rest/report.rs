//! What the rounds come to.

use super::arguments::RestArguments;
use super::rounds::{Round, Rounds};
use crate::machine::Machine;
use serde::Serialize;
use std::fmt::Write as _;

/// The part of the DynamoDB API's requests a second that REST is to reach.
const TO_DYNAMO: f64 = 0.7;

#[derive(Debug, Serialize)]
pub(super) struct RestReport {
    machine: Machine,
    items: u64,
    connections: usize,
    algorithm: &'static str,
    keeps: &'static str,
    works: Vec<WorkReport>,
}

/// One kind of request.
#[derive(Debug, Serialize)]
struct WorkReport {
    work: &'static str,
    /// The medians of the rounds.
    speed_ratio: f64,
    processor_ratio: f64,
    least: f64,
    met: bool,
    rounds: Vec<Round>,
}

impl RestReport {
    pub(super) fn new(machine: Machine, arguments: &RestArguments, rounds: Rounds) -> Self {
        let works = rounds.into_iter().map(|(work, rounds)| {
            let speed_ratio = find_median(&rounds, Round::speed_ratio);
            WorkReport {
                work: work.name(),
                speed_ratio,
                processor_ratio: find_median(&rounds, Round::processor_ratio),
                least: TO_DYNAMO,
                met: speed_ratio >= TO_DYNAMO,
                rounds,
            }
        });
        let keeps = if arguments.in_memory {
            "in memory"
        } else {
            "on disk, synced"
        };
        Self {
            machine,
            items: arguments.items,
            connections: arguments.connections,
            algorithm: arguments.algorithm.name(),
            keeps,
            works: works.collect(),
        }
    }

    pub(super) fn is_met(&self) -> bool {
        self.works.iter().all(|work| work.met)
    }

    pub(super) fn to_text(&self) -> String {
        let mut text = String::new();
        // Writing to a text does not fail.
        let _ = self.write_text(&mut text);
        text
    }

    fn write_text(&self, text: &mut String) -> std::fmt::Result {
        let machine = &self.machine;
        writeln!(
            text,
            "{} cores, {}, a sync takes {} us; {} rows {}, {} connections, tokens by {}",
            machine.cores,
            machine.processor,
            machine.sync_p50_micros,
            self.items,
            self.keeps,
            self.connections,
            self.algorithm
        )?;
        for work in &self.works {
            writeln!(
                text,
                "\n{}: REST reaches {:.2} of DynamoDB's requests a second, and {:.2} by processor time; wanted is {:.2}{}",
                work.work,
                work.speed_ratio,
                work.processor_ratio,
                work.least,
                if work.met { "" } else { ": MISSED" }
            )?;
            writeln!(
                text,
                "  round   DynamoDB/s  us each  p50 us  p99 us      REST/s  us each  p50 us  p99 us  ratio"
            )?;
            for (number, round) in work.rounds.iter().enumerate() {
                let (one, other) = (&round.dynamo, &round.rest);
                writeln!(
                    text,
                    "  {:5} {:12.0} {:8.1} {:7} {:7} {:11.0} {:8.1} {:7} {:7} {:6.2}",
                    number + 1,
                    one.per_second,
                    one.server_micros,
                    one.p50_micros,
                    one.p99_micros,
                    other.per_second,
                    other.server_micros,
                    other.p50_micros,
                    other.p99_micros,
                    round.speed_ratio()
                )?;
            }
        }
        Ok(())
    }
}

fn find_median(rounds: &[Round], figure: impl Fn(&Round) -> f64) -> f64 {
    let mut figures: Vec<f64> = rounds.iter().map(figure).collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}
