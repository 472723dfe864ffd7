//! `contest`: our server and others that speak DynamoDB's API, one after another under the same load.
//!
//! ```text
//! tools/contest/install-peers.sh target/peers
//! cargo build --release && cargo run --release -p monotable-contest -- [--only put,get] [--servers ...]
//!     [--items 200000] [--connections 16] [--requests 200000] [--seconds 10] [--peers target/peers]
//!     [--monotable PATH] [--before PATH] [--check] [--json]
//! ```
//!
//! Each server is started with an empty store, gets the same tables and items, then the same requests,
//! phase after phase. Requests are signed and in memory before the clock starts. Every answer is
//! checked, and what was written is read back: a server that answers wrongly has no figures.
//!
//! `contest rest` compares the REST API of a model with the DynamoDB API of the same server (`rest.rs`).
//!
//! Layout:
//! - `arguments.rs`, `report.rs`, `target.rs`: what is asked for, the answer, and what is to be reached;
//! - `run.rs`, `trial.rs`: the contest, and the turn of one server;
//! - `contestant.rs`, `running.rs`, `process.rs`: the servers, their processes and what these use;
//!   `bare.rs`: the one that is part of this program;
//! - `item.rs`, `table.rs`, `phase.rs`: what is stored and asked;
//! - `signer.rs`, `exchange.rs`: requests as bytes, with what must come back; `answer.rs`: what came;
//! - `generator.rs`, `connection.rs`: the load; `client.rs`: single requests;
//! - `figures.rs`, `quantile.rs`, `machine.rs`: what it came to, and where.

mod answer;
mod arguments;
mod bare;
mod client;
mod connection;
mod contestant;
mod exchange;
mod failure;
mod figures;
mod generator;
mod item;
mod machine;
mod phase;
mod process;
mod progress;
mod quantile;
mod report;
mod rest;
mod run;
mod running;
mod signer;
mod table;
mod target;
#[cfg(test)]
mod tests;
mod trial;

use arguments::{Arguments, Command};
use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    match command() {
        Ok(code) => code,
        Err(failure) => {
            progress::say(&format!("contest: {failure}"));
            ExitCode::from(2)
        }
    }
}

fn command() -> Result<ExitCode, Failure> {
    match Command::parse(std::env::args().skip(1))? {
        Command::Bare { port } => bare::serve(port).map(|()| ExitCode::SUCCESS),
        Command::Contest(arguments) => contest(&arguments),
        Command::Rest(arguments) => rest::run(&arguments),
    }
}

#[expect(clippy::print_stdout, reason = "printing is what this command is for")]
fn contest(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let report = run::run(arguments)?;
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&report)?)
    } else {
        print!("{}", report.to_text())
    }
    Ok(if arguments.check && !report.all_met() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
