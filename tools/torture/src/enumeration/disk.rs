//! A disk in memory: what is certainly on it, and what is not.

use super::choice::Choice;
use monotable_faultlog::{Deed, Inode, Step};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Changes of one file that are chosen among; older ones have happened. Overwrites of a file that is never synced would be endless.
const MOST_PENDING: usize = 4;

/// The content of a file: its bytes without the zeros at the end, and its size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Content {
    bytes: Vec<u8>,
    size: u64,
}

impl Content {
    fn apply(&mut self, change: &Change) {
        match change {
            Change::Write { offset, bytes } => self.write(*offset, bytes),
            Change::Resize { size } => {
                self.size = *size;
                self.bytes
                    .truncate(usize::try_from(*size).unwrap_or(usize::MAX));
            }
        }
    }

    fn write(&mut self, offset: u64, bytes: &[u8]) {
        self.size = self.size.max(offset + bytes.len() as u64);
        let used = bytes
            .iter()
            .rposition(|byte| *byte != 0)
            .map_or(0, |last| last + 1);
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let written = bytes
            .len()
            .min(self.bytes.len().saturating_sub(start))
            .max(used);
        let end = start + written;
        if self.bytes.len() < end && used > 0 {
            self.bytes.resize(end, 0);
        }
        for (place, byte) in self.bytes.iter_mut().skip(start).zip(bytes) {
            *place = *byte;
        }
    }
}

/// A change of a file that no sync covers yet.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Write { offset: u64, bytes: Vec<u8> },
    Resize { size: u64 },
}

#[derive(Clone, Debug, Default)]
pub(super) struct DiskFile {
    durable: Content,
    pub(super) pending: Vec<Change>,
}

impl DiskFile {
    fn push(&mut self, change: Change) {
        if let Change::Write { offset, bytes } = &change
            && bytes.iter().all(|byte| *byte == 0)
            && offset + bytes.len() as u64 <= self.durable.size
        {
            // Zeros where there were none: the journal that is filled ahead.
            return;
        }
        self.pending.push(change);
        if self.pending.len() > MOST_PENDING {
            let oldest = self.pending.remove(0);
            self.durable.apply(&oldest);
        }
    }

    fn sync(&mut self) {
        for change in std::mem::take(&mut self.pending) {
            self.durable.apply(&change);
        }
    }
}

type Name = Vec<u8>;
/// A file's number on this disk: inodes are used again.
type FileId = u64;

/// A change of a name that no sync of its folder covers yet.
#[derive(Clone, Debug)]
enum NameChange {
    Link(Name, FileId),
    Unlink(Name),
    Folder(Name),
}

impl NameChange {
    const fn name(&self) -> &Name {
        match self {
            Self::Link(name, _) | Self::Unlink(name) | Self::Folder(name) => name,
        }
    }

    fn apply(&self, names: &mut Names) {
        match self {
            Self::Link(name, file) => {
                names.files.insert(name.clone(), *file);
            }
            Self::Unlink(name) => {
                names.files.remove(name);
            }
            Self::Folder(name) => {
                names.folders.insert(name.clone());
            }
        }
    }
}

/// The names that there are.
#[derive(Clone, Debug, Default)]
struct Names {
    files: BTreeMap<Name, FileId>,
    folders: BTreeSet<Name>,
}

