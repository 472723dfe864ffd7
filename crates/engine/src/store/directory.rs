//! The directory of a store: its lock, its format, and where its files are.
//!
//! A store is made under the mark `CREATING`; the file `FORMAT` comes last, when everything is there. A
//! crash in between leaves the mark and no format: nothing was ever acknowledged there, so the next open
//! starts over.

use super::OpenError;
use super::access::check_writable;
use super::fault::is_refusal;
use super::folder::sync_directory;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The format that this version writes. It changes whenever bytes on disk change their meaning.
const FORMAT: u32 = 1;

const MAGIC: &str = "monotable store, format ";

/// A locked directory. The lock ends when this is dropped, also by a crash.
pub(super) struct Directory {
    path: PathBuf,
    /// None if there is none and none can be made: then nobody else has one.
    _lock: Option<File>,
}

impl Directory {
    /// Makes the directory if there is none, locks it and checks its format.
    pub(super) fn open(path: &Path) -> Result<Self, OpenError> {
        make_private_directory(path).map_err(OpenError::io(path))?;
        // Before the lock, so that no file of ours comes into a directory of somebody else's.
        if !path.join("FORMAT").exists() && !may_become_store(path)? {
            return Err(if has_data(path) {
                format_is_missing(path)
            } else {
                OpenError::NotAStore { path: path.into() }
            });
        }
        check_writable(path)?;
        let directory = Self {
            path: path.into(),
            _lock: Some(lock(path)?),
        };
        // Looked at again: whoever had the lock before may have made the store.
        if directory.is_complete() {
            Self::check_format_of(path)?;
        } else {
            directory.start_over().map_err(OpenError::io(path))?;
        }
        Ok(directory)
    }

    /// Locks a store that is there, whatever state it is in, also one that cannot be written to.
    pub(super) fn lock_existing(path: &Path) -> Result<Self, OpenError> {
        if !path.join("data").is_dir() {
            return Err(OpenError::NotAStore { path: path.into() });
        }
        Ok(Self {
            path: path.into(),
            _lock: match lock(path) {
                Err(OpenError::Io { source, .. }) if is_refusal(&source) => lock_to_read(path)?,
                locked => Some(locked?),
            },
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

    fn format(&self) -> PathBuf {
        self.path.join("FORMAT")
    }

    fn mark(&self) -> PathBuf {
        self.path.join("CREATING")
    }

    /// Whether everything a store needs was there once.
    pub(super) fn is_complete(&self) -> bool {
        self.format().exists()
    }

    /// Marks the directory and removes what an interrupted creation left.
    fn start_over(&self) -> io::Result<()> {
        File::create(self.mark())?.sync_all()?;
        sync_directory(&self.path)?;
        ignore_missing(fs::remove_dir_all(self.data()))?;
        ignore_missing(fs::remove_file(self.noted()))
    }

    /// Says that everything a store needs is there.
    pub(super) fn complete(&self) -> Result<(), OpenError> {
        let format = self.format();
        let write = || {
            if !self.is_complete() {
                // fjall syncs what is in the folders of its keyspaces, and not their own names.
                sync_directory(&self.data().join("keyspaces"))?;
                let new = self.path.join("FORMAT.new");
                let mut text = File::create(&new)?;
                text.write_all(format!("{MAGIC}{FORMAT}\n").as_bytes())?;
                text.sync_all()?;
                fs::rename(&new, &format)?;
                sync_directory(&self.path)?;
            }
            ignore_missing(fs::remove_file(self.mark()))
        };
        write().map_err(OpenError::io(&format))
    }

    /// Whether a store has a format that this version reads.
    pub(super) fn check_format_of(path: &Path) -> Result<(), OpenError> {
        let file = path.join("FORMAT");
        let text = match fs::read(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(format_is_missing(path));
            }
            read => read.map_err(OpenError::io(&file))?,
        };
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
            Some(_) | None => Err(OpenError::damaged(
                path,
                file,
                "it does not name a known format",
            )),
        }
    }
}

/// Makes a directory, and those above it that are missing, so that a power cut takes none of them: what is synced inside a
/// directory is lost with its name. The name is synced even if it is there, because a process that ended may have made it
/// without.
pub(crate) fn make_directory(path: &Path) -> io::Result<()> {
    make_with(path, &fs::DirBuilder::new())
}

/// Makes a directory that only its owner can enter, and those above it as usual. One that is there keeps its permissions:
/// somebody chose them.
pub(crate) fn make_private_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    make_with(path, &builder)
}

fn make_with(path: &Path, builder: &fs::DirBuilder) -> io::Result<()> {
    let above = match path.parent() {
        None => return Ok(()),
        Some(above) if above.as_os_str().is_empty() => Path::new("."),
        Some(above) => above,
    };
    if path.join("FORMAT").exists() {
        return Ok(());
    }
    if !above.is_dir() {
        make_directory(above)?;
    }
    match builder.create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
        made => made?,
    }
    match sync_directory(above) {
        // A directory in which names may be used but not listed cannot be opened, so it cannot be synced.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        synced => synced,
    }
}

/// Whether there is nothing in a directory without a format but what creating a store leaves behind.
fn may_become_store(path: &Path) -> Result<bool, OpenError> {
    let mut names = Vec::new();
    for entry in fs::read_dir(path).map_err(OpenError::io(path))? {
        names.push(entry.map_err(OpenError::io(path))?.file_name());
    }
    let is_marked = names.iter().any(|name| name == "CREATING");
    let before_the_mark = |name: &OsStr| name == "LOCK";
    let after_the_mark = |name: &OsStr| {
        name == "CREATING" || name == "FORMAT.new" || name == "NOTED" || name == "data"
    };
    Ok(names
        .iter()
        .all(|name| before_the_mark(name) || is_marked && after_the_mark(name)))
}

/// Whether a directory has the data of a store.
fn has_data(path: &Path) -> bool {
    let data = path.join("data");
    data.join("version").is_file() && data.join("keyspaces").is_dir()
}

fn format_is_missing(path: &Path) -> OpenError {
    let what = "it is missing, and the data of a store is there";
    OpenError::damaged(path, path.join("FORMAT"), what)
}

fn lock(path: &Path) -> Result<File, OpenError> {
    let file_path = path.join("LOCK");
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(&file_path)
        .map_err(OpenError::io(&file_path))?;
    hold(path, file)
}

/// Locks a store that can only be read.
fn lock_to_read(path: &Path) -> Result<Option<File>, OpenError> {
    let file_path = path.join("LOCK");
    match File::open(&file_path) {
        Ok(file) => hold(path, file).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(OpenError::io(&file_path)(error)),
    }
}

fn hold(path: &Path, file: File) -> Result<File, OpenError> {
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::Locked { path: path.into() }),
        Err(TryLockError::Error(source)) => Err(OpenError::io(path.join("LOCK"))(source)),
    }
}

fn ignore_missing(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
