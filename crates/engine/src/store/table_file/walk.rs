//! All blocks of a table file: where the good ones are, and what the others may have held.

use super::super::heal::heal;
use super::super::sections::find_sections;
use super::block::{BlockHead, BlockKind, Packing, find_head};
use super::properties::Properties;
use super::rows::{VersionedRow, read_index, read_rows};
use bytes::Bytes;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::{Bound, Range};
use std::path::{Path, PathBuf};

/// The blocks of a table file.
#[derive(Clone, Debug)]
pub(in crate::store) struct TableMap {
    pub(in crate::store) path: PathBuf,
    /// The number that the file was given, if it can be read.
    pub(in crate::store) id: Option<u64>,
    packing: Packing,
    /// The good blocks of data, in the order of their rows.
    data: Vec<DataBlock>,
    /// Blocks of data that are lost.
    pub(in crate::store) lost: Vec<LostBlock>,
    /// What else is damaged, in words. No row is lost by it.
    pub(in crate::store) other_damage: Vec<String>,
    /// The highest number of a batch that wrote a row of the file, if that is known.
    pub(in crate::store) newest: Option<u64>,
    /// The first and the last key, if they are known.
    pub(in crate::store) ends: Option<(Bytes, Bytes)>,
    /// Rows in the good blocks.
    pub(in crate::store) rows: u64,
}

/// A good block of data.
#[derive(Clone, Debug)]
enum DataBlock {
    OnDisk(Range<u64>),
    /// What a damaged block was.
    Healed(Vec<u8>),
}

/// A block of data that is lost, and which rows it can have held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) struct LostBlock {
    pub(in crate::store) offset: u64,
    /// No row comes before this.
    pub(in crate::store) from: Bound<Bytes>,
    /// No row comes behind this one; it may be the last one. None if nothing is known.
    pub(in crate::store) last: Option<Bytes>,
}

impl TableMap {
    /// Reads a whole table file.
    pub(in crate::store) fn read(path: &Path) -> io::Result<Self> {
        let mut bytes = std::fs::read(path)?;
        let mut pieces = cut_up(&bytes);
        let healed = heal_pieces(&mut bytes, &mut pieces);
        let properties = read_properties(&bytes, &pieces);
        let ends = read_ends(&bytes, &pieces);
        let mut map = Self {
            path: path.into(),
            id: properties.id,
            packing: properties
                .packing
                .unwrap_or_else(|| guess_packing(&bytes, &pieces)),
            data: Vec::new(),
            lost: Vec::new(),
            other_damage: Vec::new(),
            newest: properties.newest,
            ends: properties.first.clone().zip(properties.last.clone()),
            rows: 0,
        };
        for offset in healed {
            let what = format!(
                "the block at byte {offset} is damaged, and what it was could be found out"
            );
            map.other_damage.push(what);
        }
        map.sort_out(&bytes, &pieces, &properties, &ends);
        if find_sections(&bytes).is_none() {
            map.other_damage
                .push("its directory of sections is damaged".into());
        }
        if properties.newest.is_none() {
            map.other_damage
                .push("what it says about itself is damaged".into());
        }
        Ok(map)
    }

    /// Whether nothing of it is damaged, as far as the file itself can tell.
    pub(in crate::store) fn is_whole(&self) -> bool {
        self.lost.is_empty() && self.other_damage.is_empty()
    }

