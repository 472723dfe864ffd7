//! A folder in the place of S3: the folders in it are buckets, and the files below those are objects.

use crate::store::{StoreFault, sync_directory};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The folder that stands for all buckets.
#[derive(Clone, Debug)]
pub(crate) struct Buckets(PathBuf);

impl Buckets {
    pub(crate) const fn new(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// The folder of a bucket, if there is one.
    pub(crate) fn bucket(&self, name: &str) -> Option<Bucket> {
        let folder = self.0.join(name);
        folder.is_dir().then_some(Bucket(folder))
    }
}

/// A bucket.
#[derive(Clone, Debug)]
pub(crate) struct Bucket(PathBuf);

impl Bucket {
    /// Writes an object. It is there whole or not at all.
    pub(crate) fn write(&self, key: &str, content: &[u8]) -> io::Result<()> {
        let path = self.path(key);
        let folder = path.parent().unwrap_or(&self.0);
        fs::create_dir_all(folder)?;
        let unfinished = path.with_extension("unfinished");
        let mut file = File::create(&unfinished)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&unfinished, &path)?;
        self.sync_names(folder)
    }

    /// Makes the names on the way to a folder durable, with what is in it: a power cut would take a synced object with
    /// the name of its folder.
    fn sync_names(&self, folder: &Path) -> io::Result<()> {
        for folder in folder.ancestors() {
            sync_directory(folder)?;
            if folder == self.0 {
                break;
            }
        }
        Ok(())
    }

    /// The keys of its objects that begin with `prefix`, in order. What is neither a file nor a folder is no object: a pipe would
    /// be read for ever, and a link leads out of the bucket.
    pub(crate) fn keys(&self, prefix: &str) -> io::Result<Vec<String>> {
        let mut keys = Vec::new();
        let mut folders = vec![self.0.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let entry = entry?;
                let kind = entry.file_type()?;
                let path = entry.path();
                if kind.is_dir() {
                    folders.push(path);
                } else if kind.is_file() {
                    keys.extend(self.key(&path).filter(|key| key.starts_with(prefix)));
                }
            }
        }
        keys.sort();
        Ok(keys)
    }

    pub(crate) fn open(&self, key: &str) -> io::Result<File> {
        File::open(self.path(key))
    }

    /// How large an object is.
    pub(crate) fn size(&self, key: &str) -> io::Result<u64> {
        Ok(fs::metadata(self.path(key))?.len())
    }

    fn path(&self, key: &str) -> PathBuf {
        let parts = key.split('/').filter(|part| !part.is_empty());
        parts.fold(self.0.clone(), |path, part| path.join(part))
    }

    /// The key of a file below the bucket. A name that is not text is no key.
    fn key(&self, path: &Path) -> Option<String> {
        let below = path.strip_prefix(&self.0).ok()?;
        let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
        Some(parts?.join("/"))
    }
}

/// What went wrong with a bucket does not stop the store.
pub(crate) enum TransferError {
    Bucket(io::Error),
    Store(StoreFault),
}

impl From<io::Error> for TransferError {
    fn from(error: io::Error) -> Self {
        Self::Bucket(error)
    }
}

impl From<StoreFault> for TransferError {
    fn from(fault: StoreFault) -> Self {
        Self::Store(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_found_by_what_their_keys_begin_with() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("music")).unwrap();
        let buckets = Buckets::new(folder.path().into());
        assert!(buckets.bucket("other").is_none());
        let bucket = buckets.bucket("music").unwrap();
        for key in ["data/1.json", "data2/x.json", "data.bak", "other"] {
            bucket.write(key, b"{}").unwrap();
        }
        assert_eq!(
            bucket.keys("data").unwrap(),
            ["data.bak", "data/1.json", "data2/x.json"]
        );
        assert_eq!(bucket.keys("data/").unwrap(), ["data/1.json"]);
        assert_eq!(bucket.keys("").unwrap().len(), 4);
        assert!(bucket.open("data/1.json").is_ok());
    }
    #[cfg(unix)]
    #[test]
    fn what_is_neither_file_nor_folder_is_no_object() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("music");
        fs::create_dir(&inside).unwrap();
        let bucket = Buckets::new(folder.path().into()).bucket("music").unwrap();
        bucket.write("data", b"{}").unwrap();
        std::os::unix::fs::symlink("/etc", inside.join("link")).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", inside.join("name")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(inside.join("socket")).unwrap();
        assert_eq!(bucket.keys("").unwrap(), ["data"]);
    }
}
