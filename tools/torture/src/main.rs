//! `torture`: see the library.

#[cfg(target_os = "linux")]
mod command;

#[cfg(not(target_os = "linux"))]
mod command {
    pub(super) fn run(_: &[&str]) -> std::io::Result<()> {
        Err(std::io::Error::other("the torture needs Linux"))
    }
}

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match command::run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

/// Writes one line to standard error, which is where people look when the other is a pipe.
fn report(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
