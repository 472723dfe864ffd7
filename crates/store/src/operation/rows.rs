//! Operations on rows.

use super::AnyOperation;
use crate::record::Change;
use crate::wire;
use monotable_item::Item;
use serde::{Deserialize, Serialize};

/// A new row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Create {
    /// Its entity.
    #[serde(rename = "create")]
    pub entity: String,
    /// Its attributes.
    #[serde(with = "wire::item")]
    pub values: Item,
}

/// The row with a key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Get {
    /// Its entity.
    #[serde(rename = "get")]
    pub entity: String,
    /// The attributes of its key.
    #[serde(with = "wire::item")]
    pub key: Item,
}

/// Some attributes of a row changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "UpdateObject", into = "UpdateObject")]
pub struct Update {
    /// Its entity.
    pub entity: String,
    /// The attributes of its key.
    pub key: Item,
    /// What changes.
    pub change: Change,
}

/// A new row, or the row that is there made equal to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Put {
    /// Its entity.
    #[serde(rename = "put")]
    pub entity: String,
    /// Its attributes.
    #[serde(with = "wire::item")]
    pub values: Item,
}

/// A row deleted, with everything that goes with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Delete {
    /// Its entity.
    #[serde(rename = "delete")]
    pub entity: String,
    /// The attributes of its key.
    #[serde(with = "wire::item")]
    pub key: Item,
}

/// Two rows related: a new row that refers to both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attach {
    /// The entity of the relation.
    #[serde(rename = "attach")]
    pub entity: String,
    /// Its attributes.
    #[serde(with = "wire::item")]
    pub values: Item,
}

/// Two rows no longer related.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Detach {
    /// The entity of the relation.
    #[serde(rename = "detach")]
    pub entity: String,
    /// The attributes of its key.
    #[serde(with = "wire::item")]
    pub key: Item,
}

/// A move that the model declares: the row and what goes with it come to stand elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveRow {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// The attributes of the row's key.
    #[serde(with = "wire::item")]
    pub key: Item,
    /// The new values.
    #[serde(default, with = "wire::item", skip_serializing_if = "Item::is_empty")]
    pub set: Item,
}

/// The rows of an access pattern.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// The pattern.
    #[serde(rename = "query")]
    pub pattern: String,
    /// Its parameters.
    #[serde(default, with = "wire::item")]
    pub parameters: Item,
    /// The most rows of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Where the page begins: the cursor of the one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The direction, if not the pattern's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub descending: Option<bool>,
}

/// Whether a text is the one that a hashed attribute was made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckSecret {
    /// The entity.
    #[serde(rename = "check_secret")]
    pub entity: String,
    /// The attributes of the row's key.
    #[serde(with = "wire::item")]
    pub key: Item,
    /// The hashed attribute.
    pub attribute: String,
    /// The text.
    pub text: String,
}

/// Several writes, all or none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transact {
    /// The writes: creates, puts, updates, deletes, attaches and detaches.
    #[serde(rename = "transact")]
    pub operations: Vec<AnyOperation>,
}

/// An update as JSON: its change stands beside its key.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UpdateObject {
    update: String,
    #[serde(with = "wire::item")]
    key: Item,
    #[serde(default, with = "wire::item", skip_serializing_if = "Item::is_empty")]
    set: Item,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unset: Vec<String>,
    #[serde(default, with = "wire::item", skip_serializing_if = "Item::is_empty")]
    add: Item,
    #[serde(default, with = "wire::item", skip_serializing_if = "Item::is_empty")]
    append: Item,
}

impl From<UpdateObject> for Update {
    fn from(object: UpdateObject) -> Self {
        let UpdateObject {
            update,
            key,
            set,
            unset,
            add,
            append,
        } = object;
        Self {
            entity: update,
            key,
            change: Change {
                set,
                unset,
                add,
                append,
            },
        }
    }
}

impl From<Update> for UpdateObject {
    fn from(update: Update) -> Self {
        let Change {
            set,
            unset,
            add,
            append,
        } = update.change;
        Self {
            update: update.entity,
            key: update.key,
            set,
            unset,
            add,
            append,
        }
    }
}