impl Names {
    /// Whether all folders above a name are there.
    fn reaches(&self, name: &[u8]) -> bool {
        let above = parent(name);
        above.is_empty() || self.folders.contains(above) && self.reaches(above)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Disk {
    files: BTreeMap<FileId, DiskFile>,
    by_inode: BTreeMap<Inode, FileId>,
    /// Names as the process sees them.
    names: Names,
    /// Names that are certainly on the disk.
    durable_names: Names,
    pending_names: Vec<NameChange>,
    next: FileId,
}

impl Disk {
    /// A disk with one empty folder.
    pub(super) fn with_folder(name: &str) -> Self {
        let mut disk = Self::default();
        disk.names.folders.insert(name.into());
        disk.durable_names = disk.names.clone();
        disk
    }

    /// A disk that has this, and nothing in doubt.
    pub(super) fn from_image(image: &Image) -> Self {
        let mut disk = Self::default();
        disk.names.folders = image.folders.clone();
        for (name, content) in &image.files {
            disk.next += 1;
            let file = DiskFile {
                durable: content.clone(),
                pending: Vec::new(),
            };
            disk.files.insert(disk.next, file);
            disk.names.files.insert(name.clone(), disk.next);
        }
        disk.durable_names = disk.names.clone();
        disk
    }

    pub(super) fn apply(&mut self, step: &Step) {
        let name = &step.path;
        match &step.deed {
            Deed::MakeFolder => self.rename_to(NameChange::Folder(name.clone())),
            Deed::Remove => self.rename_to(NameChange::Unlink(name.clone())),
            Deed::Rename { from } => {
                if let Some(file) = self.names.files.get(from).copied() {
                    self.rename(from.clone(), name.clone(), file);
                }
            }
            Deed::Create => {
                self.next += 1;
                self.files.insert(self.next, DiskFile::default());
                self.by_inode.insert(step.inode, self.next);
                self.link(name.clone(), self.next);
            }
            Deed::Sync if self.names.folders.contains(name) || name.is_empty() => {
                self.sync_folder(name);
            }
            Deed::Sync => self.change(step, DiskFile::sync),
            Deed::Write { offset, bytes } => {
                let change = Change::Write {
                    offset: *offset,
                    bytes: bytes.clone(),
                };
                self.change(step, |file| file.push(change));
            }
            Deed::Resize { size } => {
                let change = Change::Resize { size: *size };
                self.change(step, |file| file.push(change));
            }
        }
    }

    /// Changes the file that a step is about. One that has another name than it had was renamed by a system call that the shim does not
    /// see.
    fn change(&mut self, step: &Step, change: impl FnOnce(&mut DiskFile)) {
        let named = self.names.files.get(&step.path).copied();
        let known = self.by_inode.get(&step.inode).copied();
        let file = match (named, known) {
            (named, Some(known)) if named != Some(known) => {
                let old = self.names.files.iter().find(|(_, file)| **file == known);
                let old = old.map(|(name, _)| name.clone());
                if let Some(old) = old.filter(|_| !step.path.ends_with(b" (deleted)")) {
                    self.rename(old, step.path.clone(), known);
                }
                known
            }
            (Some(named), _) => {
                self.by_inode.insert(step.inode, named);
                named
            }
            (None, Some(known)) => known,
            (None, None) => return,
        };
        if let Some(file) = self.files.get_mut(&file) {
            change(file);
        }
    }

    fn link(&mut self, name: Name, file: FileId) {
        self.rename_to(NameChange::Link(name, file));
    }

    fn rename(&mut self, from: Name, to: Name, file: FileId) {
        self.rename_to(NameChange::Unlink(from));
        self.link(to, file);
    }

    /// Changes names as the process sees them.
    fn rename_to(&mut self, change: NameChange) {
        change.apply(&mut self.names);
        self.pending_names.push(change);
    }

    fn sync_folder(&mut self, folder: &[u8]) {
        for change in std::mem::take(&mut self.pending_names) {
            if parent(change.name()) == folder {
                change.apply(&mut self.durable_names);
            } else {
                self.pending_names.push(change);
            }
        }
    }

    /// Files with changes that no sync covers, in the order of their names.
    pub(super) fn files_in_doubt(&self) -> impl Iterator<Item = (FileId, &DiskFile)> {
        let files = self
            .names
            .files
            .values()
            .filter_map(|id| Some((*id, self.files.get(id)?)));
        files.filter(|(_, file)| !file.pending.is_empty())
    }

    /// Whether there are names that no sync covers.
    pub(super) fn has_names_in_doubt(&self) -> bool {
        !self.pending_names.is_empty()
    }

    /// What a power cut leaves.
    pub(super) fn cut(&self, choice: &Choice) -> Image {
        let names = if choice.keeps_names() {
            &self.names
        } else {
            &self.durable_names
        };
        let mut files = BTreeMap::new();
        for (name, id) in &names.files {
            let Some(file) = self.files.get(id).filter(|_| names.reaches(name)) else {
                continue;
            };
            let mut content = file.durable.clone();
            for (number, change) in file.pending.iter().enumerate() {
                if let Some(change) = choice.survivor(*id, number, change) {
                    content.apply(&change);
                }
            }
            files.insert(name.clone(), content);
        }
        let folders = names.folders.iter().filter(|name| names.reaches(name));
        Image {
            files,
            folders: folders.cloned().collect(),
        }
    }
}

fn parent(name: &[u8]) -> &[u8] {
    let slash = name.iter().rposition(|byte| *byte == b'/');
    name.get(..slash.unwrap_or(0)).unwrap_or_default()
}

/// Files and folders.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Image {
    files: BTreeMap<Name, Content>,
    folders: BTreeSet<Name>,
}

impl Image {
    /// A number that other states do not have.
    pub(super) fn hash(&self, acknowledged: u64) -> u128 {
        let half = |seed: u64| {
            let mut hasher = DefaultHasher::new();
            (seed, acknowledged, self).hash(&mut hasher);
            u128::from(hasher.finish())
        };
        half(1) << 64 | half(2)
    }

