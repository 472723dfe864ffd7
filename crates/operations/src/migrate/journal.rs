//! How far a migration is: a file that names both versions and the store, the phases that are done, and the place in each table.

use crate::backup::write_file;
use crate::error::Error;
use monotable_item::EncodedItem;
use monotable_migrate::PhaseName;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// How far a migration is.
#[derive(Debug)]
pub struct Journal {
    file: PathBuf,
    state: State,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    /// What it is about: both versions and the store.
    subject: String,
    /// Phases that need not be done again.
    done: BTreeSet<PhaseName>,
    /// Where a phase goes on, by the name of the table.
    places: BTreeMap<String, EncodedItem>,
}

impl Journal {
    /// How far an earlier run of the same migration is, or the beginning. A file of another migration is an error.
    pub fn open(file: &Path, subject: &str) -> Result<Self, Error> {
        let help = "remove it, or name another one with --journal";
        let state = match fs::read(file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => State {
                subject: subject.to_owned(),
                done: BTreeSet::new(),
                places: BTreeMap::new(),
            },
            Err(error) => return Err(Error::file(file, error)),
            Ok(text) => serde_json::from_slice::<State>(&text).map_err(|error| {
                let what = format!("{} is no journal of a migration: {error}", file.display());
                Error::refused(what, help)
            })?,
        };
        if state.subject != subject {
            let what = format!(
                "{} is of another migration: {}",
                file.display(),
                state.subject
            );
            return Err(Error::refused(what, help));
        }
        Ok(Self {
            file: file.to_owned(),
            state,
        })
    }

    /// Whether an earlier run has begun.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        !self.state.done.is_empty() || !self.state.places.is_empty()
    }

    /// Whether a phase need not be done again.
    #[must_use]
    pub fn is_done(&self, phase: PhaseName) -> bool {
        self.state.done.contains(&phase)
    }

    /// Has the last phases done again: nobody knows what was written since an earlier run has ended.
    pub(super) fn reopen(&mut self) {
        self.state.done.remove(&PhaseName::Complete);
        self.state.done.remove(&PhaseName::Verify);
    }

    pub(super) fn note_done(&mut self, phase: PhaseName) -> Result<(), Error> {
        self.state.done.insert(phase);
        self.state.places.clear();
        self.write()
    }

    pub(super) fn place(&self, table: &str) -> Option<EncodedItem> {
        self.state.places.get(table).cloned()
    }

    pub(super) fn note_place(
        &mut self,
        table: &str,
        place: Option<&EncodedItem>,
    ) -> Result<(), Error> {
        match place {
            Some(place) => self.state.places.insert(table.to_owned(), place.clone()),
            None => self.state.places.remove(table),
        };
        self.write()
    }

    /// Removes the file of a migration that is at its end.
    pub fn forget(file: &Path) -> Result<(), Error> {
        match fs::remove_file(file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::file(file, error))
            }
            _ => Ok(()),
        }
    }

    fn write(&self) -> Result<(), Error> {
        let text = serde_json::to_vec(&self.state).unwrap_or_default();
        write_file(&self.file, &text)
    }
}
