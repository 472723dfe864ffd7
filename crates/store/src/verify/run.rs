//! Runs: sorted records in a file, each without what it has in common with the one before.

use crate::error::Error;
use std::io::{ErrorKind, Read, Write};

/// What is said when a temporary file fails.
pub(super) fn spill_error(error: &std::io::Error) -> Error {
    Error::usage(format!(
        "facts cannot be kept in the folder for temporary files: {error}; name one with more room (--job DIR, or TMPDIR)"
    ))
}

/// Writes a run.
pub(super) struct RunWriter {
    to: Box<dyn Write + Send + Sync>,
    last: Vec<u8>,
}

impl RunWriter {
    pub(super) const fn new(to: Box<dyn Write + Send + Sync>) -> Self {
        Self {
            to,
            last: Vec::new(),
        }
    }

    /// Adds a record, which is not less than the one before. The same one twice is written once.
    pub(super) fn push(&mut self, record: &[u8]) -> Result<(), Error> {
        if self.last == record && !record.is_empty() {
            return Ok(());
        }
        let pairs = self.last.iter().zip(record);
        let shared = pairs.take_while(|(one, other)| one == other).count();
        let rest = record.get(shared..).unwrap_or_default();
        let mut header = Vec::with_capacity(8);
        header.extend(u32::try_from(shared).unwrap_or(u32::MAX).to_le_bytes());
        header.extend(u32::try_from(rest.len()).unwrap_or(u32::MAX).to_le_bytes());
        let written = self.to.write_all(&header);
        let written = written.and_then(|()| self.to.write_all(rest));
        written.map_err(|error| spill_error(&error))?;
        self.last.truncate(shared);
        self.last.extend(rest);
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<(), Error> {
        self.to.flush().map_err(|error| spill_error(&error))
    }
}

/// Reads a run.
pub(super) struct RunReader {
    from: Box<dyn Read + Send + Sync>,
    last: Vec<u8>,
}

impl RunReader {
    pub(super) const fn new(from: Box<dyn Read + Send + Sync>) -> Self {
        Self {
            from,
            last: Vec::new(),
        }
    }

    /// The next record.
    pub(super) fn read(&mut self) -> Result<Option<Vec<u8>>, Error> {
        let mut header = [0; 8];
        match self.from.read_exact(&mut header) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(spill_error(&error)),
        }
        let [a, b, c, d, e, f, g, h] = header;
        let shared = u32::from_le_bytes([a, b, c, d]) as usize;
        let rest = u32::from_le_bytes([e, f, g, h]) as usize;
        self.last.truncate(shared);
        let start = self.last.len();
        self.last.resize(start + rest, 0);
        let to = self.last.get_mut(start..).unwrap_or_default();
        self.from
            .read_exact(to)
            .map_err(|error| spill_error(&error))?;
        Ok(Some(self.last.clone()))
    }
}