    /// Makes the files in a folder, in the place of all that is there.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            removed => removed?,
        }
        fs::create_dir_all(folder.join("store"))?;
        for name in &self.folders {
            fs::create_dir_all(folder.join(path(name)))?;
        }
        for (name, content) in &self.files {
            let target = folder.join(path(name));
            if let Some(above) = target.parent() {
                fs::create_dir_all(above)?;
            }
            fs::write(&target, &content.bytes)?;
            File::options()
                .write(true)
                .open(&target)?
                .set_len(content.size)?;
        }
        Ok(())
    }
}

fn path(name: &[u8]) -> PathBuf {
    std::ffi::OsStr::from_bytes(name).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(path: &str, inode: u64, deed: Deed) -> Step {
        Step {
            path: path.into(),
            inode,
            deed,
        }
    }

    fn write(offset: u64, bytes: &[u8]) -> Deed {
        Deed::Write {
            offset,
            bytes: bytes.into(),
        }
    }

    #[test]
    fn what_was_synced_is_in_every_state() {
        let mut disk = Disk::default();
        disk.apply(&step("file", 1, Deed::Create));
        disk.apply(&step("file", 1, write(0, b"safe")));
        disk.apply(&step("file", 1, Deed::Sync));
        disk.apply(&step("", 2, Deed::Sync));
        disk.apply(&step("file", 1, write(2, b"unsafe")));
        let mut found = std::collections::BTreeSet::new();
        for choice in Choice::all(&disk) {
            let image = disk.cut(&choice);
            let content = &image.files[b"file".as_slice()];
            assert!(content.bytes.starts_with(b"sa"));
            found.insert(content.bytes.clone());
        }
        assert!(found.contains(b"safe".as_slice()) && found.contains(b"saunsafe".as_slice()));
        assert!(found.len() > 2, "none is torn: {found:?}");
    }

    #[test]
    fn a_name_that_was_not_synced_may_be_gone_or_back() {
        let mut disk = Disk::default();
        disk.apply(&step("new", 1, Deed::Create));
        disk.apply(&step("", 2, Deed::Sync));
        disk.apply(&step(
            "new",
            1,
            Deed::Rename {
                from: b"old".into(),
            },
        ));
        disk.apply(&step("new", 1, Deed::Remove));
        let images: Vec<_> = Choice::all(&disk).map(|choice| disk.cut(&choice)).collect();
        assert!(images.iter().any(|image| image.files.is_empty()));
        assert!(
            images
                .iter()
                .any(|image| image.files.contains_key(b"new".as_slice()))
        );
    }
}
