//! `cargo run -p monotable-fuzz`: writes the corpora of `fuzz/corpus` anew.

use monotable_fuzz::corpus;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match corpus::write(&root) {
        Ok(written) => {
            for (name, inputs) in written {
                report(&format!("{name}: {inputs} inputs"));
            }
            ExitCode::SUCCESS
        }
        Err(flaw) => {
            report(&format!("{flaw:?}"));
            ExitCode::FAILURE
        }
    }
}

/// Writes one line; a closed standard output is no reason to fail.
fn report(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
