//! `histories`: see the library.

use monotable_histories::Program;
use monotable_histories::append::{self, AppendSettings};
use monotable_histories::kills::{self, KillSettings};
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

const LONGEST: Duration = Duration::from_secs(2 * 60 * 60);

const USAGE: &str = "\
usage: histories append [--histories 1000] [--clients 5] [--requests 14] [--kills 3] [--stores 2] [--seed N] [--minutes 120] [--server PATH]
       histories kills  [--kills 5000] [--writers 4] [--stores 3] [--seed N] [--minutes 120] [--server PATH]

Both start `monotable serve`: the one beside this program, if --server names no other.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(code) => code,
        Err(error) => {
            report(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> io::Result<ExitCode> {
    let runtime = tokio::runtime::Runtime::new()?;
    match arguments {
        ["append", options @ ..] => {
            let settings = read_append(options)?;
            report(&format!("seed {}", settings.seed));
            let summary = runtime.block_on(append::run(&settings))?;
            Ok(conclude(&summary.to_string(), &summary.anomalies))
        }
        ["kills", options @ ..] => {
            let settings = read_kills(options)?;
            report(&format!("seed {}", settings.seed));
            let summary = runtime.block_on(kills::run(&settings))?;
            Ok(conclude(&summary.to_string(), &summary.losses))
        }
        _ => Err(io::Error::other(USAGE)),
    }
}

/// Tells what was found, and fails if that was anything.
fn conclude(summary: &str, problems: &[String]) -> ExitCode {
    for problem in problems {
        report(problem);
    }
    report(summary);
    if problems.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn read_append(options: &[&str]) -> io::Result<AppendSettings> {
    let mut settings = AppendSettings {
        program: Program::new(""),
        histories: 1000,
        stores: 2,
        clients: 5,
        requests: 14,
        kills: 3,
        seed: fastrand::u64(..),
        longest: LONGEST,
    };
    let mut server = None;
    for (name, value) in list_options(options)? {
        match name {
            "--histories" => settings.histories = parse(name, value)?,
            "--stores" => settings.stores = parse(name, value)?,
            "--clients" => settings.clients = parse(name, value)?,
            "--requests" => settings.requests = parse(name, value)?,
            "--kills" => settings.kills = parse(name, value)?,
            "--seed" => settings.seed = parse(name, value)?,
            "--minutes" => settings.longest = Duration::from_secs(60 * parse::<u64>(name, value)?),
            "--server" => server = Some(value),
            _ => return Err(io::Error::other(format!("no option {name}\n{USAGE}"))),
        }
    }
    settings.program = find_program(server)?;
    Ok(settings)
}

fn read_kills(options: &[&str]) -> io::Result<KillSettings> {
    let mut settings = KillSettings {
        program: Program::new(""),
        kills: 5000,
        stores: 3,
        writers: 4,
        seed: fastrand::u64(..),
        longest: LONGEST,
    };
    let mut server = None;
    for (name, value) in list_options(options)? {
        match name {
            "--kills" => settings.kills = parse(name, value)?,
            "--stores" => settings.stores = parse(name, value)?,
            "--writers" => settings.writers = parse(name, value)?,
            "--seed" => settings.seed = parse(name, value)?,
            "--minutes" => settings.longest = Duration::from_secs(60 * parse::<u64>(name, value)?),
            "--server" => server = Some(value),
            _ => return Err(io::Error::other(format!("no option {name}\n{USAGE}"))),
        }
    }
    settings.program = find_program(server)?;
    Ok(settings)
}

fn find_program(server: Option<&str>) -> io::Result<Program> {
    match server {
        Some(path) => Ok(Program::new(path)),
        None => Program::beside_this_one(),
    }
}

/// Options, each with its value.
fn list_options<'a>(options: &[&'a str]) -> io::Result<Vec<(&'a str, &'a str)>> {
    let pairs = options.chunks(2).map(|pair| match pair {
        [name, value] => Ok((*name, *value)),
        _ => Err(io::Error::other(format!("{pair:?} has no value\n{USAGE}"))),
    });
    pairs.collect()
}

fn parse<N: std::str::FromStr<Err: std::fmt::Display>>(name: &str, text: &str) -> io::Result<N> {
    let parsed = text.parse();
    parsed.map_err(|error| io::Error::other(format!("{name} {text}: {error}")))
}

/// Writes one line to standard error, which is where people look when the other is a pipe.
fn report(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
