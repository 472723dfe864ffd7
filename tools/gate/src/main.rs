//! `cargo run -p monotable-gate`: checks the workspace's dependencies and lists what is wrong.

use std::io::Write;
use std::process::ExitCode;

use monotable_gate::Metadata;

fn main() -> ExitCode {
    let metadata = match Metadata::of_workspace() {
        Ok(metadata) => metadata,
        Err(error) => {
            report(&error.to_string());
            return ExitCode::FAILURE;
        }
    };
    let problems = monotable_gate::check(&metadata);
    for problem in &problems {
        report(&format!("- {problem}"));
    }
    report(&format!("dependencies: {} problem(s)", problems.len()));
    match problems.len() {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Writes one line; a closed standard output is no reason to fail.
fn report(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
