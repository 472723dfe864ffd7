//! Takes back the changes of one file that did not survive.
//!
//! Changes overlap, so none can be taken back alone: all from the first unsynced one on are undone,
//! last first, and then those that survive are made again, first first.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use super::changes::{Change, ChangeKind};
use super::survival::Survival;

pub(super) fn rewind(file: &File, changes: &[Change], survival: &mut Survival) -> io::Result<()> {
    let synced = changes.iter().take_while(|change| change.durable).count();
    let uncertain = changes.get(synced..).unwrap_or_default();
    let mut written = Vec::new();
    for change in uncertain.iter().rev() {
        written.push(undo(file, &change.kind)?);
    }
    for change in uncertain {
        redo(file, change, &written.pop().unwrap_or_default(), survival)?;
    }
    Ok(())
}

/// Undoes the last change of a file; returns the bytes that it had written.
///
/// These may be fewer than recorded, or other bytes: the kill may have come before the write.
fn undo(file: &File, change: &ChangeKind) -> io::Result<Vec<u8>> {
    match change {
        ChangeKind::Write {
            offset,
            length,
            size_before,
            old,
        } => {
            let end = offset.saturating_add(*length);
            let written = read(file, *offset, end)?;
            restore(file, *offset, end.min(*size_before), old)?;
            file.set_len(*size_before)?;
            Ok(written)
        }
        ChangeKind::Resize { from, to, old } => {
            file.set_len(*from)?;
            restore(file, *to, *from, old)?;
            Ok(Vec::new())
        }
    }
}

fn redo(file: &File, change: &Change, written: &[u8], survival: &mut Survival) -> io::Result<()> {
    match change.kind {
        ChangeKind::Write { offset, .. } => {
            let kept = if change.durable {
                0..written.len()
            } else {
                survival.of_write(written.len())
            };
            let start = offset + kept.start as u64;
            file.write_all_at(written.get(kept).unwrap_or_default(), start)
        }
        ChangeKind::Resize { to, .. } if change.durable || survival.of_resize() => file.set_len(to),
        ChangeKind::Resize { .. } => Ok(()),
    }
}

/// The bytes from `start` to `end`, as far as the file goes.
fn read(file: &File, start: u64, end: u64) -> io::Result<Vec<u8>> {
    let end = end.min(file.metadata()?.len());
    let mut bytes = vec![0; usize::try_from(end.saturating_sub(start)).map_err(io::Error::other)?];
    file.read_exact_at(&mut bytes, start)?;
    Ok(bytes)
}

/// Puts `old` back between `start` and `end`, and zeros after it, which the log leaves out.
fn restore(file: &File, start: u64, end: u64, old: &[u8]) -> io::Result<()> {
    let length = usize::try_from(end.saturating_sub(start)).map_err(io::Error::other)?;
    let mut bytes = vec![0; length];
    if let Some(beginning) = bytes.get_mut(..old.len()) {
        beginning.copy_from_slice(old);
    }
    file.write_all_at(&bytes, start)
}
