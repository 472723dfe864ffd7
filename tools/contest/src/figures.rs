//! What a phase comes to.

use crate::generator::Outcome;
use crate::phase::Phase;
use crate::quantile::quantile;
use serde::Serialize;
use std::time::Duration;

#[derive(Clone, Debug, Serialize)]
pub(crate) struct PhaseFigures {
    pub(crate) phase: Phase,
    pub(crate) requests: u64,
    pub(crate) per_second: f64,
    pub(crate) p50_micros: u32,
    pub(crate) p99_micros: u32,
    /// How many cores the server kept busy.
    pub(crate) server_cores: f64,
    /// The server's processor time for one request.
    pub(crate) server_micros: f64,
    /// How many cores the generator, which has one thread, kept busy: at 1 it was the bottleneck.
    pub(crate) generator_cores: f64,
}

impl PhaseFigures {
    pub(crate) fn new(
        phase: Phase,
        outcome: Outcome,
        server: Duration,
        generator: Duration,
    ) -> Self {
        let requests = outcome.answers();
        let seconds = outcome.elapsed.as_secs_f64();
        let mut micros = outcome.micros;
        Self {
            phase,
            requests,
            per_second: requests as f64 / seconds,
            p50_micros: quantile(&mut micros, 0.5),
            p99_micros: quantile(&mut micros, 0.99),
            server_cores: server.as_secs_f64() / seconds,
            server_micros: server.as_secs_f64() * 1e6 / requests.max(1) as f64,
            generator_cores: generator.as_secs_f64() / seconds,
        }
    }
}
