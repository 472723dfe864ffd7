//! What our server is to reach.

use crate::contestant::{Contestant, Keeps};
use crate::phase::Phase;
use crate::report::{ServerFigures, ServerReport};
use serde::Serialize;

/// How many times as fast as the best peer that syncs too our synced store is to be.
const TO_PEER: [(Phase, Option<f64>); 5] = [
    (Phase::Put, Some(5.0)),
    (Phase::Indexed, None),
    (Phase::Get, Some(3.5)),
    (Phase::Query, Some(4.0)),
    (Phase::Transaction, Some(4.0)),
];
/// How much of the processor time of the earlier build a request may take.
const TO_BEFORE: [(Phase, Option<f64>); 5] = [
    (Phase::Put, Some(1.1)),
    (Phase::Indexed, None),
    (Phase::Get, Some(1.1)),
    (Phase::Query, Some(1.1)),
    (Phase::Transaction, Some(1.1)),
];
/// How fast a get is to be, as a part of what hyper can do.
const TO_BARE: f64 = 0.6;
const MOST_IDLE_MB: f64 = 30.0;
const MOST_FIRST_ANSWER_MILLIS: f64 = 100.0;

/// A figure and its target.
#[derive(Debug, Serialize)]
pub(crate) struct Verdict {
    name: String,
    figure: f64,
    unit: &'static str,
    least: Option<f64>,
    most: Option<f64>,
    /// None when there is no target.
    pub(crate) met: Option<bool>,
}

/// Compares what was measured with what is to be reached; nothing is said about what was not measured.
pub(crate) fn judge(servers: &[ServerReport]) -> Vec<Verdict> {
    let peers = TO_PEER
        .into_iter()
        .filter_map(|(phase, least)| to_peer(servers, phase, least));
    let earlier = TO_BEFORE
        .into_iter()
        .filter_map(|(phase, most)| to_before(servers, phase, most));
    let own = own(servers).and_then(ServerReport::figures);
    peers
        .chain(earlier)
        .chain(to_bare(servers))
        .chain(own.into_iter().flat_map(start))
        .collect()
}

fn own(servers: &[ServerReport]) -> Option<&ServerReport> {
    find(servers, Contestant::MonotableDisk)
}

fn find(servers: &[ServerReport], contestant: Contestant) -> Option<&ServerReport> {
    let mut servers = servers.iter();
    servers.find(|server| server.server == contestant)
}

fn to_peer(servers: &[ServerReport], phase: Phase, least: Option<f64>) -> Option<Verdict> {
    let ours = own(servers)?.per_second(phase)?;
    let (peer, theirs) = servers
        .iter()
        .filter(|server| server.server.is_peer() && server.server.keeps() == Keeps::Synced)
        .filter_map(|server| Some((server, server.per_second(phase)?)))
        .max_by(|one, other| one.1.total_cmp(&other.1))?;
    let name = format!("{} to {}", phase.name(), peer.server.name());
    Some(Verdict::at_least(name, ours / theirs, least))
}

/// Processor time and not requests a second: those depend on the syncs and on who else uses the machine.
fn to_before(servers: &[ServerReport], phase: Phase, most: Option<f64>) -> Option<Verdict> {
    let ours = own(servers)?.micros(phase)?;
    let theirs = find(servers, Contestant::MonotableBefore)?.micros(phase)?;
    let name = format!("{} cpu to before", phase.name());
    Some(Verdict::at_most(name, ours / theirs, "times", most))
}

fn to_bare(servers: &[ServerReport]) -> Option<Verdict> {
    let ours = own(servers)?.per_second(Phase::Get)?;
    let bare = find(servers, Contestant::Bare)?;
    let ratio = ours / bare.per_second(Phase::Get)?;
    Some(Verdict::at_least(
        "get to bare".into(),
        ratio,
        Some(TO_BARE),
    ))
}

