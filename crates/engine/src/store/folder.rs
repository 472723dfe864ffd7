//! Folders whose names are durable.

#[cfg(unix)]
use std::fs::File;
use std::io;
use std::path::Path;

/// Makes names in a directory durable: files made, renamed or removed.
#[cfg(unix)]
pub(crate) fn sync_directory(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Windows has no handle on a directory to sync; renames are durable there by themselves.
#[cfg(not(unix))]
pub(crate) fn sync_directory(_path: &Path) -> io::Result<()> {
    Ok(())
}
