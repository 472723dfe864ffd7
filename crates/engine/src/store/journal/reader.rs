//! Reads the batches of a journal, and checks each by itself.

use super::super::SEQUENCE_KEY;
use super::super::batch_mark::{BATCH_MARK_KEY, BatchMark};
use super::read_sequence;
use std::io::{self, Read};
use xxhash_rust::xxh3::Xxh3;

const START: u8 = 1;
const ITEM: u8 = 2;
const END: u8 = 3;
const CLEAR: u8 = 4;
const TRAILER: &[u8; 4] = b"FJL\x03";
/// The kind of an entry that writes a value; others remove the row.
const VALUE: u8 = 0;
/// The packing of a long value: LZ4.
const PACKED: u8 = 1;

/// What comes next in a journal.
#[derive(Debug)]
pub(in crate::store) enum Step {
    /// A good batch.
    Batch(BatchHead),
    /// Where a batch should start there is a zero: the rest of a preallocated file.
    Zeros,
    /// The end of the file.
    End,
}

/// Why a journal cannot be read on.
#[derive(Debug)]
pub(in crate::store) enum Stop {
    Io(io::Error),
    Unreadable(&'static str),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Unreadable("the file ends"),
            _ => Self::Io(error),
        }
    }
}

/// What a batch says about itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::store) struct BatchHead {
    /// fjall's number of the batch, which no checksum covers.
    pub(in crate::store) fjall_sequence: u64,
    /// The group of commits.
    pub(in crate::store) group: Option<u64>,
    /// What vouches for fjall's number; batches of older versions have none.
    pub(in crate::store) mark: Option<BatchMark>,
}

/// A row that a batch writes.
#[derive(Debug)]
pub(in crate::store) struct JournalRow {
    pub(in crate::store) keyspace: u64,
    pub(in crate::store) key: Vec<u8>,
    /// As it stands in the journal, where long values are packed. None if the row is removed.
    stored: Option<Vec<u8>>,
    /// How long a packed value is when it is unpacked.
    unpacked_length: Option<usize>,
}

impl JournalRow {
    /// The value. None if the row is removed, or its value cannot be unpacked.
    pub(in crate::store) fn into_value(self) -> Option<Vec<u8>> {
        let stored = self.stored?;
        match self.unpacked_length {
            None => Some(stored),
            Some(length) => lz4_flex::block::decompress(&stored, length).ok(),
        }
    }
}

pub(in crate::store) struct JournalReader<R> {
    input: R,
    position: u64,
}

impl<R: Read> JournalReader<R> {
    pub(in crate::store) const fn new(input: R) -> Self {
        Self { input, position: 0 }
    }

    /// How many bytes were read.
    pub(in crate::store) const fn position(&self) -> u64 {
        self.position
    }

    /// Reads the next batch, and hands its rows to `see` as they come: before it is known whether the batch is good.
    pub(in crate::store) fn batch(
        &mut self,
        mut see: impl FnMut(JournalRow),
    ) -> Result<Step, Stop> {
        let mut tag = [0];
        if self.input.read(&mut tag)? == 0 {
            return Ok(Step::End);
        }
        self.position += 1;
        match tag {
            [START] => {}
            [0] => return Ok(Step::Zeros),
            _ => return Err(Stop::Unreadable("no start mark")),
        }
        let count = u32::from_le_bytes(self.array()?);
        let mut head = BatchHead {
            fjall_sequence: u64::from_le_bytes(self.array()?),
            ..BatchHead::default()
        };
        let mut checksum = Xxh3::new();
        for _ in 0..count {
            if let Some(row) = self.entry(&mut checksum)? {
                head.note(&row);
                see(row);
            }
        }
        let [tag] = self.array()?;
        let expected = u64::from_le_bytes(self.array()?);
        if tag != END || self.array()? != *TRAILER {
            return Err(Stop::Unreadable("no end mark"));
        }
        if checksum.digest() != expected {
            return Err(Stop::Unreadable("a wrong checksum"));
        }
        Ok(Step::Batch(head))
    }

    fn entry(&mut self, checksum: &mut Xxh3) -> Result<Option<JournalRow>, Stop> {
        let [tag] = self.array()?;
        checksum.update(&[tag]);
        match tag {
            ITEM => self.item(checksum).map(Some),
            CLEAR => {
                checksum.update(&self.array::<8>()?);
                Ok(None)
            }
            _ => Err(Stop::Unreadable("an unknown entry")),
        }
    }

    fn item(&mut self, checksum: &mut Xxh3) -> Result<JournalRow, Stop> {
        let kind = self.array::<2>()?;
        let keyspace = self.array::<8>()?;
        let key_length = self.array::<2>()?;
        let value_length = self.array::<4>()?;
        let stored_length = self.array::<4>()?;
        checksum.update(&kind);
        checksum.update(&keyspace);
        checksum.update(&key_length);
        checksum.update(&value_length);
        checksum.update(&stored_length);
        let key = self.bytes(usize::from(u16::from_le_bytes(key_length)))?;
        let value = self.bytes(u32::from_le_bytes(stored_length) as usize)?;
        checksum.update(&key);
        checksum.update(&value);
        Ok(JournalRow {
            keyspace: u64::from_le_bytes(keyspace),
            key,
            stored: kind.starts_with(&[VALUE]).then_some(value),
            unpacked_length: kind
                .ends_with(&[PACKED])
                .then_some(u32::from_le_bytes(value_length) as usize),
        })
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Stop> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes)?;
        self.position += N as u64;
        Ok(bytes)
    }

    fn bytes(&mut self, length: usize) -> Result<Vec<u8>, Stop> {
        let mut bytes = Vec::new();
        // A damaged length must not reserve gigabytes: `take` reads no more than there is.
        self.input
            .by_ref()
            .take(length as u64)
            .read_to_end(&mut bytes)?;
        if bytes.len() < length {
            return Err(Stop::Unreadable("the file ends"));
        }
        self.position += length as u64;
        Ok(bytes)
    }

    /// Compared block by block: most of a journal is zeros.
    pub(in crate::store) fn only_zeros(&mut self) -> io::Result<bool> {
        static ZEROS: [u8; 1 << 16] = [0; 1 << 16];
        let mut block = ZEROS;
        loop {
            let read = self.input.read(&mut block)?;
            match (block.get(..read), ZEROS.get(..read)) {
                (Some([]), _) => return Ok(true),
                (Some(found), Some(zeros)) if found == zeros => {}
                _ => return Ok(false),
            }
        }
    }
}

impl BatchHead {
    fn note(&mut self, row: &JournalRow) {
        let value = row.stored.as_deref().unwrap_or_default();
        if row.key == SEQUENCE_KEY {
            self.group = read_sequence(value);
        } else if row.key == BATCH_MARK_KEY {
            self.mark = BatchMark::decode(value);
        }
    }
}
