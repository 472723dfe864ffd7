//! Forms of findings and rules.

use crate::exit::Failure;
use crate::output::print;
use clap::ValueEnum;
use serde::Serialize;
use std::io;

/// A form of output. For people is the default also in a pipe: the log of a build is read by people.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// For people: the text with what is wrong underlined, on stderr
    Table,
    /// One JSON array, indented, on stdout
    Json,
    /// One JSON object per line, on stdout
    Jsonl,
}

impl Form {
    /// Prints records for programs; people have been told already.
    pub(super) fn print_all(self, records: &[impl Serialize]) -> Result<(), Failure> {
        match self {
            Self::Table => Ok(()),
            Self::Json => print(&document(&records)?),
            Self::Jsonl => print(&lines(records)?),
        }
    }
}

fn document(records: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(records)?;
    text.push(b'\n');
    Ok(text)
}

fn lines(records: &[impl Serialize]) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    for record in records {
        serde_json::to_writer(&mut text, record)?;
        text.push(b'\n');
    }
    Ok(text)
}
