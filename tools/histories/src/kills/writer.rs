//! The writer of a partition.

use super::partition::{Change, Partition, SLOTS, TABLE, text};
use fastrand::Rng;
use monotable_api::{
    DeleteItemInput, DynamoExt, Error, PutItemInput, TransactDelete, TransactPut,
    TransactWriteItem, TransactWriteItemsInput, UpdateItemInput,
};
use monotable_aws::Remote;
use std::io;

pub(super) struct Writer {
    pub(super) remote: Remote,
    pub(super) partition: Partition,
    pub(super) random: Rng,
}

impl Writer {
    /// Writes until there is no answer, and gives back what it knows.
    pub(super) async fn write_until_gone(mut self) -> io::Result<Partition> {
        loop {
            self.partition.writes += 1;
            let write = self.partition.writes;
            let slot = self.random.u32(0..SLOTS);
            let (change, answer) = match self.random.u8(0..10) {
                0..4 => self.put(slot, write).await,
                4..6 => self.update(slot, write).await,
                6 => self.delete(slot).await,
                _ => self.transact(slot, write).await,
            };
            match answer {
                Ok(()) => {
                    self.partition.apply(&change);
                    self.partition.acknowledged += 1;
                }
                Err(Error::ServiceUnavailable { .. }) => {
                    self.partition.pending = Some(change);
                    return Ok(self.partition);
                }
                Err(error) => return Err(io::Error::other(error.to_string())),
            }
        }
    }

    async fn put(&self, slot: u32, write: u64) -> (Change, Result<(), Error>) {
        let put = PutItemInput::new(TABLE, self.partition.item(slot, write));
        let answer = self.remote.put_item(put).await.map(drop);
        (vec![(slot, Some(write))], answer)
    }

    async fn update(&self, slot: u32, write: u64) -> (Change, Result<(), Error>) {
        let update = UpdateItemInput::new(TABLE, self.partition.key(slot))
            .update("SET #w = :w, #t = :t")
            .name("#w", "Write")
            .name("#t", "Text")
            .value(":w", write)
            .value(":t", text(write));
        let answer = self.remote.update_item(update).await.map(drop);
        (vec![(slot, Some(write))], answer)
    }

    async fn delete(&self, slot: u32) -> (Change, Result<(), Error>) {
        let delete = DeleteItemInput::new(TABLE, self.partition.key(slot));
        let answer = self.remote.delete_item(delete).await.map(drop);
        (vec![(slot, None)], answer)
    }

    /// Moves to another slot: one item comes and another one goes, at once.
    async fn transact(&self, slot: u32, write: u64) -> (Change, Result<(), Error>) {
        let other = (slot + 1) % SLOTS;
        let actions: [TransactWriteItem; 2] = [
            TransactPut::new(TABLE, self.partition.item(slot, write)).into(),
            TransactDelete::new(TABLE, self.partition.key(other)).into(),
        ];
        let transaction = TransactWriteItemsInput::new(actions);
        let answer = self
            .remote
            .transact_write_items(transaction)
            .await
            .map(drop);
        (vec![(slot, Some(write)), (other, None)], answer)
    }
}
