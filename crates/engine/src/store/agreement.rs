//! The two stores must not be told apart: the same batches, the same rows.

use super::{
    Batch, Direction, DiskOptions, DiskStore, Durability, KeyRange, MemoryStore, Row, Snapshot,
    Space, Store,
};
use bytes::Bytes;
use proptest::collection::vec;
use proptest::prelude::*;

/// Short keys over few bytes, so that rows are overwritten and removed.
fn key() -> impl Strategy<Value = Bytes> {
    vec(prop_oneof![Just(0u8), Just(1), Just(255)], 1..4).prop_map(Bytes::from)
}

fn space() -> impl Strategy<Value = Space> {
    prop::sample::select(Space::ALL.to_vec())
}

type Changes = Vec<(Space, Bytes, Option<u8>)>;

fn changes() -> impl Strategy<Value = Changes> {
    vec((space(), key(), any::<Option<u8>>()), 1..12)
}

/// A batch has one change for each row: the last one.
fn batch(changes: &Changes) -> Batch {
    let mut batch = Batch::default();
    for (place, (space, key, value)) in changes.iter().enumerate() {
        let later = changes.iter().skip(place + 1);
        if later.into_iter().any(|(s, k, _)| (s, k) == (space, key)) {
            continue;
        }
        let value = value.map(|byte| Bytes::from(vec![byte; 3]));
        batch.push(*space, key.clone(), value);
    }
    batch
}

/// All rows but the one that the store on disk adds for itself.
fn rows(snapshot: &Snapshot, space: Space, range: &KeyRange, direction: Direction) -> Vec<Row> {
    let rows = snapshot.range(space, range.clone(), direction);
    let rows = rows.map(Result::unwrap);
    rows.filter(|(key, _)| key != super::BATCH_MARK_KEY)
        .collect()
}

fn agree(disk: &Snapshot, memory: &Snapshot, ranges: &[KeyRange]) {
    for space in Space::ALL {
        for range in ranges {
            let forwards = rows(disk, space, range, Direction::Forwards);
            assert_eq!(forwards, rows(memory, space, range, Direction::Forwards));
            let mut backwards = rows(disk, space, range, Direction::Backwards);
            assert_eq!(backwards, rows(memory, space, range, Direction::Backwards));
            backwards.reverse();
            assert_eq!(forwards, backwards);
            for (key, value) in forwards {
                assert!(range.contains(&key));
                assert_eq!(disk.get(space, &key).unwrap(), Some(value.clone()));
                assert_eq!(memory.get(space, &key).unwrap(), Some(value));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn disk_and_memory_hold_the_same_rows(
        batches in vec(changes(), 1..12),
        bounds in vec((key(), proptest::option::of(key())), 1..4),
        prefixes in vec(key(), 1..3),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let disk = Store::Disk(DiskStore::open(directory.path(), &DiskOptions::new(1 << 20)).unwrap());
        let memory = Store::Memory(MemoryStore::default());
        let mut ranges: Vec<KeyRange> = bounds
            .into_iter()
            .map(|(start, end)| KeyRange { start, end })
            .collect();
        ranges.extend(prefixes.iter().map(|prefix| KeyRange::prefix(prefix)));
        ranges.push(KeyRange::prefix(&[]));
        let mut earlier = Vec::new();
        for changes in &batches {
            for store in [&disk, &memory] {
                store.commit(batch(changes), Durability::Relaxed).unwrap();
            }
            earlier.push((disk.snapshot(), memory.snapshot()));
        }
        // Snapshots do not change, whatever was committed after them.
        for (disk, memory) in &earlier {
            agree(disk, memory, &ranges);
        }
    }
}
