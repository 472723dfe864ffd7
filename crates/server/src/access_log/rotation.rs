//! The file of an access log, which is renamed when it is full.

use super::numbered;
use super::writer::{Destination, TOGETHER};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::num::NonZeroU32;
use std::path::PathBuf;

/// When a file is full, and how many full ones are kept.
#[derive(Clone, Copy)]
pub(super) struct Rotation {
    pub(super) bytes: u64,
    pub(super) kept: NonZeroU32,
}

pub(super) struct LogFile {
    path: PathBuf,
    rotation: Rotation,
    file: File,
    length: u64,
}

impl LogFile {
    pub(super) fn open(path: PathBuf, rotation: Rotation) -> io::Result<Self> {
        let file = append_to(&path)?;
        let length = file.metadata()?.len();
        Ok(Self {
            path,
            rotation,
            file,
            length,
        })
    }

    /// Gives the file the number 1, those before each one more, and removes what has too high a number.
    fn rotate(&mut self) -> io::Result<()> {
        let kept = self.rotation.kept.get();
        for number in (1..kept).rev() {
            rename_if_there(
                numbered(&self.path, number),
                numbered(&self.path, number + 1),
            )?;
        }
        rename_if_there(self.path.clone(), numbered(&self.path, 1))?;
        self.reopen()
    }
}

impl Destination for LogFile {
    fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        let length = lines.len() as u64;
        if self.length > 0 && self.length + length > self.rotation.bytes {
            self.rotate()?;
        }
        match self.file.write_all(lines) {
            Ok(()) => {
                self.length += length;
                Ok(())
            }
            Err(error) => {
                // Half a line would spoil the one that follows it.
                let _ = self.file.set_len(self.length);
                Err(error)
            }
        }
    }

    /// Lines that are written together stand in one file, so they are never more than a file takes, but for the last of them.
    fn bytes_together(&self) -> usize {
        usize::try_from(self.rotation.bytes).map_or(TOGETHER, |bytes| bytes.min(TOGETHER))
    }

    fn reopen(&mut self) -> io::Result<()> {
        self.file = append_to(&self.path)?;
        self.length = self.file.metadata()?.len();
        Ok(())
    }
}

/// Opens a file to write at its end. A new one is its owner's alone: it tells who uses the server.
fn append_to(path: &PathBuf) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}

fn rename_if_there(from: PathBuf, to: PathBuf) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