    /// Goes through the pieces in their order, and bounds what is lost by what is around it.
    fn sort_out(
        &mut self,
        bytes: &[u8],
        pieces: &[Piece],
        properties: &Properties,
        ends: &BTreeMap<u64, Bytes>,
    ) {
        let mut after: Option<Bytes> = None;
        // Lost blocks whose end is not known yet: the next good row tells it.
        let mut open: Vec<LostBlock> = Vec::new();
        for piece in pieces {
            let rows = match piece.state {
                PieceState::Good(head) if head.kind == BlockKind::Data => {
                    self.decode(bytes, piece, &head)
                }
                PieceState::Good(_) => continue,
                PieceState::Bad(Some(kind)) if kind != BlockKind::Data => {
                    let name = match kind {
                        BlockKind::Index => "its index of blocks is damaged",
                        BlockKind::Filter => "its filter is damaged",
                        BlockKind::Data | BlockKind::Meta => "what it says about itself is damaged",
                    };
                    self.other_damage.push(name.into());
                    continue;
                }
                PieceState::Bad(_) => None,
            };
            let offset = piece.range.start as u64;
            match rows.as_deref() {
                Some([first, .., last]) => self.close(&mut open, first, last, &mut after),
                Some([only]) => self.close(&mut open, only, only, &mut after),
                Some([]) => {}
                None => {
                    let last = ends.get(&offset).cloned();
                    open.push(LostBlock {
                        offset,
                        from: after.clone().map_or(Bound::Unbounded, Bound::Excluded),
                        last: last.clone(),
                    });
                    after = last.or(after);
                }
            }
            if let Some(rows) = rows {
                self.rows += rows.len() as u64;
                let block = if piece.is_healed {
                    DataBlock::Healed(bytes.get(piece.range.clone()).unwrap_or_default().to_vec())
                } else {
                    DataBlock::OnDisk(offset..piece.range.end as u64)
                };
                self.data.push(block);
            }
        }
        for mut block in open {
            block.last = block.last.or_else(|| properties.last.clone());
            self.lost.push(block);
        }
        if let Some(first) = &properties.first {
            for block in &mut self.lost {
                if block.from == Bound::Unbounded {
                    block.from = Bound::Included(first.clone());
                }
            }
        }
    }

    /// A good block follows: what is lost before it ends with its first row at the latest, which may have a newer version there.
    fn close(
        &mut self,
        open: &mut Vec<LostBlock>,
        first: &VersionedRow,
        last: &VersionedRow,
        after: &mut Option<Bytes>,
    ) {
        for mut block in open.drain(..) {
            block.last.get_or_insert_with(|| first.key.clone());
            self.lost.push(block);
        }
        *after = Some(last.key.clone());
    }

    fn decode(&self, bytes: &[u8], piece: &Piece, head: &BlockHead) -> Option<Vec<VersionedRow>> {
        let block = bytes.get(piece.range.clone())?;
        read_rows(head.unpack(head.content(block)?, self.packing)?)
    }

    /// The rows of the good blocks, in their order.
    pub(in crate::store) fn rows(&self) -> io::Result<TableRows> {
        Ok(TableRows {
            file: File::open(&self.path)?,
            packing: self.packing,
            blocks: self.data.clone().into_iter(),
            rows: Vec::new().into_iter(),
        })
    }
}

/// The rows of a table file.
pub(in crate::store) struct TableRows {
    file: File,
    packing: Packing,
    blocks: std::vec::IntoIter<DataBlock>,
    rows: std::vec::IntoIter<VersionedRow>,
}

impl TableRows {
    fn read_block(&mut self, block: DataBlock) -> io::Result<Vec<VersionedRow>> {
        let block = match block {
            DataBlock::Healed(block) => block,
            DataBlock::OnDisk(place) => {
                let mut block = vec![0; (place.end - place.start) as usize];
                self.file.seek(SeekFrom::Start(place.start))?;
                self.file.read_exact(&mut block)?;
                block
            }
        };
        let head = BlockHead::read(&block);
        let content = head.and_then(|head| head.unpack(head.content(&block)?, self.packing));
        let changed = || io::Error::other("a block has changed since it was checked");
        content.and_then(read_rows).ok_or_else(changed)
    }
}