fn start(figures: &ServerFigures) -> [Verdict; 2] {
    [
        Verdict::at_most(
            "idle memory".into(),
            figures.idle_mb,
            "MB",
            Some(MOST_IDLE_MB),
        ),
        Verdict::at_most(
            "first answer".into(),
            figures.first_answer_millis,
            "ms",
            Some(MOST_FIRST_ANSWER_MILLIS),
        ),
    ]
}

impl Verdict {
    fn at_least(name: String, figure: f64, least: Option<f64>) -> Self {
        Self {
            name,
            figure,
            unit: "times",
            least,
            most: None,
            met: least.map(|least| figure >= least),
        }
    }

    fn at_most(name: String, figure: f64, unit: &'static str, most: Option<f64>) -> Self {
        Self {
            name,
            figure,
            unit,
            least: None,
            most,
            met: most.map(|most| figure <= most),
        }
    }

    pub(crate) fn to_text(&self) -> String {
        let target = match (self.least, self.most) {
            (Some(least), _) => format!(">= {least}"),
            (None, Some(most)) => format!("<= {most}"),
            (None, None) => String::new(),
        };
        let met = match self.met {
            Some(true) => "met",
            Some(false) => "MISSED",
            None => "",
        };
        let line = format!(
            "{:<26} {:>8.2} {:<6} {target:>8} {met}",
            self.name, self.figure, self.unit
        );
        line.trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::PhaseFigures;
    use crate::generator::Outcome;
    use crate::report::ServerResult;
    use std::time::Duration;

    fn server(server: Contestant, gets: usize) -> ServerReport {
        busy_server(server, gets, Duration::ZERO)
    }

    fn busy_server(server: Contestant, gets: usize, busy: Duration) -> ServerReport {
        let outcome = Outcome {
            micros: vec![9; gets],
            elapsed: Duration::from_secs(1),
        };
        let figures = PhaseFigures::new(Phase::Get, outcome, busy, Duration::ZERO);
        ServerReport {
            server,
            keeps: server.keeps().name(),
            result: ServerResult::Measured(ServerFigures {
                first_answer_millis: 101.0,
                idle_mb: 29.0,
                load_seconds: None,
                loaded_mb: None,
                end_mb: 29.0,
                phases: vec![figures],
            }),
        }
    }

    #[test]
    fn ours_is_compared_with_the_synced_peer_and_the_bare_server() {
        let servers = [
            server(Contestant::MonotableDisk, 360),
            server(Contestant::MonotableMemory, 9_000),
            server(Contestant::Dynoxide, 100),
            server(Contestant::ExtendDb, 500),
            server(Contestant::Bare, 625),
        ];
        let verdicts = judge(&servers);
        let lines: Vec<(&str, f64, Option<bool>)> = verdicts
            .iter()
            .map(|verdict| (verdict.name.as_str(), verdict.figure, verdict.met))
            .collect();
        let expected = [
            ("get to dynoxide", 3.6, Some(true)),
            ("get to bare", 0.576, Some(false)),
            ("idle memory", 29.0, Some(true)),
            ("first answer", 101.0, Some(false)),
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn ours_may_take_a_tenth_more_processor_time_than_the_earlier_build() {
        let judged = |ours: u64, theirs: u64| {
            let servers = [
                busy_server(Contestant::MonotableDisk, 1, Duration::from_micros(ours)),
                busy_server(
                    Contestant::MonotableBefore,
                    1,
                    Duration::from_micros(theirs),
                ),
            ];
            let verdicts = judge(&servers).into_iter();
            let mut verdicts = verdicts.filter(|verdict| verdict.name == "get cpu to before");
            verdicts.next().and_then(|verdict| verdict.met)
        };
        assert_eq!(judged(109, 100), Some(true));
        assert_eq!(judged(111, 100), Some(false));
    }

    #[test]
    fn nothing_is_said_about_what_did_not_run() {
        assert!(judge(&[server(Contestant::Dynoxide, 100)]).is_empty());
        assert_eq!(judge(&[server(Contestant::MonotableDisk, 100)]).len(), 2);
    }
}
