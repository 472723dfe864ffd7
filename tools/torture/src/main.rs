//! `torture`: see the library.

#[cfg(target_os = "linux")]
mod command {
    use std::io;
    use std::path::Path;

    use monotable_torture::power_loss::{Loss, cut_power};
    use monotable_torture::{script, storm};

    const USAGE: &str = "usage: torture cut-power DIRECTORY LOG [SEED]";

    /// `script` and `storm` are for the tests, and not in the usage.
    pub(super) fn run(arguments: &[&str]) -> io::Result<()> {
        match arguments {
            ["cut-power", directory, log] => cut(directory, log, Loss::Everything),
            ["cut-power", directory, log, seed] => {
                let seed = seed.parse().map_err(io::Error::other)?;
                cut(directory, log, Loss::Some { seed })
            }
            ["script", directory] => {
                script::run(directory.into(), io::stdin().lock(), io::stdout())
            }
            ["storm", directory, threads] => storm::run(
                directory.as_ref(),
                threads.parse().map_err(io::Error::other)?,
            ),
            _ => Err(io::Error::other(USAGE)),
        }
    }

    fn cut(directory: &str, log: &str, loss: Loss) -> io::Result<()> {
        let damage = cut_power(directory.as_ref(), &[Path::new(log)], loss)?;
        let (changes, files) = (damage.unsynced_changes, damage.files);
        super::report(&format!("{changes} unsynced change(s) in {files} file(s)"));
        Ok(())
    }
}

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
