//! Indexes that are not cut up are in memory wherever their files are, and after opening as well.

use super::{Batch, DiskOptions, DiskStore, Durability, Space};
use bytes::Bytes;
use fjall::AbstractTree;

const ROWS: u64 = 8_000;
const VALUE_BYTES: usize = 1024;
/// fjall's level that the first level in use has here.
const FIRST: usize = 5;

/// So small that the rows take two levels.
fn options() -> DiskOptions {
    DiskOptions {
        memtable_bytes: 256 * 1024,
        table_bytes: 1024 * 1024,
        ..DiskOptions::new(1024 * 1024)
    }
}

/// Writes rows at random places, with values that cannot be compressed.
fn fill(store: &DiskStore) {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..ROWS / 100 {
        let mut batch = Batch::default();
        for _ in 0..100 {
            let key = Bytes::copy_from_slice(&random.u64(..).to_be_bytes());
            let mut value = vec![0; VALUE_BYTES];
            random.fill(&mut value);
            batch.push(Space::Items, key, Some(value.into()));
        }
        store.wait_for_room().unwrap();
        store.commit(batch, Durability::Relaxed).unwrap();
    }
    store.settle().unwrap();
}

fn indexes_in_memory(store: &DiskStore) -> usize {
    store.keyspace(Space::Items).tree.pinned_block_index_size()
}

#[test]
fn whole_indexes_are_in_memory_after_opening_as_well() {
    let directory = tempfile::tempdir().unwrap();
    let store = DiskStore::open(directory.path(), &options()).unwrap();
    fill(&store);
    let tree = &store.keyspace(Space::Items).tree;
    assert!(tree.level_table_count(FIRST).unwrap() > 0);
    assert!(tree.level_table_count(FIRST + 1).unwrap() > 0);
    let written = indexes_in_memory(&store);
    drop(store);
    let store = DiskStore::open(directory.path(), &options()).unwrap();
    assert_eq!(indexes_in_memory(&store), written);
}
