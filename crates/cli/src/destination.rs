//! The file that a document or generated code goes to: whoever reads it sees the old one or the new one, never a part.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Whether both names lead to one file.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    real(one).is_some_and(|one| Some(one) == real(other))
}

/// Replaces the file, or makes it.
pub(crate) fn write(out: &Path, document: &[u8]) -> io::Result<()> {
    // Through a link: the link stays, what it leads to is replaced.
    let file = fs::canonicalize(out).unwrap_or_else(|_| out.to_owned());
    match fs::metadata(&file) {
        Ok(old) if old.is_file() => replace(&file, document, Some(old.permissions())),
        // A pipe or a terminal must not become a file; a directory says itself that it cannot be one.
        Ok(_) => fs::write(&file, document),
        Err(_) => replace(&file, document, None),
    }
}

fn replace(file: &Path, document: &[u8], old: Option<Permissions>) -> io::Result<()> {
    let mut new = beside(file)?;
    new.write_all(document)?;
    if let Some(permissions) = old {
        new.as_file().set_permissions(permissions)?;
    }
    // Before the rename: after a power cut the name must not stand for an empty file.
    new.as_file().sync_all()?;
    new.persist(file).map_err(|error| error.error)?;
    Ok(())
}

/// A new file in the same directory, because a rename does not leave its file system.
fn beside(file: &Path) -> io::Result<NamedTempFile> {
    let directory = match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    let mut builder = Builder::new();
    builder.prefix(".monotable-");
    readable(&mut builder).tempfile_in(directory)
}

/// As every new file is, and not for the owner alone as temporary files are.
#[cfg(unix)]
fn readable<'a, 'b>(builder: &'a mut Builder<'b, 'b>) -> &'a mut Builder<'b, 'b> {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn readable<'a, 'b>(builder: &'a mut Builder<'b, 'b>) -> &'a mut Builder<'b, 'b> {
    builder
}
