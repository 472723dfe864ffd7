//! `contest rest`: the REST API of a model against the DynamoDB API, on one server in one run.
//!
//! ```text
//! cargo build --release && cargo run --release -p monotable-contest -- rest [--items 20000] [--connections 16]
//!     [--requests 100000] [--seconds 5] [--rounds 5] [--algorithm HS256|ES256] [--in-memory] [--monotable PATH] [--check] [--json]
//! ```
//!
//! The server serves the model of Yggdrasil, knows an access key and the keys of an issuer, and so verifies the signature of
//! every DynamoDB request and the token of every REST request. What a DynamoDB request says is taken from the server itself: a
//! trace of one REST call has the very request that it sends, and the measured ones differ in ids only. Both sides take turns,
//! round after round, because the speed of a shared machine moves; of the ratios of the rounds the median counts.
//!
//! Layout: `arguments.rs` is the command line, `server.rs` the server with its files, `bearer.rs` its tokens, `samples.rs` the
//! requests, `rounds.rs` the measurements, `report.rs` what they come to.

mod arguments;
mod bearer;
mod report;
mod rounds;
mod samples;
mod server;

pub(crate) use arguments::RestArguments;

use crate::failure::Failure;
use crate::machine::Machine;
use report::RestReport;
use rounds::{Rounds, measure_rounds};
use samples::Samples;
use server::RestServer;
use std::process::ExitCode;

/// Runs the benchmark and prints what it came to.
#[expect(clippy::print_stdout, reason = "printing is what this command is for")]
pub(crate) fn run(arguments: &RestArguments) -> Result<ExitCode, Failure> {
    let machine = Machine::inspect()?;
    let server = RestServer::start(arguments)?;
    let rounds = measure(&server, arguments).map_err(|failure| server.explain(&failure))?;
    let report = RestReport::new(machine, arguments, rounds);
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{}", report.to_text());
    }
    if arguments.check && !report.is_met() {
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(server: &RestServer, arguments: &RestArguments) -> Result<Rounds, Failure> {
    let samples = Samples::take(server)?;
    measure_rounds(server, &samples, arguments)
}
