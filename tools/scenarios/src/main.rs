//! `scenario FILE.. [--target memory|disk|server|stale|rest|dynoxide|extenddb]`: runs scripts and says which lines differ. The last
//! two are servers that others wrote (docs/other-servers.md).
//!
//! Three more commands serve runners of scripts in other languages:
//! - `scenario compile` reads models, one JSON text a line, and answers each with what generated code carries;
//! - `scenario dump FILE..` runs scripts with chance that counts, and writes what each has left behind, as one line of JSON;
//! - `scenario serve` serves an empty DynamoDB in which nothing has expired, until its input ends.

use monotable_scenarios::{
    Target, answer_models, dump_file, find_gap, run_file, serve_until_input_ends,
};
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
        } else if argument == "serve" && files.is_empty() {
            return serve(&mut out);
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
    let mut gaps = 0;
    for file in &files {
        for target in &targets {
            let outcome = runtime.block_on(run_file(file, Path::new(&models), *target));
            let file = file.display();
            let _ = match (outcome, find_gap(*target, &file.to_string())) {
                (Ok(()), None) => writeln!(out, "ok {file} on {target:?}"),
                (Err(failure), None) => {
                    failed += 1;
                    writeln!(out, "FAILED {file} on {target:?}: {failure}")
                }
                (Err(failure), Some(gap)) => {
                    gaps += 1;
                    writeln!(out, "gap {file} on {target:?}: {gap} ({failure})")
                }
                // A list that says too much hides the next mistake.
                (Ok(()), Some(gap)) => {
                    failed += 1;
                    writeln!(
                        out,
                        "FAILED {file} on {target:?}: passes, and is declared a gap: {gap}"
                    )
                }
            };
        }
    }
    let passed = files.len() * targets.len() - failed - gaps;
    let _ = writeln!(
        out,
        "{passed} passed, {failed} failed, {gaps} declared gaps"
    );
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn serve(out: &mut impl Write) -> ExitCode {
    let Ok(runtime) = tokio::runtime::Runtime::new() else {
        return ExitCode::FAILURE;
    };
    match runtime.block_on(serve_until_input_ends(out)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            let _ = writeln!(std::io::stderr(), "{problem}");
            ExitCode::FAILURE
        }
    }
}
