//! Rows that archives keep.

use crate::address::Address;
use monotable_item::Item;

/// A row that an archive keeps.
#[derive(Clone, Debug)]
pub(crate) struct Archived {
    /// Where the row stood that it was.
    pub(crate) of: Address,
    /// The archive.
    pub(crate) archive: String,
    /// As it is stored, with its keys.
    pub(crate) item: Item,
}
