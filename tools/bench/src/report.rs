//! What was measured, for people and for programs.

use crate::contest::{Figures, Outcome};
use crate::load::LoadFacts;
use crate::machine::Machine;
use crate::volume::Growth;
use serde::Serialize;
use std::fmt::Write;

#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) machine: Machine,
    /// What the items are.
    pub(crate) items: String,
    pub(crate) cache_mb: u64,
    pub(crate) lines: Vec<Line>,
    /// What explains the figures.
    pub(crate) notes: Vec<String>,
}

/// One figure and its target.
#[derive(Debug, Serialize)]
pub(crate) struct Line {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) figure: Figure,
    /// None when there is no target, or noise hides the figure.
    pub(crate) met: Option<bool>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Figure {
    /// How fast the engine is, as a part of raw.
    Ratio {
        engine: Figures,
        raw: Figures,
        ratio: f64,
        /// Half of the measured ratios are between these.
        spread: [f64; 2],
        least: Option<f64>,
    },
    /// What the engine takes longer than raw, with many and with few items.
    Growth {
        large_micros: f64,
        small_micros: f64,
        growth: f64,
        most: f64,
    },
    /// How long a load took, and the longest that a commit of it took.
    Load {
        seconds: f64,
        longest_commit_seconds: f64,
        longest_request_seconds: f64,
        most_seconds: f64,
    },
    /// What an operation of the engine takes with all items and with a part of them.
    Volume {
        large: Figures,
        small: Figures,
        growth: f64,
        most: f64,
    },
    /// What a write takes on a table with a stream and on one without.
    Stream {
        with: Figures,
        without: Figures,
        cost: f64,
        most: f64,
    },
    Memory {
        resident_mb: f64,
        peak_mb: f64,
        most_mb: f64,
    },
}

impl Line {
    pub(crate) fn ratio(name: impl Into<String>, outcome: &Outcome, least: Option<f64>) -> Self {
        let ratio = outcome.ratio();
        Self {
            name: name.into(),
            figure: Figure::Ratio {
                engine: outcome.engine.figures(),
                raw: outcome.raw.figures(),
                ratio,
                spread: outcome.spread(),
                least,
            },
            met: least.map(|least| ratio >= least),
        }
    }

    pub(crate) fn growth(name: &str, large: &Outcome, small: &Outcome, most: f64) -> Self {
        let (large_micros, small_micros) = (large.overhead_micros(), small.overhead_micros());
        let growth = large_micros / small_micros;
        Self {
            name: format!("overhead of {name}"),
            figure: Figure::Growth {
                large_micros,
                small_micros,
                growth,
                most,
            },
            // An overhead below zero was not measured but drowned in noise: then nothing is said.
            met: (large_micros > 0.0 && small_micros > 0.0).then_some(growth <= most),
        }
    }

    pub(crate) fn load(facts: &LoadFacts, most_seconds: f64) -> Self {
        Self {
            name: "load".into(),
            figure: Figure::Load {
                seconds: facts.seconds,
                longest_commit_seconds: facts.longest_commit_seconds,
                longest_request_seconds: facts.longest_request_seconds,
                most_seconds,
            },
            met: Some(facts.longest_commit_seconds <= most_seconds),
        }
    }

    pub(crate) fn volume(growth: Growth, most: f64) -> Self {
        let (large, small) = (growth.large.figures(), growth.small.figures());
        // By the median of single operations: on a shared machine whole blocks mostly tell how often they
        // were interrupted.
        let times = large.p50_micros / small.p50_micros;
        Self {
            name: growth.name,
            figure: Figure::Volume {
                large,
                small,
                growth: times,
                most,
            },
            met: Some(times <= most),
        }
    }

    /// `outcome` has the table with a stream as its engine, and the one without as raw.
    pub(crate) fn stream(outcome: &Outcome, most: f64) -> Self {
        let cost = 1.0 / outcome.ratio();
        Self {
            name: "put with a stream".into(),
            figure: Figure::Stream {
                with: outcome.engine.figures(),
                without: outcome.raw.figures(),
                cost,
                most,
            },
            met: Some(cost <= most),
        }
    }

