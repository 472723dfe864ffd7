//! Reads a store that may be damaged, without fjall and without changing anything.
//!
//! fjall opens all of a store or nothing. Here each file is read by itself: the lists of table files, every block of every table file,
//! and every batch of the journals. What is damaged is named, what is left is merged as fjall would merge it, and what is
//! older than something that is lost is left out: a row whose newest version may have been in a lost block is not served
//! in an older one.

mod elsewhere;
mod journals;
mod lists;
mod merge;

use super::access::check_readable;
use super::directory::Directory;
use super::manifest::{Manifest, fjall_keyspace, table_path};
use super::noted::Note;
use super::table_check::{TableSum, find_problem};
use super::table_file::{LostBlock, TableMap};
use super::{OpenError, Space, TableRange};
use bytes::Bytes;
use journals::JournalRows;
use std::ops::Bound;
use std::path::{Path, PathBuf};

/// Something that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) path: PathBuf,
    pub(crate) what: String,
    pub(crate) loss: Loss,
}

/// Whether rows are lost by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// Everything that it held is known from elsewhere, or was never acknowledged.
    Nothing,
    /// Rows of known ranges.
    Rows,
    /// Rows that cannot be named.
    Unknown,
}

/// Rows that may be lost: those of a range that are no newer than a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LostRows {
    pub(crate) space: Space,
    pub(crate) from: Bound<Bytes>,
    /// The last key; none if it may be any.
    pub(crate) last: Option<Bytes>,
    /// A version with a higher number than this is newer than what is lost. None if that is not known.
    newest: Option<u64>,
    /// The file that held them.
    pub(crate) path: PathBuf,
}

impl LostRows {
    pub(crate) fn contains(&self, key: &[u8]) -> bool {
        let is_behind_start = match &self.from {
            Bound::Unbounded => true,
            Bound::Included(first) => **first <= *key,
            Bound::Excluded(before) => **before < *key,
        };
        is_behind_start && self.last.as_ref().is_none_or(|last| *key <= **last)
    }

    /// Whether this version of a row may be older than one that is lost.
    fn casts_doubt_on(&self, key: &[u8], fjall_sequence: u64) -> bool {
        self.contains(key) && self.newest.is_none_or(|newest| fjall_sequence <= newest)
    }
}

/// What an examination is reading, for whoever waits for it.
pub(crate) type Watcher<'a> = &'a mut dyn FnMut(&Path);

/// A store that was read.
pub(crate) struct Salvage {
    pub(crate) findings: Vec<Finding>,
    pub(crate) lost: Vec<LostRows>,
    /// The last group that is known of.
    pub(crate) group: u64,
    /// Table files that were read, and their rows.
    pub(crate) tables: u64,
    pub(crate) rows: u64,
    /// Which keys the table files have.
    pub(crate) ranges: Vec<TableRange>,
    spaces: [SpaceFiles; Space::ALL.len()],
    journals: JournalRows,
    /// The store is nobody else's meanwhile.
    directory: Directory,
}

/// The table files of a space: runs, in each of which the rows are in order.
#[derive(Default)]
struct SpaceFiles {
    runs: Vec<Vec<TableMap>>,
}

impl SpaceFiles {
    /// Up to which batch everything is in table files.
    fn newest(&self) -> Option<u64> {
        self.runs
            .iter()
            .flatten()
            .filter_map(|table| table.newest)
            .max()
    }
}

impl Salvage {
    /// Reads all files of a store.
    pub(crate) fn read(path: &Path, watch: Watcher<'_>) -> Result<Self, OpenError> {
        let directory = Directory::lock_existing(path)?;
        check_readable(path)?;
        let mut salvage = Self {
            findings: Vec::new(),
            lost: Vec::new(),
            group: 0,
            tables: 0,
            rows: 0,
            ranges: Vec::new(),
            spaces: Default::default(),
            journals: JournalRows::default(),
            directory,
        };
        salvage.read_own_files(path)?;
        let data = path.join("data");
        salvage.read_fjall_catalogue(&data, watch);
        for (number, space) in Space::ALL.into_iter().enumerate() {
            let folder = fjall_keyspace(&data, number + 1);
            if let Some(manifest) = salvage.read_list(&folder) {
                let runs = salvage.read_tables(space, &folder, &manifest, watch);
                if let Some(files) = salvage.spaces.get_mut(number) {
                    files.runs = runs;
                }
            }
        }
        let note = salvage.read_note(path)?;
        salvage.read_journals(path, &data, note, watch)?;
        Ok(salvage)
    }

