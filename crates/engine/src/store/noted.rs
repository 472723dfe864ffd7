//! The side file that remembers how far writes were acknowledged.
//!
//! After each synced group its sequence is written here, without a sync of its own. The file can be
//! behind what the journal holds, never ahead of it: so a journal that ends before the noted group has
//! lost acknowledged writes.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// Sequence and its checksum, both little-endian.
const BYTES: usize = 16;

pub(super) struct Noted(File);

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

    /// The noted sequence; 0 if there is none that can be read. A power cut may leave the file
    /// empty or torn: then there is nothing to compare with.
    pub(super) fn read(&mut self) -> io::Result<u64> {
        let mut bytes = Vec::new();
        self.0.seek(SeekFrom::Start(0))?;
        Read::take(&mut self.0, BYTES as u64).read_to_end(&mut bytes)?;
        Ok(decode(&bytes).unwrap_or(0))
    }

    pub(super) fn write(&mut self, sequence: u64) -> io::Result<()> {
        self.0.seek(SeekFrom::Start(0))?;
        self.0.write_all(&encode(sequence))
    }
}

fn encode(sequence: u64) -> [u8; BYTES] {
    let number = sequence.to_le_bytes();
    let mut bytes = [0; BYTES];
    let (first, second) = bytes.split_at_mut(8);
    first.copy_from_slice(&number);
    second.copy_from_slice(&xxh3_64(&number).to_le_bytes());
    bytes
}

fn decode(bytes: &[u8]) -> Option<u64> {
    let (number, rest) = bytes.split_first_chunk::<8>()?;
    let (checksum, _) = rest.split_first_chunk::<8>()?;
    let intact = xxh3_64(number) == u64::from_le_bytes(*checksum);
    intact.then(|| u64::from_le_bytes(*number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_note_is_no_note() {
        let mut bytes = encode(77);
        assert_eq!(decode(&bytes), Some(77));
        assert_eq!(decode(&bytes[..15]), None);
        bytes[2] ^= 1;
        assert_eq!(decode(&bytes), None);
        assert_eq!(decode(&[0; BYTES]), None);
    }
}
