//! How far a load is: a small file beside the input, which goes when everything is loaded.

use crate::error::Error;
use crate::identity::StoreIdentity;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// So much of an input tells it from others, with its length.
const HEAD: u64 = 64 * 1024;
/// Time between two writes of the file. Rows that are loaded in between are found to be there.
const PACE: Duration = Duration::from_millis(200);

/// How far a load is.
#[derive(Debug)]
pub struct Resume {
    state: State,
    /// Where it is kept; nowhere for an input that can be read only once.
    file: Option<PathBuf>,
    pace: Duration,
    next_write: Instant,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    /// Tells the input from others.
    input: String,
    /// The store that its rows go to: what is in another one is not known.
    #[serde(default)]
    target: StoreIdentity,
    /// So many rows of the input have been tried.
    done: u64,
    /// Of those, the ones that were refused or could not be read, which are looked at again.
    open: BTreeSet<u64>,
}

impl Resume {
    /// For an input that can be read only once: nothing is kept.
    #[must_use]
    pub fn nothing() -> Self {
        Self {
            state: State::default(),
            file: None,
            pace: PACE,
            next_write: Instant::now(),
        }
    }

    /// How far the last load of a file into this store got. A progress file of another input is an error; one of another store says
    /// nothing, and the load begins at the first row.
    pub fn open(input: &Path, target: &StoreIdentity) -> Result<Self, Error> {
        let file = Self::path(input);
        let new = State {
            input: name_input(input)?,
            target: target.clone(),
            ..State::default()
        };
        let state = match fs::read(&file) {
            Ok(text) => Some(read_state(&file, &text, &new.input)?),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(Error::file(&file, error)),
        };
        let state = state.filter(|state| state.target == *target);
        let state = state.unwrap_or(new);
        Ok(Self {
            state,
            file: Some(file),
            pace: PACE,
            next_write: Instant::now() + PACE,
        })
    }

    /// Lets so much time pass between two writes of the file, instead of a fifth of a second.
    #[must_use]
    pub fn pace(self, pace: Duration) -> Self {
        Self {
            pace,
            next_write: Instant::now() + pace,
            ..self
        }
    }

    /// The progress file of an input.
    #[must_use]
    pub fn path(input: &Path) -> PathBuf {
        let mut name = input.as_os_str().to_owned();
        name.push(".progress");
        name.into()
    }

    /// Forgets how far the last load of a file got.
    pub fn forget(input: &Path) -> Result<(), Error> {
        let file = Self::path(input);
        match fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::file(&file, error))
            }
            _ => Ok(()),
        }
    }

    /// How many rows have been tried.
    #[must_use]
    pub const fn done(&self) -> u64 {
        self.state.done
    }

    pub(super) fn is_open(&self, number: u64) -> bool {
        self.state.open.contains(&number)
    }

    /// What names the create of a row whose key the model makes; none if nothing is kept.
    pub(super) fn token(&self, number: u64) -> Option<String> {
        self.file.as_ref()?;
        Some(format!("load:{}:{number}", self.state.input))
    }

    pub(super) fn note(&mut self, done: u64, open: impl Iterator<Item = u64>) -> Result<(), Error> {
        let now = Instant::now();
        self.state.done = self.state.done.max(done);
        if now >= self.next_write {
            self.next_write = now + self.pace;
            self.state.open = open.collect();
            self.write()?;
        }
        Ok(())
    }

    /// Removes the file: there is nothing to go on with.
    pub fn finish(self) -> Result<(), Error> {
        match &self.file {
            Some(file) => match fs::remove_file(file) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    Err(Error::file(file, error))
                }
                _ => Ok(()),
            },
            None => Ok(()),
        }
    }

    /// The file is there whole or not at all.
    fn write(&self) -> Result<(), Error> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let unfinished = file.with_extension("progress-unfinished");
        let text = serde_json::to_vec(&self.state).unwrap_or_default();
        fs::write(&unfinished, text)
            .and_then(|()| fs::rename(&unfinished, file))
            .map_err(|error| Error::file(file, error))
    }
}

fn read_state(file: &Path, text: &[u8], input: &str) -> Result<State, Error> {
    let help = "remove it, or say --restart, and the load begins at the first line";
    let state: State = serde_json::from_slice(text).map_err(|error| {
        let what = format!("{} is no progress file: {error}", file.display());
        Error::refused(what, help)
    })?;
    if state.input == input {
        Ok(state)
    } else {
        let what = format!("{} is of another input", file.display());
        Err(Error::refused(what, help))
    }
}

/// What tells an input from others: its length, and a hash of its beginning.
fn name_input(input: &Path) -> Result<String, Error> {
    let failed = |error| Error::file(input, error);
    let file = File::open(input).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    let mut head = Vec::new();
    file.take(HEAD).read_to_end(&mut head).map_err(failed)?;
    let mut name = String::new();
    for byte in Sha256::digest(&head).iter().take(16) {
        let _ = write!(name, "{byte:02x}");
    }
    Ok(format!("{name}-{length}"))
}