    pub(crate) fn report(&mut self, path: impl Into<PathBuf>, what: impl Into<String>, loss: Loss) {
        self.findings.push(Finding {
            path: path.into(),
            what: what.into(),
            loss,
        });
    }

    fn read_own_files(&mut self, path: &Path) -> Result<(), OpenError> {
        if let Err(error) = Directory::check_format_of(path) {
            match error {
                OpenError::Damaged { path, what, .. } => self.report(path, what, Loss::Nothing),
                other => return Err(other),
            }
        }
        let version = path.join("data/version");
        let found = std::fs::read(&version).unwrap_or_default();
        if found != b"FJL\x03" {
            self.report(version, "it does not say fjall's format", Loss::Nothing);
        }
        Ok(())
    }

    fn read_note(&mut self, path: &Path) -> Result<Note, OpenError> {
        let file = path.join("NOTED");
        let bytes = match std::fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(OpenError::io(&file)(error)),
        };
        let note = Note::decode(&bytes);
        if note.is_none() && !bytes.is_empty() {
            let what = "its checksum is wrong: it is not known how far writes were acknowledged";
            self.report(file, what, Loss::Nothing);
        }
        Ok(note.unwrap_or_default())
    }

    /// fjall's own catalogue: the names of keyspaces and their settings, which a copy has anyway.
    fn read_fjall_catalogue(&mut self, data: &Path, watch: Watcher<'_>) {
        let folder = fjall_keyspace(data, 0);
        for table in self
            .read_list(&folder)
            .unwrap_or_default()
            .table_sums(&folder)
        {
            watch(&table.path);
            self.tables += 1;
            if let Some(what) = find_problem(&table) {
                self.report(table.path, what, Loss::Nothing);
            }
        }
    }

    fn read_tables(
        &mut self,
        space: Space,
        folder: &Path,
        manifest: &Manifest,
        watch: Watcher<'_>,
    ) -> Vec<Vec<TableMap>> {
        let mut runs = Vec::new();
        for run in &manifest.runs {
            let mut tables = Vec::new();
            for table in &run.tables {
                let table = TableSum {
                    path: table_path(folder, table.id),
                    checksum: table.checksum,
                };
                watch(&table.path);
                self.tables += 1;
                let map = self.read_table(space, &table);
                let ends = map.as_ref().and_then(|map| map.ends.clone());
                self.ranges.extend(ends.map(|(first, last)| TableRange {
                    space,
                    path: table.path.clone(),
                    first,
                    last,
                }));
                tables.extend(map);
            }
            runs.push(tables);
        }
        runs
    }

    fn read_table(&mut self, space: Space, table: &TableSum) -> Option<TableMap> {
        let problem = find_problem(table);
        let read = match &problem {
            None => TableMap::read(&table.path).map_err(|error| error.to_string()),
            Some(_) => self.read_damaged(table),
        };
        let map = match read {
            Ok(map) => map,
            Err(error) => {
                let what = format!("it cannot be read: {error}");
                self.report(&table.path, what, Loss::Rows);
                self.lost.push(LostRows {
                    space,
                    from: Bound::Unbounded,
                    last: None,
                    newest: None,
                    path: table.path.clone(),
                });
                return None;
            }
        };
        self.rows += map.rows;
        for LostBlock { offset, from, last } in &map.lost {
            let what = format!("the block of rows at byte {offset} is damaged");
            self.report(&table.path, what, Loss::Rows);
            self.lost.push(LostRows {
                space,
                from: from.clone(),
                last: last.clone(),
                newest: map.newest,
                path: table.path.clone(),
            });
        }
        for what in &map.other_damage {
            let what = format!("{what}; no row is lost by that");
            self.report(&table.path, what, Loss::Nothing);
        }
        let is_explained = !map.is_whole() || map.path != table.path;
        if let Some(what) = problem.filter(|_| !is_explained) {
            let what = format!("{what}; all of its rows are there");
            self.report(&table.path, what, Loss::Nothing);
        }
        Some(map)
    }
}
