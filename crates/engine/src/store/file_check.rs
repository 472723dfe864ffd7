//! Checks fjall's files before fjall opens them, and names the one that keeps it from opening.
//!
//! fjall takes a missing file of its own for a database or keyspace that was never finished, and makes it anew or removes its folder; and
//! it believes whatever its lists of table files say, and every file that has the name of a table file. In a store that is complete, all of
//! that is damage. Without any journal it would also begin to count its sequence numbers anew, and old values would win over new ones.

use super::directory::Directory;
use super::manifest::{self, Manifest, fjall_keyspace, table_path};
use super::table_check::find_problem;
use super::table_file::Properties;
use super::{OpenError, Space, journal};
use std::io;
use std::path::Path;

/// What is said of a table file that stands in the place of another one.
const EXCHANGED: &str = "files were exchanged or renamed; put each back in its place";

/// Looks for files that are missing, lists that are damaged, and table files in the places of others.
pub(super) fn check_files(directory: &Directory) -> Result<(), OpenError> {
    let (store, data) = (directory.path(), directory.data());
    let version = data.join("version");
    if !version.try_exists().map_err(OpenError::io(&version))? {
        return Err(OpenError::damaged(store, version, "it is missing"));
    }
    // fjall's own catalogue is the keyspace 0; ours follow.
    for id in 0..=Space::ALL.len() {
        let folder = fjall_keyspace(&data, id);
        let manifest = manifest::read(&folder)
            .map_err(|problem| OpenError::damaged(store, problem.path, problem.what))?;
        let space = id.checked_sub(1).and_then(|place| Space::ALL.get(place));
        check_places(store, &folder, &manifest, space.copied())?;
    }
    if let Some(path) = journal::find_stranger(&data)? {
        return Err(OpenError::damaged(store, path, journal::STRANGER));
    }
    if journal::list(&data)?.is_empty() {
        let what = "it has no journal (a file whose name ends in .jnl)";
        return Err(OpenError::damaged(store, data, what));
    }
    Ok(())
}

/// Whether every table file of a keyspace is the one that its name says, as far as its end tells. That takes reading no more of it than
/// fjall reads anyway; the rest is compared in the background.
fn check_places(
    store: &Path,
    folder: &Path,
    manifest: &Manifest,
    space: Option<Space>,
) -> Result<(), OpenError> {
    for table in manifest.tables() {
        let path = table_path(folder, table.id);
        let properties = match Properties::read(&path) {
            Ok(properties) => properties,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(OpenError::damaged(store, path, "it is missing"));
            }
            Err(error) => return Err(OpenError::io(path)(error)),
        };
        if let Some(what) = find_contradiction(&properties, table.id, space) {
            return Err(OpenError::damaged(store, path, what));
        }
    }
    Ok(())
}

/// Why a table file cannot be the one with this number in this space. What cannot be read contradicts nothing: fjall refuses it.
fn find_contradiction(properties: &Properties, id: u64, space: Option<Space>) -> Option<String> {
    if let Some(found) = properties.id.filter(|found| *found != id) {
        return Some(format!(
            "it is table file {found} of a keyspace: {EXCHANGED}"
        ));
    }
    // Other spaces are known from the catalog, which is read from this one.
    let ends = [&properties.first, &properties.last];
    let mut keys = ends.into_iter().flatten();
    let has_foreign_keys = keys.any(|key| !Space::Meta.admits(key));
    (space == Some(Space::Meta) && has_foreign_keys)
        .then(|| format!("its rows are not rows of `meta`: {EXCHANGED}"))
}

/// fjall does not say which file it could not open. Whichever table file is damaged is the one; else it is the folder.
pub(super) fn name_damage(directory: &Directory, what: impl std::fmt::Display) -> OpenError {
    let (store, data) = (directory.path(), directory.data());
    for id in 0..=Space::ALL.len() {
        let folder = fjall_keyspace(&data, id);
        let tables = manifest::read(&folder).map(|manifest| manifest.table_sums(&folder));
        for table in tables.into_iter().flatten() {
            if let Some(what) = find_problem(&table) {
                return OpenError::damaged(store, table.path, what);
            }
        }
    }
    OpenError::damaged(store, data, what)
}
