//! What was measured, for people and for programs.

use crate::contestant::{Contestant, Keeps};
use crate::figures::PhaseFigures;
use crate::machine::Machine;
use crate::phase::Phase;
use crate::target::Verdict;
use serde::{Serialize, Serializer};
use std::fmt::Write;

#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) machine: Machine,
    pub(crate) items: u64,
    pub(crate) connections: usize,
    pub(crate) servers: Vec<ServerReport>,
    pub(crate) verdicts: Vec<Verdict>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ServerReport {
    #[serde(serialize_with = "name")]
    pub(crate) server: Contestant,
    pub(crate) keeps: &'static str,
    #[serde(flatten)]
    pub(crate) result: ServerResult,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ServerResult {
    Measured(ServerFigures),
    NotInstalled(String),
}

#[derive(Debug, Serialize)]
pub(crate) struct ServerFigures {
    /// From the start of the process to its first answer, with an empty store.
    pub(crate) first_answer_millis: f64,
    pub(crate) idle_mb: f64,
    /// How long the load took, and the memory after it; none when there was none.
    pub(crate) load_seconds: Option<f64>,
    pub(crate) loaded_mb: Option<f64>,
    pub(crate) end_mb: f64,
    pub(crate) phases: Vec<PhaseFigures>,
}

fn name<S: Serializer>(server: &Contestant, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(server.name())
}

impl ServerReport {
    pub(crate) const fn figures(&self) -> Option<&ServerFigures> {
        match &self.result {
            ServerResult::Measured(figures) => Some(figures),
            ServerResult::NotInstalled(_) => None,
        }
    }

    /// How many requests of a phase it answered each second.
    pub(crate) fn per_second(&self, phase: Phase) -> Option<f64> {
        self.phase(phase).map(|figures| figures.per_second)
    }

    /// Its processor time for one request of a phase.
    pub(crate) fn micros(&self, phase: Phase) -> Option<f64> {
        self.phase(phase).map(|figures| figures.server_micros)
    }

    fn phase(&self, phase: Phase) -> Option<&PhaseFigures> {
        let mut phases = self.figures()?.phases.iter();
        phases.find(|figures| figures.phase == phase)
    }

    fn describe(&self, text: &mut String) -> std::fmt::Result {
        let server = self.server.name();
        match &self.result {
            ServerResult::NotInstalled(why) => writeln!(text, "{server:<17} not installed: {why}"),
            ServerResult::Measured(figures) => writeln!(
                text,
                "{server:<17} {:<11} {:>12.1} {:>9.1} {:>9} {:>9} {:>9.1}",
                self.keeps,
                figures.first_answer_millis,
                figures.idle_mb,
                optional(figures.load_seconds),
                optional(figures.loaded_mb),
                figures.end_mb,
            ),
        }
    }

    fn describe_phase(&self, phase: Phase, text: &mut String) -> std::fmt::Result {
        let Some(figures) = self.figures() else {
            return Ok(());
        };
        for line in figures.phases.iter().filter(|line| line.phase == phase) {
            let PhaseFigures {
                requests,
                per_second,
                p50_micros,
                p99_micros,
                server_cores,
                server_micros,
                generator_cores,
                ..
            } = line;
            writeln!(
                text,
                "{:<12} {:<17} {:<11} {requests:>9} {per_second:>9.0} {p50_micros:>8} \
                 {p99_micros:>8} {server_cores:>7.2} {server_micros:>8.1} {generator_cores:>7.2}",
                phase.name(),
                self.server.name(),
                self.keeps,
            )?;
        }
        Ok(())
    }
}

fn optional(figure: Option<f64>) -> String {
    figure.map_or_else(|| "-".to_owned(), |figure| format!("{figure:.1}"))
}

impl Report {
    pub(crate) fn all_met(&self) -> bool {
        self.verdicts
            .iter()
            .all(|verdict| verdict.met != Some(false))
    }

    pub(crate) fn to_text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.describe(&mut text);
        text
    }

    fn describe(&self, text: &mut String) -> std::fmt::Result {
        let Machine {
            cores,
            processor,
            memory_mb,
            sync_p50_micros,
            sync_p99_micros,
        } = &self.machine;
        writeln!(
            text,
            "machine: {cores} cores ({processor}), {memory_mb} MB; append and sync of 1 KB: p50 \
             {sync_p50_micros} us, p99 {sync_p99_micros} us\n\
             items: {} of 1 KB loaded into each server; {} connections\n",
            self.items, self.connections
        )?;
        writeln!(
            text,
            "{:<17} {:<11} {:>12} {:>9} {:>9} {:>9} {:>9}",
            "server", "writes", "first ms", "idle MB", "load s", "loaded MB", "end MB"
        )?;
        for server in &self.servers {
            server.describe(text)?;
        }
        writeln!(
            text,
            "\n{:<12} {:<17} {:<11} {:>9} {:>9} {:>8} {:>8} {:>7} {:>8} {:>7}",
            "phase",
            "server",
            "writes",
            "requests",
            "per s",
            "p50 us",
            "p99 us",
            "cores",
            "cpu us",
            "load"
        )?;
        for phase in Phase::ALL {
            for server in &self.servers {
                server.describe_phase(phase, text)?;
            }
        }
        writeln!(text)?;
        for verdict in &self.verdicts {
            writeln!(text, "{}", verdict.to_text())?;
        }
        writeln!(
            text,
            "\n{}: on the disk before the answer; {}: a power cut takes acknowledged writes.\n\
             cores, cpu: processor time of the server, in all and for one request; load: cores that \
             the generator used, which has one thread.",
            Keeps::Synced.name(),
            Keeps::Unsynced.name()
        )
    }
}
