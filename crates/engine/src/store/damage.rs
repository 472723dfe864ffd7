//! Files that do not hold what was written to them.
//!
//! What is found is remembered for as long as the store is open, and in the file `DAMAGED` of the store: a store with a damaged file
//! takes no writes, because fjall's next compaction over the file would stop in the middle. Reads of everything that the
//! file does not hold go on. Only `doctor` takes the mark away, when it has read everything and found nothing.

use super::DamagedFile;
use super::folder::sync_directory;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The file of the store that says which files are damaged.
pub(crate) const MARK: &str = "DAMAGED";

/// The damaged files that are known.
#[derive(Debug)]
pub(crate) struct DamageLog {
    store: PathBuf,
    found: Mutex<Vec<DamagedFile>>,
}

impl DamageLog {
    /// With what earlier processes have found.
    pub(super) fn open(store: &Path) -> io::Result<Self> {
        let text = match fs::read(store.join(MARK)) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let lines = text.lines().filter(|line| !line.is_empty());
        let found = lines.map(|line| {
            let (name, what) = line
                .split_once('\t')
                .unwrap_or((line, "it was found before"));
            DamagedFile {
                store: store.into(),
                path: store.join(name),
                what: what.into(),
            }
        });
        Ok(Self {
            store: store.into(),
            found: Mutex::new(found.collect()),
        })
    }

    /// Notes a damaged file, if it is not known yet.
    pub(super) fn note(&self, path: &Path, what: impl Into<String>) -> DamagedFile {
        let mut found = self.lock();
        if let Some(known) = found.iter().find(|file| file.path == path) {
            return known.clone();
        }
        let file = DamagedFile {
            store: self.store.clone(),
            path: path.into(),
            what: what.into(),
        };
        found.push(file.clone());
        tracing::error!(
            file = %file.path.display(),
            what = file.what,
            store = %self.store.display(),
            "a file is damaged: writes are refused until `monotable doctor` has run",
        );
        // A disk that cannot be written to keeps no mark. Whoever opens the store finds the damage again.
        if let Err(error) = self.write_mark(&found) {
            tracing::error!(%error, "the damage could not be noted in the store");
        }
        file
    }

    fn write_mark(&self, found: &[DamagedFile]) -> io::Result<()> {
        let lines = found.iter().map(|file| {
            let name = file.path.strip_prefix(&self.store).unwrap_or(&file.path);
            format!(
                "{}\t{}\n",
                name.display(),
                file.what.replace(['\n', '\t'], " ")
            )
        });
        let new = self.store.join("DAMAGED.new");
        let mut text = File::create(&new)?;
        text.write_all(lines.collect::<String>().as_bytes())?;
        text.sync_all()?;
        fs::rename(new, self.store.join(MARK))?;
        sync_directory(&self.store)
    }

    /// What was found first.
    pub(super) fn first(&self) -> Option<DamagedFile> {
        self.lock().first().cloned()
    }

    /// Everything that was found.
    pub(super) fn all(&self) -> Vec<DamagedFile> {
        self.lock().clone()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// The directory of the store.
    pub(super) fn store(&self) -> &Path {
        &self.store
    }

    fn lock(&self) -> MutexGuard<'_, Vec<DamagedFile>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_is_known_to_the_next_process() {
        let folder = tempfile::tempdir().unwrap();
        let log = DamageLog::open(folder.path()).unwrap();
        assert!(log.is_empty());
        let path = folder.path().join("data/keyspaces/2/tables/7");
        log.note(&path, "it has\nanother checksum");
        log.note(&path, "again");
        let file = DamagedFile {
            store: folder.path().into(),
            path,
            what: "it has another checksum".into(),
        };
        let again = DamageLog::open(folder.path()).unwrap();
        assert_eq!(again.all(), [file]);
    }
}
