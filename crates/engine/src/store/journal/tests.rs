//! Every bit of a journal, flipped: noticed, or without effect.

use super::super::SEQUENCE_KEY;
use super::super::disk::DiskStore;
use super::super::keyspaces::DiskOptions;
use super::super::{Batch, Direction, Durability, KeyRange, Space};
use bytes::Bytes;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

type Rows = BTreeMap<Bytes, Bytes>;

fn open(path: &Path) -> Result<DiskStore, super::OpenError> {
    DiskStore::open(path, &DiskOptions::new(1 << 20))
}

/// Writes a few rows again and again, so that each value has older ones behind it.
fn commit(store: &DiskStore, groups: std::ops::RangeInclusive<u64>) {
    for group in groups {
        let mut batch = Batch::default();
        let key = Bytes::from(format!("row-{}", group % 2));
        batch.push(Space::Items, key, Some(Bytes::from(group.to_string())));
        let sequence = Bytes::copy_from_slice(&group.to_be_bytes());
        batch.push(
            Space::Meta,
            Bytes::from_static(SEQUENCE_KEY),
            Some(sequence),
        );
        store.commit(batch, Durability::Sync).unwrap();
        store.note(group);
    }
}

fn rows(store: &DiskStore) -> Rows {
    let rows = store
        .snapshot()
        .range(Space::Items, KeyRange::prefix(b""), Direction::Forwards);
    rows.map(Result::unwrap).collect()
}

/// A closed store: the first groups are in table files as well, the last ones in the journal only.
fn make(path: &Path, close: bool) -> Rows {
    let store = open(path).unwrap();
    commit(&store, 1..=3);
    store.settle().unwrap();
    commit(&store, 4..=6);
    let rows = rows(&store);
    if close {
        store.close(6).unwrap();
    }
    drop(store);
    fs::write(journal(path), trimmed(&journal(path))).unwrap();
    rows
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target)
        } else {
            fs::write(target, trimmed(&path)).unwrap()
        }
    }
}

/// A file without the zeros that fjall reserves at the end of a journal.
fn trimmed(path: &Path) -> Vec<u8> {
    let mut bytes = fs::read(path).unwrap();
    if path.extension().is_some_and(|extension| extension == "jnl") {
        let used = bytes
            .iter()
            .rposition(|byte| *byte != 0)
            .map_or(0, |last| last + 1);
        bytes.truncate(used);
    }
    bytes
}

fn journal(store: &Path) -> PathBuf {
    super::list(&store.join("data")).unwrap().pop().unwrap()
}

/// Where batches begin, and where the last one ends.
fn starts(journal: &[u8]) -> Vec<usize> {
    let mut starts = vec![0];
    let mut reader = super::JournalReader::new(journal);
    while let Ok(super::Step::Batch(_)) = reader.batch(|_| ()) {
        starts.push(usize::try_from(reader.position()).unwrap());
    }
    starts
}

/// The rows after a bit was flipped; none if that was noticed.
fn rows_after_flip(original: &Path, at: usize, bit: u8) -> Option<Rows> {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    copy(original, &store);
    let path = journal(&store);
    let mut bytes = fs::read(&path).unwrap();
    bytes[at] ^= 1 << bit;
    fs::write(&path, bytes).unwrap();
    open(&store).ok().map(|store| rows(&store))
}

#[test]
fn a_flipped_bit_in_the_head_of_a_batch_is_noticed_or_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let expected = make(&store, true);
    let bytes = fs::read(journal(&store)).unwrap();
    let starts = starts(&bytes);
    assert_eq!(starts.len(), 7, "six batches");
    let (mut noticed, mut harmless) = (0, 0);
    // Batch start mark, count of entries, fjall's sequence number: 13 bytes.
    for start in &starts[..6] {
        for at in *start..start + 13 {
            for bit in 0..8 {
                match rows_after_flip(&store, at, bit) {
                    None => noticed += 1,
                    Some(rows) => {
                        assert_eq!(rows, expected, "byte {at}, bit {bit}, batches {starts:?}");
                        harmless += 1;
                    }
                }
            }
        }
    }
    assert_eq!(noticed + harmless, 6 * 13 * 8);
    assert!(noticed > 6 * 12 * 8, "only {noticed} were noticed");
}

#[test]
fn a_number_taken_back_brings_no_old_value_back() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    make(&store, true);
    let path = journal(&store);
    let mut bytes = fs::read(&path).unwrap();
    let starts = starts(&bytes);
    // The last batch says that it is older than everything.
    bytes[starts[5] + 5..starts[5] + 13].fill(0);
    fs::write(&path, bytes).unwrap();
    let refused = open(&store).err().unwrap().to_string();
    assert!(refused.contains("sequence number"), "{refused}");
    assert!(refused.contains(".jnl"), "{refused}");
}

/// The note and the group in the table files would tell, too. A power cut may take the note.
#[test]
fn a_number_that_passes_the_next_ones_brings_no_old_value_back() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    make(&store, true);
    let path = journal(&store);
    let mut bytes = fs::read(&path).unwrap();
    let starts = starts(&bytes);
    // The fourth batch says that it is newer than the sixth, which wrote the same row.
    bytes[starts[3] + 7] ^= 1;
    fs::write(&path, bytes).unwrap();
    for is_noted in [true, false] {
        if !is_noted {
            fs::remove_file(store.join("NOTED")).unwrap();
        }
        let refused = open(&store).err().unwrap().to_string();
        assert!(refused.contains("sequence number"), "{refused}");
        assert!(refused.contains(".jnl"), "{refused}");
    }
}

/// A power cut may take the note. Damage in the middle must not pass for the torn end then.
#[test]
fn damage_before_a_synced_batch_is_noticed_without_the_note() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let expected = make(&store, false);
    fs::remove_file(store.join("NOTED")).unwrap();
    let path = journal(&store);
    let whole = fs::read(&path).unwrap();
    let starts = starts(&whole);
    for batch in 0..5 {
        let length = starts[batch + 1] - starts[batch];
        for at in (starts[batch]..starts[batch + 1])
            .step_by(3)
            .chain([starts[batch] + length - 1])
        {
            // Only a number that stays between its neighbours is as good as the one that was given.
            if let Some(rows) = rows_after_flip(&store, at, 4) {
                assert_eq!(rows, expected, "batch {batch}, byte {at} of {starts:?}");
                assert!(
                    (5..13).contains(&(at - starts[batch])),
                    "batch {batch}, byte {at}"
                );
            }
        }
    }
    // The last batch has no witness: it may be torn.
    let rows = rows_after_flip(&store, starts[5] + 20, 4).unwrap();
    assert_eq!(
        rows.get(b"row-0".as_slice()).map(|row| &row[..]),
        Some(&b"4"[..])
    );
}
