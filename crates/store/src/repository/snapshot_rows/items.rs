//! A snapshot as the items that are written.

use super::{SnapshotRows, State};
use crate::error::Error;
use crate::record::{self, Record};
use crate::scope::Scope;
use monotable_item::{EncodedItem, ItemBuilder, ValueView};
use monotable_model::model::EntityId;

impl SnapshotRows<'_> {
    /// How many items the new snapshot has, those that the model does not know too.
    pub(in crate::repository) fn count_items(&self) -> usize {
        self.there().count() + self.unknown_items.len()
    }

    /// The items of the new snapshot. What the model does not know stays as it is.
    pub(in crate::repository) fn items(&self, partition: &str) -> Result<Vec<EncodedItem>, Error> {
        let mut items = Vec::with_capacity(self.members.len() + self.unknown_items.len());
        for member in self.there() {
            items.push(match (&member.stored, member.state) {
                (Some(stored), State::Kept) => {
                    copy_to_partition(self.scope, member.entity, stored, partition)
                }
                (Some(stored), ..) => rewrite(self.scope, self.record(member), stored)?,
                (None, ..) => EncodedItem::from(self.scope.encode(self.record(member))?),
            });
        }
        if let Some((entity, _)) = self.indexes.first() {
            let unknown_items = self.unknown_items.iter();
            items.extend(
                unknown_items.map(|item| copy_to_partition(self.scope, *entity, item, partition)),
            );
        }
        Ok(items)
    }
}

/// A copy of an item under the key of another partition.
fn copy_to_partition(
    scope: &Scope,
    entity: EntityId,
    item: &EncodedItem,
    partition: &str,
) -> EncodedItem {
    let table = scope.model().table(scope.entity(entity).table);
    let mut builder = ItemBuilder::new();
    for (name, value) in item.view().iter() {
        if name == table.hash.value {
            builder.push(name, ValueView::S(partition))
        } else {
            builder.push(name, value)
        }
    }
    builder.finish()
}

/// The item with what is different now.
fn rewrite(scope: &Scope, record: &Record, stored: &EncodedItem) -> Result<EncodedItem, Error> {
    let mut item = stored.to_item();
    let wanted = scope.encode(record)?;
    let (set, remove) = record::find_rewrites(scope.compiled(), record, &item, &wanted);
    for (name, value) in set {
        item.insert(name, value);
    }
    for name in remove {
        item.remove(&name);
    }
    Ok(EncodedItem::from(item))
}
