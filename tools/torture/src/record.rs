//! What children and parent tell each other, and the frames it travels in.
//!
//! A frame is one `write` of at most a few kilobytes to a pipe, which the kernel does not interleave
//! with others and which outlives the writer: the parent is the memory that survives a kill. What
//! comes first in the pipe happened first, so that an answer before an intent is known to precede it.
//!
//! ```text
//! frame = length of the record (4) | record as JSON | length of the body (4) | body
//! ```

use crate::version::Stamp;
use crate::write::{Outcome, Write};
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write as _};

/// One message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Record {
    /// The engine is open.
    Opened,
    /// The engine does not open.
    OpenFailed(String),
    /// A table that lasts is about to be made.
    Creating(String),
    /// It is made.
    Created(String),
    /// It is not, because the disk failed.
    CreateFailed(String),
    /// A request is about to be sent.
    Intent(Stamp, Write),
    /// It was answered.
    Answer(Stamp, Outcome),
    /// A read after a fault; what was wrong with it.
    Read(Option<String>),
    /// The engine is closed.
    Closed,

    /// Parent: look at everything.
    Observe,
    /// Parent: send this request again. With `altered`, another one with the same token.
    Resend {
        /// The request's stamp.
        stamp: Stamp,
        /// The request.
        write: Write,
        /// Whether to send another request with its token.
        altered: bool,
    },
    /// A table is there.
    Table(String),
    /// An item of a table is there; the body is its encoding.
    Item(String),
    /// Something is not as it must be.
    Problem(String),
    /// Everything was looked at.
    Observed {
        /// Items that `verify` read.
        items: u64,
        /// Index entries that it read.
        entries: u64,
        /// What was kept of the ledger.
        kept: Kept,
    },
}

/// Copies of the ledger that were looked at, and items that have gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// Restored backups.
    pub backups: u64,
    /// Tables restored to a point in time.
    pub times: u64,
    /// Exports that were imported to look at them.
    pub exports: u64,
    /// Imports, those of the exports too.
    pub imports: u64,
    /// Copies, exports and imports that the crash met in the middle.
    pub unfinished: u64,
    /// Items that expired.
    pub expired: u64,
}

/// A record with what is too large for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The record.
    pub record: Record,
    /// What is too large for it.
    pub body: Vec<u8>,
}

/// Writes a frame, in one write.
///
/// # Errors
///
/// When the pipe is closed.
pub fn write_frame(pipe: &mut impl io::Write, record: &Record, body: &[u8]) -> io::Result<()> {
    let record = serde_json::to_vec(record)?;
    let mut frame = Vec::with_capacity(record.len() + body.len() + 8);
    for part in [record.as_slice(), body] {
        let length = u32::try_from(part.len()).map_err(io::Error::other)?;
        frame.write_all(&length.to_le_bytes())?;
        frame.write_all(part)?;
    }
    pipe.write_all(&frame)?;
    pipe.flush()
}

/// Reads a frame; none at the end of the pipe, also when a kill cut the last frame short.
///
/// # Errors
///
/// When the pipe cannot be read or holds something else.
pub fn read_frame(pipe: &mut impl Read) -> io::Result<Option<Frame>> {
    let Some(record) = read_part(pipe)? else {
        return Ok(None);
    };
    let Some(body) = read_part(pipe)? else {
        return Ok(None);
    };
    let record = serde_json::from_slice(&record)?;
    Ok(Some(Frame { record, body }))
}

fn read_part(pipe: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    if !fill(pipe, &mut length)? {
        return Ok(None);
    }
    let mut part = vec![0; u32::from_le_bytes(length) as usize];
    Ok(fill(pipe, &mut part)?.then_some(part))
}

fn fill(pipe: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match pipe.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_and_one_cut_short_is_the_end() {
        let mut pipe = Vec::new();
        write_frame(&mut pipe, &Record::Table("a".into()), b"").unwrap();
        write_frame(&mut pipe, &Record::Item("a".into()), b"item").unwrap();
        pipe.pop();
        let mut pipe = pipe.as_slice();
        let first = read_frame(&mut pipe).unwrap().unwrap();
        assert_eq!(first.record, Record::Table("a".into()));
        assert_eq!(read_frame(&mut pipe).unwrap(), None);
    }

    #[test]
    fn the_largest_request_fits_into_what_a_pipe_writes_at_once() {
        let mut workload = crate::workload::Workload::new(1);
        let stamp = Stamp {
            writer: u32::MAX,
            thread: u8::MAX,
            sequence: u32::MAX,
        };
        for _ in 0..10_000 {
            let mut pipe = Vec::new();
            let intent = Record::Intent(stamp, workload.next_write());
            write_frame(&mut pipe, &intent, b"").unwrap();
            assert!(pipe.len() <= 4096, "{intent:?}");
        }
    }
}
