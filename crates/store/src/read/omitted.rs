//! What a read leaves out.

use crate::address;
use crate::scope::Scope;
use monotable_item::{EncodedItem, Item, ValueView};
use monotable_model::model::TableId;
use monotable_model::plan::ReadPlan;

/// What a read has found and does not show.
#[derive(Debug, Default)]
pub(crate) struct Omitted {
    /// How many rows the caller may not see.
    pub(crate) hidden: usize,
    /// Items that the model does not know, where a row owns what is read.
    unknown: Vec<EncodedItem>,
}

impl Omitted {
    /// Notes an item that the model does not know, if a row owns what the pattern reads.
    pub(super) fn note_unknown(
        &mut self,
        scope: &Scope,
        plan: &ReadPlan,
        table: TableId,
        item: EncodedItem,
    ) {
        let key = item.view().get(&scope.model().table(table).hash.value);
        if matches!(key, Some(ValueView::S(hash)) if address::is_reserved(hash)) {
            return;
        }
        if plan.keep.tells_unknown {
            self.unknown.push(item);
        }
    }

    /// Adds what another read has left out.
    pub(super) fn add(&mut self, other: Self) {
        self.hidden += other.hidden;
        self.unknown.extend(other.unknown);
    }

    /// The items that the model does not know.
    pub(super) fn unknown_items(&self) -> Vec<Item> {
        self.unknown.iter().map(EncodedItem::to_item).collect()
    }
}
