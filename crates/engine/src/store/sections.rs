//! The sections that fjall's files are made of.
//!
//! The end of a file says where its directory is, and the directory where the sections are, by their names.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_128;

/// What the end of a file with sections has: magic, version, kind of checksum, checksum, place and length of the directory.
const TRAILER_BYTES: usize = 38;
/// What is read from the end of a file first: enough for the directory and a section before it.
const TAIL_BYTES: u64 = 8 * 1024;
/// The section of a table file with the version of its format, which no checksum of the file covers.
const VERSION_SECTION: &[u8] = b"table_version";
const VERSION: u8 = 3;

/// The sections of a file that is in memory, by their names.
pub(super) fn find_sections(bytes: &[u8]) -> Option<Vec<(&[u8], Range<usize>)>> {
    let place = find_directory(bytes, 0)?;
    let sections = read_directory(bytes.get(place)?)?;
    let is_inside = |(_, place): &(&[u8], Range<usize>)| bytes.get(place.clone()).is_some();
    sections.iter().all(is_inside).then_some(sections)
}

/// A section of a file, of which only the end is read; none if the file is not what it should be.
pub(super) fn read_section(path: &Path, name: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut start = length.saturating_sub(TAIL_BYTES);
    let mut tail = read_range(&mut file, start..length)?;
    let offset = usize::try_from(start).unwrap_or(usize::MAX);
    let Some(directory) = find_directory(&tail, offset) else {
        return Ok(None);
    };
    let sections = tail.get(directory).and_then(read_directory);
    let found = sections.and_then(|sections| {
        let found = sections.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, place)| place.start as u64..place.end as u64)
    });
    let Some(place) = found.filter(|place| place.end <= length) else {
        return Ok(None);
    };
    if place.start < start {
        start = place.start;
        tail = read_range(&mut file, place.clone())?;
    }
    let place = (place.start - start) as usize..(place.end - start) as usize;
    Ok(tail.get(place).map(<[u8]>::to_vec))
}

/// The checksum that a table file would have if the few bytes were right that none of its own checksums covers.
pub(super) fn sum_without_frame(mut bytes: Vec<u8>) -> Option<u128> {
    let directory = find_directory(&bytes, 0)?;
    let sections = find_sections(&bytes)?;
    let version = sections
        .into_iter()
        .find(|(name, _)| *name == VERSION_SECTION);
    let version = version.map(|(_, place)| place)?;
    bytes.get_mut(version)?.fill(VERSION);
    let length = (directory.end - directory.start) as u64;
    let place = bytes.len().checked_sub(8)?;
    bytes
        .get_mut(place..)?
        .copy_from_slice(&length.to_le_bytes());
    Some(xxh3_128(&bytes))
}

fn read_range(file: &mut File, range: Range<u64>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(range.start))?;
    Read::take(file, range.end - range.start).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Where the directory is in these bytes, which are the end of a file from `offset` on.
fn find_directory(tail: &[u8], offset: usize) -> Option<Range<usize>> {
    let start = tail.len().checked_sub(TRAILER_BYTES)?;
    let mut trailer = tail.get(start..)?;
    if take::<6>(&mut trailer)? != *b"SFA!\x01\x00" {
        return None;
    }
    let checksum = u128::from_le_bytes(take(&mut trailer)?);
    let position = usize::try_from(u64::from_le_bytes(take(&mut trailer)?)).ok()?;
    let place = position.checked_sub(offset)?..start;
    (xxh3_128(tail.get(place.clone())?) == checksum).then_some(place)
}

fn read_directory(directory: &[u8]) -> Option<Vec<(&[u8], Range<usize>)>> {
    let mut rest = directory.strip_prefix(b"TOC!")?;
    let count = u32::from_le_bytes(take(&mut rest)?);
    let mut found = Vec::new();
    for _ in 0..count {
        let position = usize::try_from(u64::from_le_bytes(take(&mut rest)?)).ok()?;
        let length = usize::try_from(u64::from_le_bytes(take(&mut rest)?)).ok()?;
        let name_length = usize::from(u16::from_le_bytes(take(&mut rest)?));
        let (name, after) = rest.split_at_checked(name_length)?;
        rest = after;
        found.push((name, position..position.checked_add(length)?));
    }
    Some(found)
}

/// Takes the next bytes.
pub(super) fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    Some(*taken)
}
