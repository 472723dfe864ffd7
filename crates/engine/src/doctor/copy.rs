//! Writes a new store, row by row.

use super::DoctorError;
use crate::store::{Batch, DiskOptions, DiskStore, Durability, SEQUENCE_KEY, Space, Store};
use bytes::Bytes;
use std::path::Path;

/// A batch is written once it has this much, in bytes.
const BATCH_BYTES: usize = 2 * 1024 * 1024;
const CACHE_BYTES: u64 = 8 * 1024 * 1024;

pub(super) struct CopyWriter {
    store: Store,
    batch: Batch,
    bytes: usize,
}

impl CopyWriter {
    pub(super) fn create(path: &Path) -> Result<Self, DoctorError> {
        let store = DiskStore::open(path, &DiskOptions::new(CACHE_BYTES))?;
        Ok(Self {
            store: Store::Disk(store),
            batch: Batch::default(),
            bytes: 0,
        })
    }

    pub(super) fn put(
        &mut self,
        space: Space,
        key: Bytes,
        value: Bytes,
    ) -> Result<(), DoctorError> {
        self.bytes += key.len() + value.len();
        self.batch.push(space, key, Some(value));
        if self.bytes >= BATCH_BYTES {
            self.write(Durability::Relaxed)?;
        }
        Ok(())
    }

    /// Writes the rest. The groups of the copy go on where those of the store ended: numbers of streams follow from them.
    pub(super) fn finish(mut self, group: u64) -> Result<(), DoctorError> {
        if group > 0 {
            let key = Bytes::from_static(SEQUENCE_KEY);
            let value = Bytes::copy_from_slice(&group.to_be_bytes());
            self.batch.push(Space::Meta, key, Some(value));
        }
        self.write(Durability::Sync)?;
        self.store.close(group).map_err(DoctorError::failed)
    }

    fn write(&mut self, durability: Durability) -> Result<(), DoctorError> {
        self.bytes = 0;
        self.store.wait_for_room().map_err(DoctorError::failed)?;
        let batch = std::mem::take(&mut self.batch);
        self.store
            .commit(batch, durability)
            .map_err(DoctorError::failed)
    }
}
