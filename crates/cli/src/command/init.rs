//! `monotable init`: a small model to begin with.

use crate::exit::{Failure, done};
use clap::{Args, ValueHint};
use monotable_describe::quote_word;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What is written: a model with a comment on everything that it says, and rows for it.
const FILES: [(&str, &str); 2] = [
    ("model.toml", include_str!("init/model.toml")),
    ("sample.jsonl", include_str!("init/sample.jsonl")),
];

const EXAMPLES: &str = "\
Examples:
  $ monotable init
  $ monotable init shop && cd shop && monotable dev";

/// Write a small commented model and sample data to begin with
///
/// A file that is there already is never overwritten.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Init {
    /// The folder; it is made if it is missing
    #[arg(default_value = ".", value_hint = ValueHint::DirPath)]
    folder: PathBuf,
}

impl Init {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let folder = &self.folder;
        for (name, _) in FILES {
            let path = folder.join(name);
            if path.exists() {
                return Err(exists(&path));
            }
        }
        fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
        for (name, text) in FILES {
            let path = folder.join(name);
            write_new(&path, text).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => exists(&path),
                _ => cannot_write(&path, &error),
            })?;
            done(format_args!("wrote {}", path.display()));
        }
        done(self.advice());
        Ok(())
    }

    fn advice(&self) -> String {
        let enter = if self.folder == Path::new(".") {
            String::new()
        } else {
            let folder = self.folder.display().to_string();
            format!("  cd {}\n", quote_word(&folder))
        };
        format!(
            "\nNext:\n{enter}  monotable check model.toml      # prove it\n  \
             monotable dev                   # serve it, and prove it again whenever you save it"
        )
    }
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())
}

fn exists(path: &Path) -> Failure {
    Failure::configuration(format_args!("{} is there already", path.display()))
        .help("nothing was written; name another folder: monotable init FOLDER")
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::other(format_args!("cannot write {}", path.display())).caused_by(error)
}
