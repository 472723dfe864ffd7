//! A real disk that really fills up: a file system in memory, for which root may be needed.

use crate::bounded;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(30);
const MEGABYTE: usize = 1 << 20;

/// The size of a disk that a store fits on, and its writers fill.
pub const DISK_MEGABYTES: u32 = 150;

/// A mounted file system; unmounted when dropped.
#[derive(Debug)]
pub struct SmallDisk {
    mount: PathBuf,
}

impl SmallDisk {
    /// Mounts a disk of so many megabytes.
    ///
    /// # Errors
    ///
    /// When mounting is not permitted.
    pub fn mount(at: &Path, megabytes: u32) -> io::Result<Self> {
        fs::create_dir_all(at)?;
        let mut mount = Command::new("mount");
        mount
            .args(["-t", "tmpfs", "-o"])
            .arg(format!("size={megabytes}m"))
            .args(["tmpfs".as_ref(), at.as_os_str()]);
        bounded::output(&mut mount, LIMIT)?;
        Ok(Self { mount: at.into() })
    }

    /// Where a store may be.
    #[must_use]
    pub fn store(&self) -> PathBuf {
        self.mount.join("store")
    }

    /// Takes up so many megabytes.
    ///
    /// # Errors
    ///
    /// When there are not so many.
    pub fn take_up(&self, megabytes: usize) -> io::Result<()> {
        let mut ballast = File::create(self.ballast())?;
        let block = vec![1; MEGABYTE];
        (0..megabytes).try_for_each(|_| ballast.write_all(&block))
    }

    /// Gives them back.
    ///
    /// # Errors
    ///
    /// When nothing was taken up.
    pub fn give_back(&self) -> io::Result<()> {
        fs::remove_file(self.ballast())
    }

    fn ballast(&self) -> PathBuf {
        self.mount.join("ballast")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = bounded::output(Command::new("umount").arg(&self.mount), LIMIT);
    }
}
