//! Table files that stand in the places of others.

use super::{Loss, Salvage};
use crate::store::sections::sum_without_frame;
use crate::store::table_check::{TableSum, find_problem};
use crate::store::table_file::TableMap;
use std::fs;
use std::path::{Path, PathBuf};

impl Salvage {
    /// What can be read of a table file that is not what was written: of the file itself, unless it is another one; then of the file
    /// that belongs in its place, wherever in the store that is.
    pub(super) fn read_damaged(&mut self, table: &TableSum) -> Result<TableMap, String> {
        let read = TableMap::read(&table.path);
        if let Ok(map) = &read
            && is_same_file(map, table)
        {
            return read.map_err(|error| error.to_string());
        }
        let Some(path) = find_by_sum(&self.directory.data(), table) else {
            let foreign = "another file is in its place, and the one that belongs here is nowhere in the store";
            return Err(read.map_or_else(|error| error.to_string(), |_| foreign.into()));
        };
        let what = format!(
            "the file that belongs here is {}: files were exchanged or renamed; put each back in its place",
            path.display()
        );
        self.report(&table.path, what, Loss::Nothing);
        TableMap::read(&path).map_err(|error| error.to_string())
    }
}

/// Whether a file is the one that was written here, though not all of its bytes are what they were.
fn is_same_file(map: &TableMap, table: &TableSum) -> bool {
    let has_its_number = |id: u64| table.path.ends_with(id.to_string());
    if !map.is_whole() {
        return map.id.is_none_or(has_its_number);
    }
    // Nothing is damaged that the file has a checksum of. Either it is another file, or the rest of it is damaged.
    let bytes = fs::read(&table.path).unwrap_or_default();
    sum_without_frame(bytes) == Some(table.checksum)
}

/// The table file of any keyspace that has this checksum.
fn find_by_sum(data: &Path, table: &TableSum) -> Option<PathBuf> {
    let folders = list_folder(&data.join("keyspaces"));
    let files = folders
        .iter()
        .flat_map(|folder| list_folder(&folder.join("tables")));
    let has_its_sum = |path: &PathBuf| {
        let candidate = TableSum {
            path: path.clone(),
            checksum: table.checksum,
        };
        *path != table.path && find_problem(&candidate).is_none()
    };
    files.into_iter().find(has_its_sum)
}

/// What is in a folder, in the order of names.
fn list_folder(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
