//! What blocks of data and of the index hold.

use bytes::Bytes;

/// The end of the entries of a block.
const END: u8 = 255;
/// What a block has at its end, behind its own search index.
const TRAILER_BYTES: usize = 31;
const VALUE: u8 = 0;

/// A version of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) struct VersionedRow {
    pub(in crate::store) key: Bytes,
    /// fjall's number of the batch that wrote it.
    pub(in crate::store) fjall_sequence: u64,
    /// None if that batch removed the row.
    pub(in crate::store) value: Option<Bytes>,
}

/// The rows of a block of data, in their order; none if it is not one.
pub(super) fn read_rows(content: Vec<u8>) -> Option<Vec<VersionedRow>> {
    let content = Bytes::from(content);
    let trailer = content.len().checked_sub(TRAILER_BYTES)?;
    // Every so many entries, one has its whole key. The others share the beginning of that one's.
    let interval = usize::from(*content.get(trailer)?).max(1);
    let mut reader = Cursor {
        bytes: &content,
        position: 0,
    };
    let mut rows: Vec<VersionedRow> = Vec::new();
    let mut head = Bytes::new();
    loop {
        let kind = reader.byte()?;
        if kind == END {
            return Some(rows);
        }
        let fjall_sequence = reader.varint()?;
        let key = if rows.len().is_multiple_of(interval) {
            let length = usize::try_from(reader.varint()?).ok()?;
            head = content.slice(reader.take(length)?);
            head.clone()
        } else {
            let shared = usize::try_from(reader.varint()?).ok()?;
            let length = usize::try_from(reader.varint()?).ok()?;
            let rest = content.get(reader.take(length)?)?;
            [head.get(..shared)?, rest].concat().into()
        };
        let value = if kind == VALUE {
            let length = usize::try_from(reader.varint()?).ok()?;
            Some(content.slice(reader.take(length)?))
        } else {
            None
        };
        rows.push(VersionedRow {
            key,
            fjall_sequence,
            value,
        });
    }
}

/// The places of blocks in an index, each with the last key of its block; none if it is not one.
pub(super) fn read_index(content: &[u8]) -> Option<Vec<(u64, Bytes)>> {
    let mut reader = Cursor {
        bytes: content,
        position: 0,
    };
    let mut entries = Vec::new();
    while reader.byte()? != END {
        let offset = reader.varint()?;
        let _size = reader.varint()?;
        let _sequence = reader.varint()?;
        let length = usize::try_from(reader.varint()?).ok()?;
        let key = content.get(reader.take(length)?)?;
        entries.push((offset, Bytes::copy_from_slice(key)));
    }
    Some(entries)
}

struct Cursor<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl Cursor<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.position)?;
        self.position += 1;
        Some(byte)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn take(&mut self, length: usize) -> Option<std::ops::Range<usize>> {
        let end = self.position.checked_add(length)?;
        (end <= self.bytes.len()).then_some(())?;
        let taken = self.position..end;
        self.position = end;
        Some(taken)
    }
}
