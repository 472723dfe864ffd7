//! How far a copy is: a file that names both sides, and for each segment the key behind which it goes on.

use crate::backup::write_file;
use crate::error::Error;
use crate::identity::StoreIdentity;
use monotable_item::EncodedItem;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// How far a copy is.
#[derive(Debug)]
pub struct CopyPlace {
    file: PathBuf,
    state: State,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    from: StoreIdentity,
    to: StoreIdentity,
    /// The segments of each table, by its name in the model.
    tables: BTreeMap<String, Vec<SegmentPlace>>,
    /// The last record of each shard that was followed.
    #[serde(default)]
    shards: BTreeMap<String, String>,
}

/// How far a segment is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SegmentPlace {
    /// Nothing of it is copied.
    Beginning,
    /// It is copied up to the item with this key.
    After(EncodedItem),
    /// All of it is copied.
    Done,
}

impl CopyPlace {
    /// The place that an earlier run of the same copy has noted, or the beginning. A file of another copy is an error. If tables of a
    /// side were made anew since, the copy begins anew, too.
    pub fn open(file: &Path, from: &StoreIdentity, to: &StoreIdentity) -> Result<Self, Error> {
        let new = || State {
            from: from.clone(),
            to: to.clone(),
            tables: BTreeMap::new(),
            shards: BTreeMap::new(),
        };
        let state = match fs::read(file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => new(),
            Err(error) => return Err(Error::file(file, error)),
            Ok(text) => serde_json::from_slice::<State>(&text).map_err(|error| {
                let what = format!("{} does not say how far a copy is: {error}", file.display());
                Error::refused(what, "remove it, or name another one with --progress")
            })?,
        };
        if state.from.place != from.place || state.to.place != to.place {
            let what = format!(
                "{} is of the copy from {} to {}",
                file.display(),
                state.from,
                state.to
            );
            return Err(Error::refused(
                what,
                "remove it, or name another one with --progress",
            ));
        }
        let is_same = state.from == *from && state.to == *to;
        Ok(Self {
            file: file.to_owned(),
            state: if is_same { state } else { new() },
        })
    }

    /// Whether an earlier run has begun.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        !self.state.tables.is_empty()
    }

    /// Removes the file of a copy that is whole.
    pub fn forget(file: &Path) -> Result<(), Error> {
        match fs::remove_file(file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::file(file, error))
            }
            _ => Ok(()),
        }
    }

    /// The segments of a table. Those of an earlier run stay as many as they were.
    pub(super) fn begin_table(
        &mut self,
        table: &str,
        segments: u32,
    ) -> Result<Vec<SegmentPlace>, Error> {
        let count = segments.max(1) as usize;
        let new = || vec![SegmentPlace::Beginning; count];
        let places = self.state.tables.entry(table.to_owned());
        let places = places.or_insert_with(new).clone();
        self.write()?;
        Ok(places)
    }

    pub(super) fn note(
        &mut self,
        table: &str,
        segment: usize,
        place: SegmentPlace,
    ) -> Result<(), Error> {
        let places = self.state.tables.get_mut(table);
        if let Some(known) = places.and_then(|places| places.get_mut(segment)) {
            *known = place;
        }
        self.write()
    }

    /// The last record of a shard that was followed.
    pub(super) fn followed(&self, shard: &str) -> Option<&str> {
        self.state.shards.get(shard).map(String::as_str)
    }

    pub(super) fn note_followed(&mut self, shard: &str, record: String) -> Result<(), Error> {
        self.state.shards.insert(shard.to_owned(), record);
        self.write()
    }

    fn write(&self) -> Result<(), Error> {
        let text = serde_json::to_vec(&self.state).unwrap_or_default();
        write_file(&self.file, &text)
    }
}
