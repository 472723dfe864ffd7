//! What our server is to reach.

use crate::contestant::{Contestant, Keeps};
use crate::phase::Phase;
use crate::report::{ServerFigures, ServerReport};
use serde::Serialize;

/// How many times as fast as the best peer that syncs too our synced store is to be.
const TO_PEER: [(Phase, Option<f64>); 5] = [
    (Phase::Put, Some(5.0)),
    (Phase::Indexed, None),
    (Phase::Get, Some(3.0)),
    (Phase::Query, Some(4.0)),
    (Phase::Transaction, Some(4.0)),
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
    let own = own(servers).and_then(ServerReport::figures);
    peers
        .chain(to_bare(servers))
        .chain(own.into_iter().flat_map(start))
        .collect()
}

fn own(servers: &[ServerReport]) -> Option<&ServerReport> {
    let mut servers = servers.iter();
    servers.find(|server| server.server == Contestant::MonotableDisk)
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

fn to_bare(servers: &[ServerReport]) -> Option<Verdict> {
    let ours = own(servers)?.per_second(Phase::Get)?;
    let bare = servers
        .iter()
        .find(|server| server.server == Contestant::Bare)?;
    let ratio = ours / bare.per_second(Phase::Get)?;
    Some(Verdict::at_least(
        "get to bare".into(),
        ratio,
        Some(TO_BARE),
    ))
}

fn start(figures: &ServerFigures) -> [Verdict; 2] {
    [
        Verdict::at_most("idle memory", figures.idle_mb, "MB", MOST_IDLE_MB),
        Verdict::at_most(
            "first answer",
            figures.first_answer_millis,
            "ms",
            MOST_FIRST_ANSWER_MILLIS,
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

    fn at_most(name: &str, figure: f64, unit: &'static str, most: f64) -> Self {
        Self {
            name: name.into(),
            figure,
            unit,
            least: None,
            most: Some(most),
            met: Some(figure <= most),
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
        let outcome = Outcome {
            micros: vec![9; gets],
            elapsed: Duration::from_secs(1),
        };
        let figures = PhaseFigures::new(Phase::Get, outcome, Duration::ZERO, Duration::ZERO);
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
            server(Contestant::MonotableDisk, 330),
            server(Contestant::MonotableMemory, 9_000),
            server(Contestant::Dynoxide, 100),
            server(Contestant::ExtendDb, 500),
            server(Contestant::Bare, 600),
        ];
        let verdicts = judge(&servers);
        let lines: Vec<(&str, f64, Option<bool>)> = verdicts
            .iter()
            .map(|verdict| (verdict.name.as_str(), verdict.figure, verdict.met))
            .collect();
        let expected = [
            ("get to dynoxide", 3.3, Some(true)),
            ("get to bare", 0.55, Some(false)),
            ("idle memory", 29.0, Some(true)),
            ("first answer", 101.0, Some(false)),
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn nothing_is_said_about_what_did_not_run() {
        assert!(judge(&[server(Contestant::Dynoxide, 100)]).is_empty());
        assert_eq!(judge(&[server(Contestant::MonotableDisk, 100)]).len(), 2);
    }
}
