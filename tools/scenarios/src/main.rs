//! `scenario FILE.. [--target memory|disk|server|stale|rest]`: runs scripts and says which lines differ.
//!
//! Two more commands serve runners of scripts in other languages:
//! - `scenario compile` reads models, one JSON text a line, and answers each with what generated code carries;
//! - `scenario dump FILE..` runs scripts with chance that counts, and writes what each has left behind, as one line of JSON.

use monotable_scenarios::{Target, answer_models, dump_file, run_file};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut targets = vec![Target::Memory];
    let mut files: Vec<PathBuf> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    let mut out = std::io::stdout();
    let mut dumps = false;
    while let Some(argument) = arguments.next() {
        if argument == "compile" && files.is_empty() {
            let answered = answer_models(std::io::stdin().lock(), &mut out);
            return if answered.is_ok() {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            };
        } else if argument == "dump" && files.is_empty() {
            dumps = true;
        } else if argument == "--target" {
            let names = arguments.next().unwrap_or_default();
            let parsed: Result<Vec<Target>, String> = match names.as_str() {
                "all" => Ok(vec![
                    Target::Memory,
                    Target::Disk,
                    Target::Server,
                    Target::Stale,
                    Target::Rest,
                ]),
                names => names.split(',').map(str::parse).collect(),
            };
            match parsed {
                Ok(parsed) => targets = parsed,
                Err(problem) => {
                    let _ = writeln!(out, "{problem}");
                    return ExitCode::from(2);
                }
            }
        } else {
            files.push(argument.into());
        }
    }
    let Ok(runtime) = tokio::runtime::Runtime::new() else {
        return ExitCode::FAILURE;
    };
    let models = std::env::var("MONOTABLE_MODELS").unwrap_or_else(|_| "models".to_owned());
    let mut failed = 0;
    if dumps {
        for file in &files {
            match runtime.block_on(dump_file(file, Path::new(&models))) {
                Ok(line) => {
                    let _ = writeln!(out, "{line}");
                }
                Err(failure) => {
                    let _ = writeln!(std::io::stderr(), "{}: {failure}", file.display());
                    return ExitCode::FAILURE;
                }
            }
        }
        return ExitCode::SUCCESS;
    }
    for file in &files {
        for target in &targets {
            match runtime.block_on(run_file(file, Path::new(&models), *target)) {
                Ok(()) => {
                    let _ = writeln!(out, "ok {} on {target:?}", file.display());
                }
                Err(failure) => {
                    failed += 1;
                    let _ = writeln!(out, "FAILED {} on {target:?}: {failure}", file.display());
                }
            }
        }
    }
    let _ = writeln!(
        out,
        "{} passed, {failed} failed",
        files.len() * targets.len() - failed
    );
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
