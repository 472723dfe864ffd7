//! A journal that is unreadable from its first byte, kept until it is known whether that matters.
//!
//! After a rotation the last acknowledged group may be in the table files only, and the new journal torn
//! by a crash; or acknowledged groups were in it and are lost. Which one it is shows only when fjall has
//! opened without that journal. So it is copied out of the way first, and put back if the store must be
//! refused: also at the next open, if a crash comes in between.

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
        copy(journal, &unfinished)?;
        fs::rename(&unfinished, &aside.copy)?;
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

    /// Puts the journal back: the store is refused.
    pub(super) fn restore(self) -> io::Result<()> {
        copy(&self.copy, &self.journal)?;
        fs::remove_file(&self.copy)
    }

    /// Forgets the copy: nothing acknowledged was in it.
    pub(super) fn discard(self) -> io::Result<()> {
        fs::remove_file(&self.copy)
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    File::open(to)?.sync_all()
}
