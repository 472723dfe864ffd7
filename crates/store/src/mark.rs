//! The mark on a row of which a long operation is under way, in as many transactions as it takes.
//!
//! A mark is the time at which the operation has begun, in the attribute that the model declares as `deleting`. A move
//! leaves two attributes more: its name, and the values that it gives. So the same call, and `verify --finish`, know what
//! to go on with; everybody else leaves the row alone.

use monotable_item::{AttributeValue, Item};

/// What has begun on a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Begun {
    Delete,
    Move {
        /// The move's name in the model.
        name: String,
        /// The values that it gives; none if the row becomes one of another entity.
        set: Item,
    },
}

/// The attribute that says by which move a marked row is moved.
pub(crate) fn move_name(mark: &str) -> String {
    format!("{mark}#move")
}

/// The attribute that says which values the move gives.
pub(crate) fn values_name(mark: &str) -> String {
    format!("{mark}#set")
}

/// Every attribute of a mark.
pub(crate) fn names(mark: &str) -> [String; 3] {
    [mark.to_owned(), move_name(mark), values_name(mark)]
}

/// What an item says has begun on it.
pub(crate) fn read(item: &Item, mark: &str) -> Option<Begun> {
    item.get(mark)?;
    let Some(AttributeValue::S(name)) = item.get(&move_name(mark)) else {
        return Some(Begun::Delete);
    };
    let set = match item.get(&values_name(mark)) {
        Some(AttributeValue::M(values)) => values.clone(),
        _ => Item::new(),
    };
    Some(Begun::Move {
        name: name.clone(),
        set,
    })
}
