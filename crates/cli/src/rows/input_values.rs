//! The attributes that a command is given: words, or one JSON object.

use super::model::ModelSource;
use super::problems::Problems;
use super::vocabulary::Vocabulary;
use super::words;
use crate::exit::Failure;
use crate::model_file::is_stdin;
use crate::notation::Notation;
use clap::{Args, ValueHint};
use monotable_item::Item;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

/// Read up to here: a row of 400 KB is shorter, however it is written.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// The attributes of a row as the command line gives them.
#[derive(Args, Clone, Debug)]
pub(crate) struct RowWords {
    /// Its attributes, NAME=VALUE each, or one JSON object; without any, a JSON object on stdin
    ///
    /// Values are of the kinds that the model says. Lists and maps are JSON, binary values base64.
    #[arg(value_name = "NAME=VALUE")]
    words: Vec<String>,

    /// Read its attributes as a JSON object from this file; - is stdin
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "words")]
    json: Option<PathBuf>,
}

impl RowWords {
    /// Whether the only word is a dash, which stands for rows on stdin.
    pub(crate) fn is_dash(&self) -> bool {
        matches!(self.words.as_slice(), [word] if word == "-")
    }

    /// Reads what is given.
    pub(crate) fn read(
        self,
        model: &ModelSource,
        notation: Notation,
    ) -> Result<InputValues, Failure> {
        InputValues::read_row(self.words, self.json, model, notation)
    }
}

/// Attributes that were read, with their values still to be held against the model.
#[derive(Clone, Debug)]
pub(crate) enum InputValues {
    /// `NAME=VALUE`.
    Words(Vec<String>),
    /// A JSON object.
    Object(Item),
}

impl InputValues {
    /// Words, or one word that is a JSON object.
    pub(crate) fn words(words: Vec<String>, notation: Notation) -> Result<Self, Failure> {
        match words.as_slice() {
            [text] if text.trim_start().starts_with('{') => {
                object(text, notation).map_err(Failure::usage)
            }
            _ => Ok(Self::Words(words)),
        }
    }

    /// The attributes of a row, which may come from a file or stdin. Stdin is read before a store is opened, because
    /// it may come from a command on the same store.
    pub(crate) fn read_row(
        words: Vec<String>,
        json: Option<PathBuf>,
        model: &ModelSource,
        notation: Notation,
    ) -> Result<Self, Failure> {
        let json = match json {
            None if words.is_empty() && !model.is_stdin() && !io::stdin().is_terminal() => {
                "-".into()
            }
            None => return Self::words(words, notation),
            Some(json) => json,
        };
        if is_stdin(&json) && model.is_stdin() {
            return Err(Failure::usage("stdin can be read only once"));
        }
        let name = if is_stdin(&json) {
            "stdin".to_owned()
        } else {
            json.display().to_string()
        };
        let text = text(&json).map_err(|error| {
            Failure::other(format_args!("cannot read {name}")).caused_by(&error)
        })?;
        // Nothing on stdin is no attributes: what is missing says the store.
        if text.trim().is_empty() {
            return Ok(Self::Object(Item::new()));
        }
        object(&text, notation).map_err(|problem| Failure::other(format_args!("{name}: {problem}")))
    }

    /// The values.
    pub(super) fn read(&self, vocabulary: &Vocabulary<'_>, problems: &mut Problems) -> Item {
        match self {
            Self::Words(words) => words::read_item(words, vocabulary, problems),
            Self::Object(item) => item.clone(),
        }
    }
}

fn object(text: &str, notation: Notation) -> Result<InputValues, String> {
    Ok(InputValues::Object(notation.read(text)?.to_item()))
}

fn text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let read = if is_stdin(path) {
        let mut limited = io::stdin().lock().take(MAX_BYTES + 1);
        limited.read_to_string(&mut text)?
    } else {
        let mut limited = File::open(path)?.take(MAX_BYTES + 1);
        limited.read_to_string(&mut text)?
    };
    if read as u64 > MAX_BYTES {
        return Err(io::Error::other(format!(
            "it has more than {MAX_BYTES} bytes"
        )));
    }
    Ok(text)
}