impl Iterator for TableRows {
    type Item = io::Result<VersionedRow>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(row) = self.rows.next() {
                return Some(Ok(row));
            }
            let block = self.blocks.next()?;
            match self.read_block(block) {
                Ok(rows) => self.rows = rows.into_iter(),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// A part of a file that is a block, or should be.
struct Piece {
    range: Range<usize>,
    state: PieceState,
    is_healed: bool,
}

#[derive(Clone, Copy)]
enum PieceState {
    Good(BlockHead),
    /// The kind is known if the head is undamaged, or from where it stands.
    Bad(Option<BlockKind>),
}

/// Cuts a file up into blocks.
fn cut_up(bytes: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let known = find_sections(bytes);
    let regions: Vec<(Range<usize>, Option<BlockKind>)> = match &known {
        Some(sections) => sections
            .iter()
            .filter_map(|(name, place)| {
                let kind = match *name {
                    b"data" => BlockKind::Data,
                    b"tli" | b"index" | b"filter_tli" => BlockKind::Index,
                    b"filter" => BlockKind::Filter,
                    b"meta" => BlockKind::Meta,
                    _ => return None,
                };
                Some((place.clone(), Some(kind)))
            })
            .collect(),
        None => vec![(0..bytes.len(), None)],
    };
    for (region, kind) in regions {
        cut_up_region(bytes, region, kind, &mut pieces);
    }
    pieces
}

fn cut_up_region(
    bytes: &[u8],
    region: Range<usize>,
    kind: Option<BlockKind>,
    pieces: &mut Vec<Piece>,
) {
    let region_bytes = bytes.get(..region.end).unwrap_or_default();
    let mut position = region.start;
    while position < region.end {
        let rest = region_bytes.get(position..).unwrap_or_default();
        let piece = match BlockHead::read(rest) {
            Some(head) => {
                let end = (position + head.total_length()).min(region.end);
                let state = match head.content(rest) {
                    Some(_) => PieceState::Good(head),
                    None => PieceState::Bad(Some(head.kind)),
                };
                Piece {
                    range: position..end,
                    state,
                    is_healed: false,
                }
            }
            None => {
                let end = find_head(region_bytes, position + 1).unwrap_or(region.end);
                Piece {
                    range: position..end,
                    state: PieceState::Bad(kind),
                    is_healed: false,
                }
            }
        };
        position = piece.range.end;
        // Without a directory, whatever comes behind the last block of data is not one.
        let beyond_data = kind.is_none()
            && matches!(piece.state, PieceState::Bad(None))
            && pieces.iter().any(|piece| {
                matches!(piece.state, PieceState::Good(head) if head.kind != BlockKind::Data)
            });
        if !beyond_data {
            pieces.push(piece);
        }
    }
}

/// Corrects blocks in which one bit or one byte is wrong; where they begin.
fn heal_pieces(bytes: &mut [u8], pieces: &mut [Piece]) -> Vec<usize> {
    let mut healed = Vec::new();
    for piece in pieces {
        if matches!(piece.state, PieceState::Good(_)) {
            continue;
        }
        let Some(block) = bytes.get_mut(piece.range.clone()) else {
            continue;
        };
        let found = heal(block, |bytes| {
            let head = BlockHead::read(bytes).filter(|head| head.total_length() == bytes.len())?;
            head.content(bytes)?;
            Some((head, bytes.to_vec()))
        });
        if let Some((head, good)) = found {
            block.copy_from_slice(&good);
            piece.state = PieceState::Good(head);
            piece.is_healed = true;
            healed.push(piece.range.start);
        }
    }
    healed
}

fn good_blocks<'a>(
    bytes: &'a [u8],
    pieces: &'a [Piece],
    kind: BlockKind,
) -> impl Iterator<Item = (BlockHead, &'a [u8])> {
    pieces.iter().filter_map(move |piece| match piece.state {
        PieceState::Good(head) if head.kind == kind => {
            Some((head, head.content(bytes.get(piece.range.clone())?)?))
        }
        _ => None,
    })
}

fn read_properties(bytes: &[u8], pieces: &[Piece]) -> Properties {
    let mut properties = Properties::default();
    for (_, content) in good_blocks(bytes, pieces, BlockKind::Meta) {
        properties.read_block(content);
    }
    properties
}

/// The last key of each block of data, by where the block begins, as far as indexes say it.
fn read_ends(bytes: &[u8], pieces: &[Piece]) -> BTreeMap<u64, Bytes> {
    let indexes = good_blocks(bytes, pieces, BlockKind::Index);
    indexes
        .filter_map(|(_, content)| read_index(content))
        .flatten()
        .collect()
}

/// Whether blocks can be read as they are.
fn guess_packing(bytes: &[u8], pieces: &[Piece]) -> Packing {
    let mut data = good_blocks(bytes, pieces, BlockKind::Data);
    match data.next() {
        Some((head, content))
            if head
                .unpack(content, Packing::Lz4)
                .and_then(read_rows)
                .is_some() =>
        {
            Packing::Lz4
        }
        _ => Packing::Plain,
    }
}
