//! A row as the model speaks of it, and as it is stored.

mod change;
mod complete;
mod contradiction;
mod decode;
mod encode;
mod hashing;
mod keys;
mod path;
mod presence;
mod problems;
mod refusal;
mod rewrite;
mod rule;
mod tombstone;
mod upgrade;

pub use crate::circumstances::Circumstances;
pub use change::{Change, Changed, change};
pub(crate) use change::{changed, may_change, touch};
pub use complete::create;
pub(crate) use complete::{
    accepted_value, add_unwritten, compute, create_from, fill_copy, find_forged,
    is_set_by_the_store, time,
};
pub(crate) use contradiction::find_contradiction;
pub use decode::{Decoded, decode};
pub(crate) use decode::{decode_among, decode_expected, decode_view, read_key};
pub use encode::encode;
pub(crate) use keys::key_values;
pub(crate) use path::{path_names, path_segments};
pub(crate) use presence::{Conditions, leads_away};
pub(crate) use problems::{broken_rules, problems};
pub(crate) use refusal::{list_names, refuse_value};
pub(crate) use rewrite::find_rewrites;
pub(crate) use rule::{explain as explain_rule, show_value};
pub(crate) use tombstone::is_buried;
pub(crate) use upgrade::upgrade;

use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::model::{Attribute, EntityId};

/// The values that a reference attribute of a row holds: one, or each of a list.
pub(crate) fn reference_values(attribute: &Attribute, record: &Record) -> Vec<AttributeValue> {
    match record.values.get(&attribute.name.value) {
        None => Vec::new(),
        Some(AttributeValue::L(values)) => values.clone(),
        Some(value) => vec![value.clone()],
    }
}

/// A row: which entity, and its attributes by the names that the model has for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// What it is.
    pub entity: EntityId,
    /// Its attributes; those in keys only, too.
    pub values: Item,
}

/// A row that was read, with its item.
#[derive(Clone, Debug)]
pub(crate) struct StoredRow {
    pub(crate) record: Record,
    pub(crate) item: EncodedItem,
}

impl AsRef<Self> for StoredRow {
    fn as_ref(&self) -> &Self {
        self
    }
}
