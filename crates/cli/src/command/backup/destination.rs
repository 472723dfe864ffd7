//! Where a backup goes: stdout, or a file that appears when it is whole.

use crate::exit::Failure;
use crate::model_file::is_stdin;
use std::fs;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// What is written to, and the first error of it: the store tells it as text only.
pub(in crate::command) struct Destination {
    file: Option<PathBuf>,
    sink: Sink,
    error: Option<io::Error>,
}

enum Sink {
    Stdout(BufWriter<Stdout>),
    /// A file beside the one that is wanted, because a rename does not leave its file system.
    Beside(BufWriter<NamedTempFile>),
    /// A pipe or a device, which must not become a file.
    Device(BufWriter<fs::File>),
}

impl Destination {
    /// A file; `-` is stdout.
    pub(in crate::command) fn new(path: &Path) -> Result<Self, Failure> {
        if is_stdin(path) {
            let sink = Sink::Stdout(BufWriter::new(io::stdout()));
            return Ok(Self::of(None, sink));
        }
        let file = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let sink = sink(&file).map_err(|error| cannot_write(&file, &error))?;
        Ok(Self::of(Some(file), sink))
    }

    const fn of(file: Option<PathBuf>, sink: Sink) -> Self {
        Self {
            file,
            sink,
            error: None,
        }
    }

    /// Makes the file appear if all went well.
    pub(in crate::command) fn finish<T>(self, outcome: Result<T, Failure>) -> Result<T, Failure> {
        let Self { file, sink, error } = self;
        let failed = |error: io::Error| match &file {
            Some(file) => cannot_write(file, &error),
            None => Failure::from(error),
        };
        if let Some(error) = error {
            return Err(failed(error));
        }
        let outcome = outcome?;
        match (sink, &file) {
            (Sink::Beside(new), Some(file)) => persist(new, file).map_err(failed)?,
            (Sink::Stdout(mut stdout), _) => stdout.flush().map_err(failed)?,
            (Sink::Device(_) | Sink::Beside(_), _) => {}
        }
        Ok(outcome)
    }

    fn sink(&mut self) -> &mut dyn Write {
        match &mut self.sink {
            Sink::Stdout(sink) => sink,
            Sink::Beside(sink) => sink,
            Sink::Device(sink) => sink,
        }
    }

    fn kept<T>(&mut self, outcome: io::Result<T>) -> io::Result<T> {
        outcome.map_err(|error| {
            let told = io::Error::new(error.kind(), error.to_string());
            self.error.get_or_insert(error);
            told
        })
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.sink().write(bytes);
        self.kept(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.sink().flush();
        self.kept(flushed)
    }
}

fn sink(file: &Path) -> io::Result<Sink> {
    let is_device = fs::metadata(file).is_ok_and(|old| !old.is_file());
    if is_device {
        let device = fs::OpenOptions::new().write(true).open(file)?;
        return Ok(Sink::Device(BufWriter::new(device)));
    }
    let directory = match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !directory.is_dir() {
        let what = format!("there is no folder {}", directory.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, what));
    }
    // For the owner alone, as temporary files are: everything of everybody is in it.
    let new = Builder::new()
        .prefix(".monotable-")
        .tempfile_in(directory)?;
    Ok(Sink::Beside(BufWriter::new(new)))
}

fn persist(new: BufWriter<NamedTempFile>, file: &Path) -> io::Result<()> {
    let new = new.into_inner().map_err(io::IntoInnerError::into_error)?;
    // Before the rename: after a power cut the name must not stand for an empty file.
    new.as_file().sync_all()?;
    new.persist(file).map_err(|error| error.error)?;
    Ok(())
}

fn cannot_write(file: &Path, error: &io::Error) -> Failure {
    Failure::other(format_args!("cannot write {}", file.display())).caused_by(error)
}
