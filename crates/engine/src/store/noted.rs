//! The side file that remembers how far writes were acknowledged.
//!
//! After each synced group its sequence is written here, without a sync of its own. The file can be
//! behind what the journal holds, never ahead of it: so a journal that ends before the noted group has
//! lost acknowledged writes. A clean close writes it once more, says so, and syncs.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// Sequence (8, little-endian), closed (1), xxh3 of both (8).
const BYTES: usize = 17;

pub(super) struct Noted(File);

/// What is noted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Note {
    /// The last group that was acknowledged.
    pub(super) sequence: u64,
    /// Whether the store was closed after it, with everything synced.
    pub(super) closed: bool,
}

impl Noted {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map(Self)
    }

    /// The note; nothing if none can be read. A power cut may leave the file empty or torn: then
    /// there is nothing to compare with.
    pub(super) fn read(&mut self) -> io::Result<Note> {
        let mut bytes = Vec::new();
        self.0.seek(SeekFrom::Start(0))?;
        Read::take(&mut self.0, BYTES as u64).read_to_end(&mut bytes)?;
        Ok(Note::decode(&bytes).unwrap_or_default())
    }

    pub(super) fn write(&mut self, note: Note) -> io::Result<()> {
        self.0.seek(SeekFrom::Start(0))?;
        self.0.write_all(&note.encode())
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        self.0.sync_all()
    }
}

impl Note {
    fn encode(self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        let (note, checksum) = bytes.split_at_mut(9);
        let (sequence, closed) = note.split_at_mut(8);
        sequence.copy_from_slice(&self.sequence.to_le_bytes());
        closed.fill(u8::from(self.closed));
        checksum.copy_from_slice(&xxh3_64(note).to_le_bytes());
        bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (note, checksum) = bytes.split_first_chunk::<9>()?;
        let intact = xxh3_64(note).to_le_bytes() == *checksum;
        let (sequence, closed) = note.split_first_chunk::<8>()?;
        intact.then(|| Self {
            sequence: u64::from_le_bytes(*sequence),
            closed: closed == [1],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_note_is_no_note() {
        let note = Note {
            sequence: 77,
            closed: true,
        };
        let mut bytes = note.encode();
        assert_eq!(Note::decode(&bytes), Some(note));
        assert_eq!(Note::decode(&bytes[..15]), None);
        bytes[2] ^= 1;
        assert_eq!(Note::decode(&bytes), None);
        assert_eq!(Note::decode(&[0; BYTES]), None);
    }
}
