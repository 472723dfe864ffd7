//! The file that keeps the lines of an input that were refused, for another try.

use crate::exit::Failure;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What becomes of lines that are in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::command) enum Opening {
    /// They go.
    New,
    /// They stay.
    Appended,
}

/// Keeps lines as they were given. Each is written at once, so that an end in the middle loses none.
#[derive(Debug)]
pub(in crate::command) struct RefusedLines {
    /// The lines that an earlier run has kept, and how often: it may have looked at them, and this one looks at them again.
    known: BTreeMap<Vec<u8>, usize>,
    file: Option<(PathBuf, BufWriter<File>)>,
}

impl RefusedLines {
    /// Makes the file, empty; without a path nothing is kept. The input itself would be lost.
    pub(in crate::command) fn open(path: Option<&Path>, input: &Path) -> Result<Self, Failure> {
        Self::open_for(path, input, Opening::New)
    }

    /// Makes the file, or goes on with the one that an earlier run has left.
    pub(in crate::command) fn open_for(
        path: Option<&Path>,
        input: &Path,
        opening: Opening,
    ) -> Result<Self, Failure> {
        let Some(path) = path else {
            return Ok(Self {
                known: BTreeMap::new(),
                file: None,
            });
        };
        if is_same(path, input) {
            return Err(Failure::usage(format_args!(
                "--refused {} is the input itself",
                path.display()
            ))
            .help("name another file"));
        }
        let known = match opening {
            Opening::New => BTreeMap::new(),
            Opening::Appended => count_lines(path)?,
        };
        let mut options = File::options();
        match opening {
            Opening::New => options.write(true).create(true).truncate(true),
            Opening::Appended => options.append(true).create(true),
        };
        let file = options
            .open(path)
            .map_err(|error| refuse_file(path, &error))?;
        let file = (path.to_owned(), BufWriter::new(file));
        Ok(Self {
            known,
            file: Some(file),
        })
    }

    /// Keeps one line.
    pub(in crate::command) fn keep(&mut self, text: &[u8]) -> Result<(), Failure> {
        let Some((path, file)) = &mut self.file else {
            return Ok(());
        };
        let text = text.trim_ascii();
        if let Some(times) = self.known.get_mut(text)
            && *times > 0
        {
            *times -= 1;
            return Ok(());
        }
        let written = file
            .write_all(text)
            .and_then(|()| file.write_all(b"\n"))
            .and_then(|()| file.flush());
        written.map_err(|error| refuse_file(path, &error))
    }

    /// Makes sure that all lines are on the disk.
    pub(in crate::command) fn finish(self) -> Result<(), Failure> {
        let Some((path, file)) = self.file else {
            return Ok(());
        };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error);
        let synced = file.and_then(|file| file.sync_all());
        synced.map_err(|error| refuse_file(&path, &error))
    }
}

/// The lines of a file that an earlier run has left, if it has.
fn count_lines(path: &Path) -> Result<BTreeMap<Vec<u8>, usize>, Failure> {
    let text = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        text => text.map_err(|error| refuse_file(path, &error))?,
    };
    let mut known = BTreeMap::new();
    for line in text.split(|byte| *byte == b'\n') {
        *known.entry(line.to_vec()).or_default() += 1;
    }
    Ok(known)
}

fn refuse_file(path: &Path, error: &io::Error) -> Failure {
    Failure::other(format_args!("cannot write {}", path.display())).caused_by(error)
}

fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
