//! How far a scan has come, so that a second call goes on.

use super::report::UnknownItem;
use super::run::spill_error;
use super::spill::SpillPlace;
use crate::error::Error;
use monotable_item::EncodedItem;
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};

/// The file that says it. Runs are files beside it.
const FILE: &str = "job.json";
const NEW_FILE: &str = "job.json.new";

/// How far a segment of a table was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Position {
    Start,
    /// Behind this key.
    After(EncodedItem),
    End,
}

/// A scan: its segments, and the facts that were written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    /// The model and the tenant that it is about.
    pub(crate) fingerprint: String,
    /// One for each table and segment.
    pub(crate) segments: Vec<Position>,
    pub(crate) runs: Vec<String>,
    pub(crate) made: usize,
    pub(crate) rows: u64,
    pub(crate) guards: u64,
    pub(crate) unknown: u64,
    pub(crate) unknown_items: Vec<UnknownItem>,
    /// Rows that a move gives new values which has not ended.
    #[serde(default)]
    pub(crate) moving: Vec<MovingRow>,
}

/// A row by its table's name in the model, and its key.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct MovingRow {
    pub(crate) table: String,
    pub(crate) key: EncodedItem,
}

impl Job {
    pub(crate) fn new(fingerprint: String, segments: usize) -> Self {
        Self {
            fingerprint,
            segments: vec![Position::Start; segments],
            runs: Vec::new(),
            made: 0,
            rows: 0,
            guards: 0,
            unknown: 0,
            unknown_items: Vec::new(),
            moving: Vec::new(),
        }
    }

    /// The job that a place keeps, if it is this one. Of another one nothing is used, and nothing is deleted.
    pub(crate) fn load(place: &dyn SpillPlace, new: Self) -> Result<Self, Error> {
        let names = place.names().map_err(|error| spill_error(&error))?;
        if !names.iter().any(|name| name == FILE) {
            return Ok(new);
        }
        let mut text = String::new();
        let mut file = place.open(FILE).map_err(|error| spill_error(&error))?;
        file.read_to_string(&mut text)
            .map_err(|error| spill_error(&error))?;
        let known: Self = serde_json::from_str(&text)
            .map_err(|error| Error::usage(format!("the job file cannot be read: {error}")))?;
        if known.fingerprint != new.fingerprint || known.segments.len() != new.segments.len() {
            return Err(Error::usage(
                "the job folder is that of another model, another tenant or another version: name another folder",
            ));
        }
        // Runs that were written after the file say what is said again.
        for name in names {
            if name.ends_with(".run") && !known.runs.contains(&name) {
                place.remove(&name).map_err(|error| spill_error(&error))?;
            }
        }
        Ok(known)
    }

    /// Keeps it, all or nothing.
    pub(crate) fn save(&self, place: &dyn SpillPlace) -> Result<(), Error> {
        let text = serde_json::to_vec(self)
            .map_err(|error| Error::usage(format!("the job file cannot be made: {error}")))?;
        let mut file = place
            .create(NEW_FILE)
            .map_err(|error| spill_error(&error))?;
        let written = file.write_all(&text).and_then(|()| file.flush());
        written.map_err(|error| spill_error(&error))?;
        drop(file);
        place
            .rename(NEW_FILE, FILE)
            .map_err(|error| spill_error(&error))
    }

    /// Removes everything: the job is done.
    pub(crate) fn remove(place: &dyn SpillPlace) -> Result<(), Error> {
        for name in place.names().map_err(|error| spill_error(&error))? {
            if name == FILE || name == NEW_FILE || name.ends_with(".run") {
                place.remove(&name).map_err(|error| spill_error(&error))?;
            }
        }
        Ok(())
    }
}
