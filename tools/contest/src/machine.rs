//! Where all this ran.

use crate::failure::Failure;
use crate::quantile::quantile;
use serde::Serialize;
use std::fs::{self, File};
use std::io::Write;
use std::time::Instant;

const SYNCS: usize = 200;

#[derive(Debug, Serialize)]
pub(crate) struct Machine {
    pub(crate) cores: usize,
    pub(crate) processor: String,
    pub(crate) memory_mb: u64,
    /// How long it takes to append a kilobyte to a file and sync it, in microseconds.
    pub(crate) sync_p50_micros: u32,
    pub(crate) sync_p99_micros: u32,
}

impl Machine {
    /// Looks at this machine, and at the disk that stores are put on.
    pub(crate) fn inspect() -> Result<Self, Failure> {
        let mut syncs = syncs()?;
        let memory = field("/proc/meminfo", "MemTotal");
        let kilobytes: u64 = memory.trim_end_matches(" kB").parse().unwrap_or_default();
        Ok(Self {
            cores: std::thread::available_parallelism()?.get(),
            processor: field("/proc/cpuinfo", "model name"),
            memory_mb: kilobytes / 1024,
            sync_p50_micros: quantile(&mut syncs, 0.5),
            sync_p99_micros: quantile(&mut syncs, 0.99),
        })
    }
}

fn field(path: &str, name: &str) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(name));
    let value = line.and_then(|line| line.split_once(':'));
    value.map_or_else(|| "unknown".into(), |(_, value)| value.trim().to_owned())
}

/// How long each of some appends with a sync took, in microseconds.
fn syncs() -> Result<Vec<u32>, Failure> {
    let folder = tempfile::tempdir()?;
    let mut file = File::create(folder.path().join("probe"))?;
    let mut micros = Vec::with_capacity(SYNCS);
    for _ in 0..SYNCS {
        let start = Instant::now();
        file.write_all(&[7; 1024])?;
        file.sync_data()?;
        micros.push(u32::try_from(start.elapsed().as_micros()).unwrap_or(u32::MAX));
    }
    Ok(micros)
}