    pub(crate) fn memory(resident_bytes: u64, peak_bytes: u64, most_bytes: u64) -> Self {
        let mb = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        Self {
            name: "memory after load".into(),
            figure: Figure::Memory {
                resident_mb: mb(resident_bytes),
                peak_mb: mb(peak_bytes),
                most_mb: mb(most_bytes),
            },
            met: Some(resident_bytes <= most_bytes),
        }
    }

    fn to_text(&self) -> String {
        let met = match self.met {
            Some(true) => "met",
            Some(false) => "MISSED",
            None if matches!(self.figure, Figure::Growth { .. }) => "unclear",
            None => "",
        };
        let (figures, result, target) = match &self.figure {
            Figure::Ratio {
                engine,
                raw,
                ratio,
                spread: [low, high],
                least,
            } => (
                format!("{} {}", side(engine), side(raw)),
                format!("{ratio:.2} ({low:.2}-{high:.2})"),
                least.map_or_else(String::new, |least| format!(">= {least:.2}")),
            ),
            Figure::Growth {
                large_micros,
                small_micros,
                growth,
                most,
            } => (
                format!("{large_micros:.2} us with all items, {small_micros:.2} us with few"),
                format!("{growth:.2}"),
                format!("<= {most:.2}"),
            ),
            Figure::Load {
                seconds,
                longest_commit_seconds,
                longest_request_seconds,
                most_seconds,
            } => (
                format!(
                    "{seconds:.0} s; longest commit {longest_commit_seconds:.2} s, longest request {longest_request_seconds:.2} s"
                ),
                format!("{longest_commit_seconds:.2}"),
                format!("<= {most_seconds:.2}"),
            ),
            Figure::Volume {
                large,
                small,
                growth,
                most,
            } => (
                format!("{} {}", side(large), side(small)),
                format!("{growth:.2}"),
                format!("<= {most:.2}"),
            ),
            Figure::Stream {
                with,
                without,
                cost,
                most,
            } => (
                format!("{} {}", side(with), side(without)),
                format!("{cost:.2}"),
                format!("<= {most:.2}"),
            ),
            Figure::Memory {
                resident_mb,
                peak_mb,
                most_mb,
            } => (
                format!("{resident_mb:.0} MB resident, {peak_mb:.0} MB at most"),
                format!("{resident_mb:.0}"),
                format!("<= {most_mb:.0}"),
            ),
        };
        format!(
            "{:<26} {figures:<62} {result:>16} {target:>8} {met}",
            self.name
        )
    }
}

fn side(figures: &Figures) -> String {
    format!(
        "{:>9.0} {:>9.1} {:>9.1}",
        figures.per_second, figures.p50_micros, figures.p99_micros
    )
}

impl Report {
    pub(crate) fn all_met(&self) -> bool {
        self.lines.iter().all(|line| line.met != Some(false))
    }

    pub(crate) fn to_text(&self) -> String {
        let Machine {
            cores,
            processor,
            memory_mb,
            sync_p50_micros,
            sync_p99_micros,
        } = &self.machine;
        let mut text = format!(
            "machine: {cores} cores ({processor}), {memory_mb} MB; append and sync of 1 KB: p50 \
             {sync_p50_micros:.0} us, p99 {sync_p99_micros:.0} us\n\
             items: {}\ncache: {} MB\n\n\
             {:<26} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>16} {:>8}\n",
            self.items,
            self.cache_mb,
            "",
            "engine/s",
            "p50 us",
            "p99 us",
            "raw/s",
            "p50 us",
            "p99 us",
            "ratio (half)",
            "target"
        );
        // Writing to a string does not fail.
        for line in &self.lines {
            let _ = writeln!(text, "{}", line.to_text());
        }
        for note in &self.notes {
            let _ = writeln!(text, "{note}");
        }
        text
    }
}
