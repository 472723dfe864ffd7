//! The directory of a store: its lock, its format, and where its files are.

use super::OpenError;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The format that this version writes. It changes whenever bytes on disk change their meaning.
pub(super) const FORMAT: u32 = 1;

const MAGIC: &str = "monotable store, format ";

/// A locked directory. The lock ends when this is dropped, also by a crash.
pub(super) struct Directory {
    path: PathBuf,
    _lock: File,
}

impl Directory {
    /// Makes the directory if there is none, locks it and checks its format.
    pub(super) fn open(path: &Path) -> Result<Self, OpenError> {
        let existed = path.is_dir();
        fs::create_dir_all(path).map_err(OpenError::io(path))?;
        let format = path.join("FORMAT");
        if existed && !format.exists() && holds_strangers(path)? {
            return Err(OpenError::NotAStore { path: path.into() });
        }
        let lock = lock(path)?;
        if format.exists() {
            check_format(path, &format)?;
        } else {
            write_format(path, &format)?;
        }
        Ok(Self {
            path: path.into(),
            _lock: lock,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// fjall's own directory.
    pub(super) fn data(&self) -> PathBuf {
        self.path.join("data")
    }

    pub(super) fn noted(&self) -> PathBuf {
        self.path.join("NOTED")
    }
}

/// Whether there is anything that creating a store does not leave behind.
fn holds_strangers(path: &Path) -> Result<bool, OpenError> {
    for entry in fs::read_dir(path).map_err(OpenError::io(path))? {
        let name = entry.map_err(OpenError::io(path))?.file_name();
        if name != "LOCK" && name != "FORMAT.new" {
            return Ok(true);
        }
    }
    Ok(false)
}

fn lock(path: &Path) -> Result<File, OpenError> {
    let file_path = path.join("LOCK");
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(&file_path)
        .map_err(OpenError::io(&file_path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::Locked { path: path.into() }),
        Err(TryLockError::Error(source)) => Err(OpenError::io(&file_path)(source)),
    }
}

fn check_format(path: &Path, file: &Path) -> Result<(), OpenError> {
    let text = fs::read(file).map_err(OpenError::io(file))?;
    let found = std::str::from_utf8(&text)
        .ok()
        .and_then(|text| text.strip_prefix(MAGIC))
        .and_then(|text| text.trim_end().parse::<u32>().ok());
    match found {
        Some(FORMAT) => Ok(()),
        Some(found) if found > FORMAT => Err(OpenError::NewerFormat {
            path: path.into(),
            found,
            supported: FORMAT,
        }),
        Some(_) | None => Err(OpenError::damaged(file, "it does not name a known format")),
    }
}

/// Written whole and synced before anything else is in the directory.
fn write_format(path: &Path, file: &Path) -> Result<(), OpenError> {
    let new = path.join("FORMAT.new");
    let write = || {
        let mut text = File::create(&new)?;
        text.write_all(format!("{MAGIC}{FORMAT}\n").as_bytes())?;
        text.sync_all()?;
        fs::rename(&new, file)?;
        sync_directory(path)
    };
    write().map_err(OpenError::io(file))
}

#[cfg(unix)]
fn sync_directory(path: &Path) -> std::io::Result<()> {
    File::open(path)?.sync_all()
}

/// Windows has no handle on a directory to sync; renames are durable there by themselves.
#[cfg(not(unix))]
fn sync_directory(_path: &Path) -> std::io::Result<()> {
    Ok(())
}
