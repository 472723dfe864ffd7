//! A row as the model speaks of it, and as it is stored.

mod change;
mod complete;
mod decode;
mod encode;
mod presence;
mod surroundings;

pub use change::{Change, Changed, change};
pub use complete::create;
pub use decode::{Decoded, decode};
pub use encode::encode;
pub use surroundings::Surroundings;

use monotable_item::Item;
use monotable_model::model::EntityId;

/// A row: which entity, and its attributes by the names that the model has for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// What it is.
    pub entity: EntityId,
    /// Its attributes; those in keys only, too.
    pub values: Item,
}
