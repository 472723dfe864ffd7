//! The secret that cursors are sealed with, so that one can be used by a later command.

use crate::exit::Failure;
use sha2::{Digest, Sha256};
use std::io::{self, Write};
use std::path::Path;

const VARIABLE: &str = "MONOTABLE_CURSOR_KEY";
const FILE: &str = "cursor.key";

pub(super) type Key = [u8; 32];

/// The secret of the environment, or of an embedded store; none where cursors end with the process.
pub(super) fn find(directory: Option<&Path>) -> Result<Option<Key>, Failure> {
    if let Some(text) = std::env::var_os(VARIABLE).filter(|text| !text.is_empty()) {
        let digest = Sha256::digest(text.as_encoded_bytes());
        return Ok(Some(digest.into()));
    }
    directory.map(of_store).transpose()
}

/// The secret in the directory of a store that this process has opened, so that nobody else makes one.
fn of_store(directory: &Path) -> Result<Key, Failure> {
    let file = directory.join(FILE);
    let failed = |error: &io::Error| {
        Failure::other(format_args!("cannot use {}", file.display()))
            .caused_by(error)
            .help(format_args!(
                "{VARIABLE} in the environment is used instead of it"
            ))
    };
    match std::fs::read(&file) {
        Ok(bytes) => Key::try_from(bytes).map_err(|bytes| {
            let what = format!("{} has {} bytes, not 32", file.display(), bytes.len());
            Failure::configuration(what).help("delete it: cursors that were sealed with it end")
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            make(directory, &file).map_err(|error| failed(&error))
        }
        Err(error) => Err(failed(&error)),
    }
}

/// Whole or not at all, and for the owner alone, as temporary files are.
fn make(directory: &Path, file: &Path) -> io::Result<Key> {
    let mut key = Key::default();
    getrandom::fill(&mut key).map_err(io::Error::from)?;
    let mut new = tempfile::NamedTempFile::new_in(directory)?;
    new.write_all(&key)?;
    new.as_file().sync_all()?;
    new.persist_noclobber(file).map_err(|error| error.error)?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_keeps_its_key() {
        let directory = tempfile::tempdir().unwrap();
        let key = of_store(directory.path()).unwrap();
        assert_ne!(key, Key::default());
        assert_eq!(of_store(directory.path()).unwrap(), key);
        std::fs::write(directory.path().join(FILE), "short").unwrap();
        assert!(of_store(directory.path()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_reads_it() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        of_store(directory.path()).unwrap();
        let file = std::fs::metadata(directory.path().join(FILE)).unwrap();
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
    }
}
