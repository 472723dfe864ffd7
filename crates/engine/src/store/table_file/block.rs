//! One block of a table file: a head of 33 bytes, and what it is about.

use xxhash_rust::xxh3::xxh3_128;

/// magic (4), kind (1), checksum of what follows (16), its length (4), its length before compression (4), checksum of the head (4).
pub(super) const HEAD_BYTES: usize = 33;
const MAGIC: &[u8; 4] = b"LSM\x03";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum BlockKind {
    Data,
    Index,
    Filter,
    Meta,
}

/// How blocks of data are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Plain,
    Lz4,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockHead {
    pub(super) kind: BlockKind,
    checksum: u128,
    length: usize,
    unpacked_length: usize,
}

impl BlockHead {
    /// The head at the beginning of these bytes, if it is one and undamaged.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let head = bytes.get(..HEAD_BYTES)?;
        let (covered, own) = head.split_at_checked(HEAD_BYTES - 4)?;
        let rest = covered.strip_prefix(MAGIC)?;
        if own != (xxh3_128(covered) as u32).to_le_bytes() {
            return None;
        }
        let (kind, rest) = rest.split_first()?;
        let (checksum, rest) = rest.split_first_chunk::<16>()?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let unpacked = rest.first_chunk::<4>()?;
        Some(Self {
            kind: match kind {
                0 => BlockKind::Data,
                1 => BlockKind::Index,
                2 => BlockKind::Filter,
                3 => BlockKind::Meta,
                _ => return None,
            },
            checksum: u128::from_le_bytes(*checksum),
            length: u32::from_le_bytes(*length) as usize,
            unpacked_length: u32::from_le_bytes(*unpacked) as usize,
        })
    }

    /// How long the block is with its head.
    pub(super) const fn total_length(&self) -> usize {
        HEAD_BYTES + self.length
    }

    /// What the block holds, given its bytes with its head; none if they are damaged.
    pub(super) fn content<'a>(&self, block: &'a [u8]) -> Option<&'a [u8]> {
        let content = block.get(HEAD_BYTES..self.total_length())?;
        (xxh3_128(content) == self.checksum).then_some(content)
    }

    /// What was packed.
    pub(super) fn unpack(&self, content: &[u8], packing: Packing) -> Option<Vec<u8>> {
        match packing {
            Packing::Plain => Some(content.to_vec()),
            Packing::Lz4 => lz4_flex::block::decompress(content, self.unpacked_length).ok(),
        }
    }
}

/// Where the next undamaged head begins, from `start` on.
pub(super) fn find_head(bytes: &[u8], start: usize) -> Option<usize> {
    let mut from = start;
    loop {
        let rest = bytes.get(from..)?;
        let found = from
            + rest
                .windows(MAGIC.len())
                .position(|window| window == MAGIC)?;
        if BlockHead::read(bytes.get(found..)?).is_some() {
            return Some(found);
        }
        from = found + 1;
    }
}
