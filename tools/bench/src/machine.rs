//! Where all this ran.

use crate::failure::Failure;
use crate::quantile::quantile;
use serde::Serialize;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

const SYNCS: usize = 200;

#[derive(Debug, Serialize)]
pub(crate) struct Machine {
    pub(crate) cores: usize,
    pub(crate) processor: String,
    pub(crate) memory_mb: u64,
    /// How long it takes to append a kilobyte to a file and sync it, in microseconds.
    pub(crate) sync_p50_micros: f64,
    pub(crate) sync_p99_micros: f64,
}

impl Machine {
    /// Looks at this machine, and at the disk under `directory`.
    pub(crate) fn inspect(directory: &Path) -> Result<Self, Failure> {
        let syncs = syncs(directory)?;
        Ok(Self {
            cores: std::thread::available_parallelism()?.get(),
            processor: field("/proc/cpuinfo", "model name"),
            memory_mb: field("/proc/meminfo", "MemTotal")
                .trim_end_matches(" kB")
                .parse::<u64>()
                .unwrap_or_default()
                / 1024,
            sync_p50_micros: quantile(&syncs, 0.5),
            sync_p99_micros: quantile(&syncs, 0.99),
        })
    }
}

fn field(path: &str, name: &str) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(name));
    let value = line.and_then(|line| line.split_once(':'));
    value.map_or_else(|| "unknown".into(), |(_, value)| value.trim().to_owned())
}

/// How long each of some appends with a sync took.
fn syncs(directory: &Path) -> Result<Vec<f64>, Failure> {
    let path = directory.join("sync-probe");
    let mut file = File::create(&path)?;
    // As fjall's journals: written within a length that is set before.
    file.set_len(64 << 20)?;
    file.sync_all()?;
    let mut micros = Vec::with_capacity(SYNCS);
    for _ in 0..SYNCS {
        let start = Instant::now();
        file.write_all(&[7; 1024])?;
        file.sync_data()?;
        micros.push(start.elapsed().as_secs_f64() * 1e6);
    }
    fs::remove_file(path)?;
    Ok(micros)
}
