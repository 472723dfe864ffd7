//! The lists of table files, also damaged ones.

use super::{Loss, Salvage};
use crate::store::heal::heal;
use crate::store::manifest::{self, Current, Manifest, version_path};
use std::fs;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_128;

impl Salvage {
    /// The list of a keyspace. A table file that a lost list had is not looked for: files that are not in use any more
    /// may have rows that were deleted since.
    pub(super) fn read_list(&mut self, folder: &Path) -> Option<Manifest> {
        let problem = match manifest::read(folder) {
            Ok(manifest) => return Some(manifest),
            Err(problem) => problem,
        };
        if let Some(manifest) = recover(folder) {
            let what = format!("{}; what it was could be found out", problem.what);
            self.report(problem.path, what, Loss::Nothing);
            return Some(manifest);
        }
        let what = format!(
            "{}; which table files are in use is not known",
            problem.what
        );
        self.report(problem.path, what, Loss::Unknown);
        None
    }
}

fn recover(folder: &Path) -> Option<Manifest> {
    match Current::read(folder) {
        Ok(current) => recover_list(folder, &current).or_else(|| find_list(folder, Some(&current))),
        Err(_) => find_list(folder, None),
    }
}

/// The list with one byte corrected.
fn recover_list(folder: &Path, current: &Current) -> Option<Manifest> {
    let bytes = fs::read(version_path(folder, current.version)).ok()?;
    heal(&bytes, |bytes| {
        (xxh3_128(bytes) == current.checksum).then(|| manifest::decode(bytes))?
    })
}

/// The list that half of `current` still points at: by its number or by its checksum. Where nothing of `current` is left, the only
/// list that there is.
fn find_list(folder: &Path, current: Option<&Current>) -> Option<Manifest> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).ok()? {
        let name = entry.ok()?.file_name();
        let version = name
            .to_str()
            .and_then(|name| name.strip_prefix('v')?.parse::<u64>().ok());
        found.extend(version);
    }
    let is_only_one = found.len() == 1;
    let lists = found.into_iter().filter_map(|version| {
        let bytes = fs::read(version_path(folder, version)).ok()?;
        let is_meant = current.is_some_and(|current| {
            current.checksum == xxh3_128(&bytes) || current.version == version
        });
        (is_meant || current.is_none() && is_only_one).then(|| manifest::decode(&bytes))?
    });
    let mut lists: Vec<Manifest> = lists.collect();
    match lists.len() {
        1 => lists.pop(),
        _ => None,
    }
}
