//! Files of a backup: for their owner alone, because everything of everybody is in them.

use crate::error::Error;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::Write;
use std::path::Path;

/// Makes a folder, with those above it, that only its owner can read.
pub(crate) fn make_folder(path: &Path) -> Result<(), Error> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder
        .create(path)
        .map_err(|error| Error::file(path, error))
}

/// Writes a file that only its owner can read. It is there whole or not at all, also after a power cut.
pub(crate) fn write_file(path: &Path, content: &[u8]) -> Result<(), Error> {
    let failed = |error| Error::file(path, error);
    // Another process may write the same file: each has one of its own until it is whole.
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(format!(".{}.unfinished", std::process::id()));
    let unfinished = Path::new(&unfinished);
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let mut file = options.open(unfinished).map_err(failed)?;
    file.write_all(content).map_err(failed)?;
    file.sync_all().map_err(failed)?;
    fs::rename(unfinished, path).map_err(failed)?;
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => sync_folder(folder),
        _ => Ok(()),
    }
}

/// Makes the names in a folder durable.
fn sync_folder(folder: &Path) -> Result<(), Error> {
    #[cfg(unix)]
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(|error| Error::file(folder, error))?;
    Ok(())
}
