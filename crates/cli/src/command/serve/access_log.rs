//! The access log of the server.

use crate::exit::Failure;
use clap::Args;
use monotable_server::AccessLog;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

/// Where the access log goes, and how much of it is kept.
#[derive(Args, Clone, Debug)]
pub(super) struct AccessLogArguments {
    /// Write a line of JSON for each request to this file; - is standard error
    #[arg(long, value_name = "FILE")]
    access_log: Option<PathBuf>,

    /// Rename the access log and begin a new one when it has so many megabytes
    #[arg(
        long,
        value_name = "MEGABYTES",
        default_value_t = 100,
        requires = "access_log",
        value_parser = clap::value_parser!(u64).range(1..=1_048_576)
    )]
    access_log_max_mb: u64,

    /// Keep so many renamed access logs, FILE.1 to FILE.N
    #[arg(
        long,
        value_name = "FILES",
        default_value = "5",
        requires = "access_log"
    )]
    access_log_files: NonZeroU32,
}

impl AccessLogArguments {
    pub(super) fn open(&self) -> Result<Option<AccessLog>, Failure> {
        let Some(path) = &self.access_log else {
            return Ok(None);
        };
        let opened = if path == Path::new("-") {
            AccessLog::to_stderr()
        } else {
            let bytes = self.access_log_max_mb.saturating_mul(1 << 20);
            AccessLog::to_file(path, bytes, self.access_log_files)
        };
        let failed = |error: std::io::Error| {
            let name = path.display();
            Failure::configuration(format_args!("cannot write the access log {name}"))
                .caused_by(&error)
        };
        opened.map(Some).map_err(failed)
    }
}
