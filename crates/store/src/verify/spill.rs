//! Where sorted facts are kept while they are too many for memory.

use std::io::{Read, Write};

/// A place for temporary files. The store has no file system of its own: whoever runs it gives it one.
pub trait SpillPlace: Send + Sync {
    /// Makes a file; what was there goes.
    fn create(&self, name: &str) -> std::io::Result<Box<dyn Write + Send + Sync>>;

    /// Opens a file from its beginning.
    fn open(&self, name: &str) -> std::io::Result<Box<dyn Read + Send + Sync>>;

    /// Gives a file another name, at once.
    fn rename(&self, from: &str, to: &str) -> std::io::Result<()>;

    /// Removes a file; one that is not there is no error.
    fn remove(&self, name: &str) -> std::io::Result<()>;

    /// The files that are there.
    fn names(&self) -> std::io::Result<Vec<String>>;
}

#[cfg(feature = "native")]
pub use folder::SpillFolder;

#[cfg(feature = "native")]
mod folder {
    use super::SpillPlace;
    use std::io::{BufReader, BufWriter, ErrorKind, Read, Write};
    use std::path::{Path, PathBuf};

    /// A folder for temporary files.
    #[derive(Clone, Debug)]
    pub struct SpillFolder {
        path: PathBuf,
    }

    /// How much of a file is read or written at once. A merge has up to 16 files open.
    const BUFFER: usize = 64 * 1024;

    impl SpillFolder {
        /// This folder, which is made if it is not there.
        pub fn new(path: impl AsRef<Path>) -> std::io::Result<Self> {
            let path = path.as_ref().to_owned();
            std::fs::create_dir_all(&path)?;
            Ok(Self { path })
        }
    }

    impl SpillPlace for SpillFolder {
        fn create(&self, name: &str) -> std::io::Result<Box<dyn Write + Send + Sync>> {
            let file = std::fs::File::create(self.path.join(name))?;
            Ok(Box::new(BufWriter::with_capacity(BUFFER, file)))
        }

        fn open(&self, name: &str) -> std::io::Result<Box<dyn Read + Send + Sync>> {
            let file = std::fs::File::open(self.path.join(name))?;
            Ok(Box::new(BufReader::with_capacity(BUFFER, file)))
        }

        fn rename(&self, from: &str, to: &str) -> std::io::Result<()> {
            std::fs::rename(self.path.join(from), self.path.join(to))
        }

        fn remove(&self, name: &str) -> std::io::Result<()> {
            match std::fs::remove_file(self.path.join(name)) {
                Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            }
        }

        fn names(&self) -> std::io::Result<Vec<String>> {
            let mut names = Vec::new();
            for entry in std::fs::read_dir(&self.path)? {
                names.extend(entry?.file_name().into_string());
            }
            Ok(names)
        }
    }
}
