//! `cargo run -p monotable-shapes -- service-2.json[.gz]...`: compares the shapes of `api` with AWS's
//! descriptions of its services, items and streams, and lists what differs.

use monotable_shapes::{DEPARTURES, Description, GAPS, compare_with_gaps};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: monotable-shapes PATH/TO/dynamodb/2012-08-10/service-2.json[.gz] PATH/TO/dynamodbstreams/2012-08-10/service-2.json[.gz]";

fn main() -> ExitCode {
    let mut descriptions = Vec::new();
    for path in std::env::args_os().skip(1) {
        match Description::read(Path::new(&path)) {
            Ok(description) => descriptions.push(description),
            Err(error) => {
                report(&format!("{}: {error}", Path::new(&path).display()));
                return ExitCode::from(2);
            }
        }
    }
    if descriptions.is_empty() {
        report(USAGE);
        return ExitCode::from(2);
    }
    let known = [GAPS, DEPARTURES].concat();
    let differences = compare_with_gaps(&descriptions, &known);
    for difference in &differences {
        report(&format!("- {difference}"));
    }
    report(&format!(
        "shapes: {} difference(s), {} known gap(s), {} place(s) where AWS departs from its description",
        differences.len(),
        GAPS.len(),
        DEPARTURES.len()
    ));
    match differences.len() {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Writes one line; a closed standard output is no reason to fail.
fn report(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
