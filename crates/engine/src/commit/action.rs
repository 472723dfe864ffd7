//! What a write asks for, and what came of it.

use super::Token;
use crate::catalog::Table;
use crate::keys::ItemKey;
use crate::stream::Author;
use monotable_api::Error;
use monotable_expr::{Condition, Update, Updated};
use monotable_item::EncodedItem;
use std::sync::Arc;

/// Actions that are carried out together or not at all. INVARIANT: no two name the same item.
#[derive(Debug)]
pub(crate) struct WriteRequest {
    pub(crate) actions: Vec<Action>,
    /// Makes the request count once, however often it is sent.
    pub(crate) token: Option<Token>,
    pub(crate) author: Author,
}

/// One thing to do to one item.
#[derive(Debug)]
pub(crate) struct Action {
    pub(crate) table: Arc<Table>,
    pub(crate) key: ItemKey,
    pub(crate) change: Change,
    pub(crate) condition: Option<Condition>,
    /// Whether the answer needs the item as it was before.
    pub(crate) wants_old: bool,
}

impl Action {
    /// Whether the item must be read first. A blind write reads nothing.
    pub(crate) fn reads(&self, table: &Table) -> bool {
        self.wants_old
            || self.condition.is_some()
            || !table.indexes.is_empty()
            || table.stream.is_some()
            || table.definition.recovery.is_some()
            || matches!(self.change, Change::Update { .. } | Change::Check)
    }
}

#[derive(Debug)]
pub(crate) enum Change {
    /// Replace the item.
    Put(EncodedItem),
    /// Change attributes of the item, or of a new one with this key.
    Update {
        key: EncodedItem,
        update: Option<Update>,
    },
    /// Remove the item.
    Delete,
    /// Only check the condition.
    Check,
}

/// What an action did.
#[derive(Debug)]
pub(crate) struct Effect {
    /// The item before; none if it was not there, or was not needed.
    pub(crate) old: Option<EncodedItem>,
    /// The item after.
    pub(crate) new: Option<EncodedItem>,
    /// What an update touched.
    pub(crate) updated: Option<Updated>,
    /// Whether the item was read before.
    pub(crate) read: bool,
}

/// Why an action was not done.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// Its condition does not hold for this item.
    Condition { item: Option<EncodedItem> },
    /// The item that would result breaks a rule.
    Invalid(Error),
}
