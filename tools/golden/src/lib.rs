//! Golden scripts: requests and their expected answers, as text, run on anything that is a `Dynamo`.
//!
//! ```text
//! # Comments, kept as they are.
//! PutItem {"TableName": "Music",
//!   "Item": {"pk": {"S": "a"}}}
//! -> {}
//! GetItem {"TableName": "Nowhere", "Key": {"pk": {"S": "a"}}}
//! -> ResourceNotFoundException: Requested resource not found
//! ```
//!
//! A request goes on over indented lines; the answer is one line. An answer behind `~>` is awaited: the request is sent again
//! until it comes, for what the target does in the background. With `MONOTABLE_BLESS=1` in the
//! environment [`check_folder`] writes the answers that it got instead of comparing: read the diff before
//! you commit it.

mod answer;
mod script;

pub use script::{Entry, Script, ScriptError};

use monotable_api::Dynamo;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Why scripts did not pass.
#[derive(Debug)]
pub enum Failure {
    /// A file cannot be read or written.
    Io(PathBuf, std::io::Error),
    /// A script cannot be understood.
    Script(PathBuf, ScriptError),
    /// Answers differ: the script, and each request with the expected and the actual answer.
    Differs(PathBuf, Vec<Difference>),
}

/// One answer that is not the expected one.
#[derive(Debug)]
pub struct Difference {
    /// The line of the request, from 1.
    pub line: usize,
    /// What the script says.
    pub expected: String,
    /// What came.
    pub actual: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Script(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Differs(path, differences) => {
                for Difference {
                    line,
                    expected,
                    actual,
                } in differences
                {
                    writeln!(f, "{}:{line}", path.display())?;
                    writeln!(f, "  expected {expected}")?;
                    writeln!(f, "  actual   {actual}")?;
                }
                write!(
                    f,
                    "MONOTABLE_BLESS=1 writes the actual answers into the script"
                )
            }
        }
    }
}

impl std::error::Error for Failure {}

/// Runs every `*.txt` of a folder, each on a target of its own, and returns how many there were.
pub fn check_folder<D: Dynamo>(
    folder: &Path,
    target: impl Fn() -> D,
) -> Result<usize, Vec<Failure>> {
    let scripts = list(folder).map_err(|error| vec![Failure::Io(folder.into(), error)])?;
    let failures: Vec<Failure> = scripts
        .iter()
        .filter_map(|path| check_file(path, &target()).err())
        .collect();
    if failures.is_empty() {
        Ok(scripts.len())
    } else {
        Err(failures)
    }
}

fn list(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn check_file(path: &Path, target: &dyn Dynamo) -> Result<(), Failure> {
    let io = |error| Failure::Io(path.into(), error);
    let text = fs::read_to_string(path).map_err(io)?;
    let mut script = Script::parse(&text).map_err(|error| Failure::Script(path.into(), error))?;
    let differences = run(&mut script, target);
    if differences.is_empty() {
        return Ok(());
    }
    if std::env::var_os("MONOTABLE_BLESS").is_some() {
        return fs::write(path, script.to_string()).map_err(io);
    }
    Err(Failure::Differs(path.into(), differences))
}

/// Sends the requests one after another and puts the actual answers in place of the expected ones.
pub fn run(script: &mut Script, target: &dyn Dynamo) -> Vec<Difference> {
    let mut differences = Vec::new();
    for entry in script.entries_mut() {
        let actual = answer(entry, target);
        if actual != entry.answer {
            differences.push(Difference {
                line: entry.line,
                expected: std::mem::replace(&mut entry.answer, actual.clone()),
                actual,
            });
        }
    }
    differences
}

/// How often an awaited answer is asked for, and the pause in between.
const MOST_TRIES: u32 = 1_000;
const PAUSE: Duration = Duration::from_millis(10);

/// The answer that comes, or the last one if the awaited one never does.
fn answer(entry: &Entry, target: &dyn Dynamo) -> String {
    let mut actual = answer::of(target, &entry.operation, &entry.body());
    for _ in 0..MOST_TRIES {
        if !entry.is_awaited || actual == entry.answer {
            break;
        }
        thread::sleep(PAUSE);
        actual = answer::of(target, &entry.operation, &entry.body());
    }
    actual
}
