//! Who can get at the files of a store: whether this process can write them, and whether others can read them.

use super::OpenError;
use super::fault::is_refusal;
use super::manifest::fjall_keyspace;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// fjall's own lock, which has nothing in it.
const FJALL_LOCK: &str = "lock";

/// Fails if this process cannot write to everything that a store writes to. Otherwise that would show in the middle of a write.
pub(crate) fn check_writable(store: &Path) -> Result<(), OpenError> {
    let data = store.join("data");
    let mut places = vec![
        store.to_owned(),
        store.join("LOCK"),
        store.join("NOTED"),
        data.clone(),
        data.join(FJALL_LOCK),
        data.join("keyspaces"),
    ];
    places.extend(super::journal::list(&data)?);
    for id in 0..=super::Space::ALL.len() {
        let folder = fjall_keyspace(&data, id);
        places.extend([folder.join("tables"), folder]);
    }
    places.iter().try_for_each(|place| ask_for_writing(place))
}

/// Fails if this process may not read a file of a store. Who may not read a file does not know whether it is damaged.
pub(super) fn check_readable(store: &Path) -> Result<(), OpenError> {
    let own = ["FORMAT", "NOTED"].map(|name| store.join(name));
    own.iter().try_for_each(|file| ask_for_reading(file))?;
    check_readable_below(&store.join("data"))
}

fn check_readable_below(folder: &Path) -> Result<(), OpenError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if is_refusal(&error) => return Err(OpenError::io(folder)(error)),
        entries => entries.into_iter().flatten().flatten(),
    };
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            check_readable_below(&path)?;
        } else if entry.file_name() != FJALL_LOCK {
            ask_for_reading(&path)?;
        }
    }
    Ok(())
}

/// What cannot be read for another reason is damage.
fn ask_for_reading(path: &Path) -> Result<(), OpenError> {
    match fs::File::open(path) {
        Err(error) if is_refusal(&error) => Err(OpenError::io(path)(error)),
        _ => Ok(()),
    }
}

/// What is not there yet is made by whoever may write to the folder.
#[cfg(target_os = "linux")]
fn ask_for_writing(path: &Path) -> Result<(), OpenError> {
    use rustix::fs::{Access, access};
    match access(path, Access::WRITE_OK) {
        Ok(()) | Err(rustix::io::Errno::NOENT) => Ok(()),
        Err(error) => Err(OpenError::io(path)(error.into())),
    }
}

/// Elsewhere it shows when something is written.
#[cfg(not(target_os = "linux"))]
fn ask_for_writing(_path: &Path) -> Result<(), OpenError> {
    Ok(())
}

/// A store that other users of the machine can get at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreExposure {
    path: PathBuf,
    mode: u32,
}

impl StoreExposure {
    /// Whether others than its owner can enter or read the folder of a store. Nothing is changed: somebody has made it so.
    pub fn find(store: impl AsRef<Path>) -> Option<Self> {
        let path = store.as_ref();
        let mode = read_mode(&fs::metadata(path).ok()?)?;
        (mode & 0o077 != 0).then(|| Self {
            path: path.into(),
            mode,
        })
    }
}

impl fmt::Display for StoreExposure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        write!(
            f,
            "other users of this machine can get at the data in {path}, because its mode is {:04o}: make it private with `chmod 700 {path}`",
            self.mode
        )
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no mode")]
fn read_mode(folder: &fs::Metadata) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    Some(folder.permissions().mode() & 0o777)
}

#[cfg(not(unix))]
fn read_mode(_folder: &fs::Metadata) -> Option<u32> {
    None
}
