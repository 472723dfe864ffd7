//! One operation on both sides, in turns on one thread.

use crate::failure::Failure;
use crate::quantile::{median, quantile};
use serde::Serialize;
use std::hint::black_box;
use std::time::Instant;

/// Every so many blocks, each operation is timed by itself; that costs time, so such blocks count only
/// for the latencies.
pub(crate) const LATENCY_EVERY: usize = 4;

/// An operation that both sides can do.
pub(crate) trait Contest {
    type EngineRequest;
    type RawRequest;

    /// A random request for both. Not timed: it is the caller's part.
    fn prepare(
        &self,
        random: &mut fastrand::Rng,
    ) -> Result<(Self::EngineRequest, Self::RawRequest), Failure>;
    fn engine(&self, request: Self::EngineRequest) -> Result<(), Failure>;
    fn raw(&self, request: Self::RawRequest) -> Result<(), Failure>;
}

/// What a caller does with an item at least: its bytes come out of memory into the processor's cache.
/// The engine reads the size that stands in front; a raw side that looks at nothing would be faster by
/// exactly what its caller then waits for.
pub(crate) fn look_at(item: &[u8]) {
    black_box((item.first(), item.last()));
}

/// How long a contest is.
#[derive(Clone, Copy)]
pub(crate) struct Length {
    pub(crate) blocks: usize,
    /// Operations of a block.
    pub(crate) operations: usize,
}

/// What was measured, block by block.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) engine: Side,
    pub(crate) raw: Side,
}

#[derive(Default)]
pub(crate) struct Side {
    /// Of each block, the microseconds per operation.
    pub(crate) blocks: Vec<f64>,
    /// Microseconds of single operations.
    pub(crate) latencies: Vec<f64>,
}

/// The figures of one side.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Figures {
    pub(crate) per_second: f64,
    pub(crate) p50_micros: f64,
    pub(crate) p99_micros: f64,
}

impl Side {
    pub(crate) fn figures(&self) -> Figures {
        Figures {
            per_second: 1e6 / median(&self.blocks),
            p50_micros: median(&self.latencies),
            p99_micros: quantile(&self.latencies, 0.99),
        }
    }

    pub(crate) fn run<R>(
        &mut self,
        requests: Vec<R>,
        timed_singly: bool,
        mut run: impl FnMut(R) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let operations = requests.len();
        if timed_singly {
            for request in requests {
                let start = Instant::now();
                run(request)?;
                self.latencies.push(start.elapsed().as_secs_f64() * 1e6);
            }
            return Ok(());
        }
        let start = Instant::now();
        for request in requests {
            run(request)?;
        }
        let micros = start.elapsed().as_secs_f64() * 1e6;
        self.blocks.push(micros / operations as f64);
        Ok(())
    }
}

impl Outcome {
    /// How many times as fast the engine is: the median over pairs of neighbouring blocks.
    pub(crate) fn ratio(&self) -> f64 {
        median(&self.compare(|engine, raw| raw / engine))
    }

    /// Between which ratios half of those pairs are.
    pub(crate) fn spread(&self) -> [f64; 2] {
        let ratios = self.compare(|engine, raw| raw / engine);
        [quantile(&ratios, 0.25), quantile(&ratios, 0.75)]
    }

    /// How many microseconds the engine takes longer.
    pub(crate) fn overhead_micros(&self) -> f64 {
        median(&self.compare(|engine, raw| engine - raw))
    }

    fn compare(&self, with: impl Fn(f64, f64) -> f64) -> Vec<f64> {
        let pairs = self.engine.blocks.iter().zip(&self.raw.blocks);
        pairs.map(|(engine, raw)| with(*engine, *raw)).collect()
    }

    /// Goes on with blocks in turns, both sides on the same keys.
    pub(crate) fn extend<C: Contest>(
        &mut self,
        contest: &C,
        length: Length,
        random: &mut fastrand::Rng,
    ) -> Result<(), Failure> {
        for block in 0..length.blocks {
            let requests: Result<Vec<_>, _> = (0..length.operations)
                .map(|_| contest.prepare(random))
                .collect();
            let (engine, raw): (Vec<_>, Vec<_>) = requests?.into_iter().unzip();
            let singly = block % LATENCY_EVERY == LATENCY_EVERY - 1;
            if block % 2 == 0 {
                self.engine
                    .run(engine, singly, |request| contest.engine(request))?;
                self.raw.run(raw, singly, |request| contest.raw(request))?;
            } else {
                self.raw.run(raw, singly, |request| contest.raw(request))?;
                self.engine
                    .run(engine, singly, |request| contest.engine(request))?;
            }
        }
        Ok(())
    }
}
