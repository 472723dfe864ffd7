//! Which keys a table file has.

use super::Space;
use super::keyspaces::Keyspaces;
use bytes::Bytes;
use fjall::AbstractTree;
use std::path::PathBuf;

/// The first and the last key of a table file, and the space that it stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableRange {
    pub(crate) space: Space,
    pub(crate) path: PathBuf,
    pub(crate) first: Bytes,
    pub(crate) last: Bytes,
}

/// Those of all table files in use, as fjall has read them.
pub(super) fn list_ranges(keyspaces: &Keyspaces) -> Vec<TableRange> {
    let mut ranges = Vec::new();
    for space in Space::ALL {
        let version = keyspaces.of(space).tree.current_version();
        ranges.extend(version.iter_tables().map(|table| TableRange {
            space,
            path: PathBuf::clone(&table.path),
            first: Bytes::copy_from_slice(table.metadata.key_range.min()),
            last: Bytes::copy_from_slice(table.metadata.key_range.max()),
        }));
    }
    ranges
}
