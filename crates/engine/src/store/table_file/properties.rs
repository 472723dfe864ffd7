//! What a table file says about itself.

use super::super::sections::read_section;
use super::block::{BlockHead, Packing};
use super::rows::read_rows;
use bytes::Bytes;
use std::io;
use std::path::Path;

/// What a table file says about itself, as far as it can be read.
#[derive(Clone, Debug, Default)]
pub(in crate::store) struct Properties {
    /// The number that it was given, which is its name.
    pub(in crate::store) id: Option<u64>,
    pub(in crate::store) first: Option<Bytes>,
    pub(in crate::store) last: Option<Bytes>,
    /// The highest number of a batch that wrote one of its rows.
    pub(super) newest: Option<u64>,
    pub(super) packing: Option<Packing>,
}

impl Properties {
    /// Reads only the end of a table file; nothing if that is damaged.
    pub(in crate::store) fn read(path: &Path) -> io::Result<Self> {
        let mut properties = Self::default();
        let block = read_section(path, b"meta")?.unwrap_or_default();
        if let Some(content) = BlockHead::read(&block).and_then(|head| head.content(&block)) {
            properties.read_block(content);
        }
        Ok(properties)
    }

    /// Takes what a block of properties says.
    pub(super) fn read_block(&mut self, content: &[u8]) {
        for row in read_rows(content.to_vec()).into_iter().flatten() {
            let Some(value) = row.value else { continue };
            match &*row.key {
                b"table_id" => self.id = read_number(&value),
                b"key#min" => self.first = Some(value),
                b"key#max" => self.last = Some(value),
                b"seqno#max" => self.newest = read_number(&value),
                b"compression#data" => {
                    self.packing = match value.first() {
                        Some(0) => Some(Packing::Plain),
                        Some(1) => Some(Packing::Lz4),
                        _ => None,
                    };
                }
                _ => {}
            }
        }
    }
}

fn read_number(value: &[u8]) -> Option<u64> {
    value.try_into().ok().map(u64::from_le_bytes)
}
