//! `bench`: what the engine costs over its store, fjall, used directly.
//!
//! ```text
//! cargo run --release -p monotable-bench -- [--items 1000000] [--value-bytes 1024] [--cache-mb 64]
//!     [--dir DIR] [--only get,query,put,indexed,stream,overhead,memory|load] [--output text|json] [--check]
//! ```
//!
//! Every figure is a ratio or a difference within one run: both sides hold the same bytes in the same
//! table files, because the raw store is a copy of the engine's directory, and take turns in short
//! blocks, so that whatever else the machine does hits both.
//!
//! Layout:
//! - `arguments.rs`, `report.rs`: what is asked for, and the answer;
//! - `dataset.rs`, `row_key.rs`: the items, and their row keys in the store;
//! - `load.rs`, `memory.rs`: the load, in a process of its own, and what it left in memory;
//! - `pair.rs`, `raw_store.rs`, `raw_committer.rs`: the engine and fjall, side by side;
//! - `contest.rs`, `quantile.rs`: turns on one thread; `get.rs`, `query.rs`, `single_put.rs`: of what;
//! - `writers.rs`: turns of many writers; `put.rs`: of what; `stream.rs`: with and without a stream;
//! - `volume.rs`: a large load in one go, and reads of it against reads of a small one;
//! - `overhead.rs`: whether the difference grows with the data; `machine.rs`: where all this ran.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "printing is what this command is for"
)]

mod arguments;
mod contest;
mod dataset;
mod failure;
mod get;
mod load;
mod machine;
mod memory;
mod overhead;
mod pair;
mod put;
mod quantile;
mod query;
mod raw_committer;
mod raw_store;
mod report;
mod row_key;
mod run;
mod single_put;
mod stream;
mod volume;
mod workspace;
mod writers;

use arguments::{Command, Output};
use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    match command() {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("bench: {failure}");
            ExitCode::from(2)
        }
    }
}

fn command() -> Result<ExitCode, Failure> {
    match Command::parse(std::env::args().skip(1))? {
        Command::Load(task) => {
            let facts = load::load(&task)?;
            println!("{}", serde_json::to_string(&facts)?);
            Ok(ExitCode::SUCCESS)
        }
        Command::Measure(arguments) => {
            let report = run::run(&arguments)?;
            match arguments.output {
                Output::Text => print!("{}", report.to_text()),
                Output::Json => println!("{}", serde_json::to_string_pretty(&report)?),
            }
            Ok(if arguments.check && !report.all_met() {
                ExitCode::FAILURE
            } else {
                ExitCode::SUCCESS
            })
        }
    }
}
