//! One partition of a table, as its writer knows it, and as it is found after a kill.

use super::KillSummary;
use monotable_api::{
    CreateTableInput, DynamoExt, GlobalSecondaryIndex, LocalSecondaryIndex, QueryInput,
    ScalarAttributeType,
};
use monotable_aws::Remote;
use monotable_item::{AttributeValue, EncodedItem, Item};
use std::collections::BTreeMap;
use std::io;

pub(super) const TABLE: &str = "Log";

/// How many items a partition has at most.
pub(super) const SLOTS: u32 = 24;

/// Which write a slot has; none if its item was deleted.
pub(super) type Change = Vec<(u32, Option<u64>)>;

/// What every item must be.
#[derive(Clone, Debug)]
pub(super) struct Partition {
    pub(super) number: u32,
    /// The number of the last write of each slot that has an item.
    pub(super) slots: BTreeMap<u32, u64>,
    /// How many writes there were.
    pub(super) writes: u64,
    /// The write whose answer did not come.
    pub(super) pending: Option<Change>,
    /// Acknowledged since the last look.
    pub(super) acknowledged: u64,
}

pub(super) fn table() -> CreateTableInput {
    CreateTableInput::new(TABLE, "Writer", ScalarAttributeType::S)
        .range("Slot", ScalarAttributeType::N)
        .attribute("Write", ScalarAttributeType::N)
        .local_index(LocalSecondaryIndex::new("ByWrite", "Writer", "Write"))
        .global_index(GlobalSecondaryIndex::new("Everywhere", "Writer").range("Write"))
}

impl Partition {
    pub(super) const fn new(number: u32) -> Self {
        Self {
            number,
            slots: BTreeMap::new(),
            writes: 0,
            pending: None,
            acknowledged: 0,
        }
    }

    pub(super) fn key(&self, slot: u32) -> Item {
        Item::new()
            .with("Writer", format!("writer-{}", self.number))
            .with("Slot", slot)
    }

    /// The item that a write leaves; its text is as long as the number says, so that a mixture of two writes shows.
    pub(super) fn item(&self, slot: u32, write: u64) -> Item {
        self.key(slot)
            .with("Write", write)
            .with("Text", text(write))
    }

    /// Takes a change as carried out.
    pub(super) fn apply(&mut self, change: &Change) {
        for (slot, write) in change {
            match write {
                Some(write) => self.slots.insert(*slot, *write),
                None => self.slots.remove(slot),
            };
        }
    }

    /// Reads the partition in every way, and holds it against what was acknowledged. What was pending is decided by it.
    pub(super) async fn judge(
        &mut self,
        remote: &Remote,
        summary: &mut KillSummary,
    ) -> io::Result<()> {
        summary.acknowledged += std::mem::take(&mut self.acknowledged);
        let mut with_pending = self.clone();
        let pending = self.pending.take();
        if let Some(change) = &pending {
            summary.unanswered += 1;
            with_pending.apply(change);
        }
        let found = self.read(remote, None).await?;
        if pending.is_some() && found == with_pending.list_items() {
            summary.found_done += 1;
            self.slots = with_pending.slots;
        } else if found != self.list_items() {
            let (number, slots) = (self.number, &self.slots);
            summary.losses.push(format!(
                "partition {number} must be {slots:?}, perhaps with {pending:?}, and is {found:?}"
            ));
        }
        for index in ["ByWrite", "Everywhere"] {
            let entries = self.read(remote, Some(index)).await?;
            if entries != found {
                let number = self.number;
                summary.losses.push(format!(
                    "index {index} of partition {number} is {entries:?}, and the table {found:?}"
                ));
            }
        }
        Ok(())
    }

    /// All items, in order of their slots.
    async fn read(&self, remote: &Remote, index: Option<&str>) -> io::Result<Vec<Item>> {
        let query =
            QueryInput::new(TABLE, "Writer = :w").value(":w", format!("writer-{}", self.number));
        let query = match index {
            Some(index) => query.index(index),
            None => query.consistent(),
        };
        let page = remote.query(query).await;
        let page = page.map_err(|error| io::Error::other(format!("{index:?}: {error}")))?;
        if page.last_evaluated_key.is_some() {
            return Err(io::Error::other("a partition has more than one page"));
        }
        let items = page.items.unwrap_or_default();
        let mut items: Vec<Item> = items.iter().map(EncodedItem::to_item).collect();
        items.sort_by_key(slot_number);
        Ok(items)
    }

    fn list_items(&self) -> Vec<Item> {
        let slots = self.slots.iter();
        slots
            .map(|(slot, write)| self.item(*slot, *write))
            .collect()
    }
}

fn slot_number(item: &Item) -> Option<u32> {
    match item.get("Slot") {
        Some(AttributeValue::N(number)) => number.to_string().parse().ok(),
        _ => None,
    }
}

/// Up to 2 kB that follow from the number of a write.
pub(super) fn text(write: u64) -> String {
    let length = usize::try_from(write.wrapping_mul(2_654_435_761) % 2_000).unwrap_or_default();
    format!("{write:x}-").repeat(length / 4 + 1)
}
