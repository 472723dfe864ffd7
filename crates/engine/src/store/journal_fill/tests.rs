//! Journals are filled ahead of their end, and nothing of them changes.

use super::super::{Batch, DiskOptions, DiskStore, Durability, Space};
use super::{AHEAD, BatchSize, FULL, JournalFill, JournalOrigin, PIECE};
use bytes::Bytes;
use std::fs::{self, File};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

/// What fjall makes a journal with.
const LENGTH: u64 = 64 * 1024 * 1024;

fn make_journal(data: &Path, number: u64) -> File {
    let path = data.join(format!("{number}.jnl"));
    let file = File::create_new(path).unwrap();
    file.set_len(LENGTH).unwrap();
    file
}

fn new_fill(data: &Path) -> JournalFill {
    JournalFill::new(data, JournalOrigin::New).unwrap()
}

fn block_bytes(file: &File) -> u64 {
    file.sync_all().unwrap();
    file.metadata().unwrap().blocks() * 512
}

#[test]
fn a_new_journal_has_blocks_ahead_of_every_batch() {
    let data = tempfile::tempdir().unwrap();
    let file = make_journal(data.path(), 1);
    let mut fill = new_fill(data.path());
    let mut end = 0;
    for bytes in [10_000, 3 * PIECE, 700_000, 1] {
        let batch = BatchSize::new(1, bytes);
        fill.make_room(batch);
        end += batch.0;
        assert!(block_bytes(&file) >= end + AHEAD, "{end}");
    }
    assert_eq!(file.metadata().unwrap().len(), LENGTH);
    // Not all of it at once: the sync of one batch would wait for that.
    assert!(block_bytes(&file) < end + AHEAD + 2 * PIECE);
}

#[test]
fn what_is_written_is_never_overwritten() {
    let data = tempfile::tempdir().unwrap();
    let file = make_journal(data.path(), 1);
    // More than was announced, and further on.
    file.write_all_at(&[7; 50_000], 0).unwrap();
    file.write_all_at(&[8; 5_000], PIECE - 100).unwrap();
    let mut fill = new_fill(data.path());
    for _ in 0..40 {
        fill.make_room(BatchSize::new(1, 50_000));
    }
    let found = fs::read(data.path().join("1.jnl")).unwrap();
    let mut expected = vec![0; LENGTH as usize];
    expected[..50_000].fill(7);
    expected[PIECE as usize - 100..][..5_000].fill(8);
    assert!(found == expected);
    assert!(block_bytes(&file) >= 40 * 50_000);
}

#[test]
fn the_next_journal_is_filled_once_it_is_there() {
    let data = tempfile::tempdir().unwrap();
    make_journal(data.path(), 7);
    let mut fill = new_fill(data.path());
    fill.make_room(BatchSize::new(1, FULL));
    fill.make_room(BatchSize::new(1, 10));
    let next = make_journal(data.path(), 8);
    fill.make_room(BatchSize::new(1, 10));
    assert!(block_bytes(&next) >= AHEAD);
}

#[test]
fn a_journal_that_was_found_keeps_its_length() {
    let data = tempfile::tempdir().unwrap();
    let file = make_journal(data.path(), 1);
    file.set_len(12_345).unwrap();
    let mut fill = JournalFill::new(data.path(), JournalOrigin::Found).unwrap();
    for _ in 0..3 {
        fill.make_room(BatchSize::new(1, PIECE));
    }
    assert_eq!(file.metadata().unwrap().len(), 12_345);
}

#[test]
fn no_journal_is_no_failure() {
    let data = tempfile::tempdir().unwrap();
    new_fill(data.path()).make_room(BatchSize::new(1, 10));
}

/// Announced sizes that are too small would fill what is filled already, and help no commit.
#[test]
fn announced_sizes_are_those_of_the_journal() {
    let directory = tempfile::tempdir().unwrap();
    let store = DiskStore::open(directory.path(), &DiskOptions::new(1 << 20)).unwrap();
    let end = || journal_end(&directory.path().join("data"));
    let commit = |rows: &[(&'static [u8], Option<&'static [u8]>)]| {
        let mut batch = Batch::default();
        for (key, value) in rows {
            let value = value.map(Bytes::from_static);
            batch.push(Space::Items, Bytes::from_static(key), value);
        }
        store.commit(batch, Durability::Sync).unwrap();
    };
    commit(&[(b"first", Some(b"value"))]);
    let before = end();
    commit(&[(b"key", Some(b"a longer value")), (b"first", None)]);
    let bytes = b"key".len() + b"a longer value".len() + b"first".len();
    // The store adds the row by which a batch vouches for itself.
    let mark = b"batch".len() + 16;
    assert_eq!(end() - before, BatchSize::new(3, (bytes + mark) as u64).0);
}

/// Where the last batch ends: behind its trailer.
fn journal_end(data: &Path) -> u64 {
    let mut journals: Vec<_> = fs::read_dir(data)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jnl"))
        .collect();
    let bytes = fs::read(journals.pop().unwrap()).unwrap();
    let last = bytes.iter().rposition(|byte| *byte != 0).unwrap();
    last as u64 + 1
}
