//! A journal that is unreadable from its first byte, kept until it is known whether that matters.
//!
//! After a rotation the last acknowledged group may be in the table files only, and the new journal torn
//! by a crash; or acknowledged groups were in it and are lost. Which one it is shows only when fjall has
//! opened without that journal. So it is copied out of the way and emptied first, and put back if the
//! store must be refused: also at the next open, if a crash comes in between.
//!
//! INVARIANT: a copy is put back only in place of an empty journal. A power cut may bring back a copy
//! that was discarded; the journal holds acknowledged writes by then.

use super::folder::sync_directory;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

const PREFIX: &str = "ASIDE-";

/// A journal and its copy.
pub(super) struct SetAside {
    journal: PathBuf,
    copy: PathBuf,
}

impl SetAside {
    /// Copies the journal into the store's own directory.
    pub(super) fn keep(store: &Path, journal: &Path) -> io::Result<Self> {
        let name = journal.file_name().unwrap_or_default().to_string_lossy();
        let aside = Self {
            journal: journal.into(),
            copy: store.join(format!("{PREFIX}{name}")),
        };
        let unfinished = store.join("ASIDE.new");
        fs::copy(journal, &unfinished)?;
        File::open(&unfinished)?.sync_all()?;
        fs::rename(&unfinished, &aside.copy)?;
        aside.sync_names()?;
        Ok(aside)
    }

    /// Puts back what an interrupted open left.
    pub(super) fn recover(store: &Path, data: &Path) -> io::Result<()> {
        for entry in fs::read_dir(store)? {
            let copy = entry?.path();
            let name = copy.file_name().unwrap_or_default().to_string_lossy();
            if let Some(journal) = name.strip_prefix(PREFIX) {
                let journal = data.join(journal);
                Self { journal, copy }.restore()?;
            }
        }
        Ok(())
    }

    /// Puts the journal back, unless it was written to since: the store is refused.
    pub(super) fn restore(self) -> io::Result<()> {
        if fs::metadata(&self.journal).is_ok_and(|journal| journal.len() > 0) {
            return self.discard();
        }
        fs::rename(&self.copy, &self.journal)?;
        self.sync_names()
    }

    /// Forgets the copy: nothing acknowledged was in it.
    pub(super) fn discard(self) -> io::Result<()> {
        fs::remove_file(&self.copy)?;
        self.sync_names()
    }

    fn sync_names(&self) -> io::Result<()> {
        for file in [&self.journal, &self.copy] {
            if let Some(directory) = file.parent() {
                sync_directory(directory)?;
            }
        }
        Ok(())
    }
}
