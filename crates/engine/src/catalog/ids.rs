//! Draws ids of tables, indexes and streams, which are never reused.

use super::CatalogRows;
use crate::commit::{Group, ReadRows};
use crate::store::{Space, StoreFault};
use bytes::Bytes;

/// The ids that a group has not drawn yet.
pub(crate) struct Ids {
    next: u32,
}

impl Ids {
    pub(crate) fn load(group: &Group<'_>) -> Result<Self, StoreFault> {
        let row = group.read(Space::Meta, CatalogRows::NEXT_ID)?;
        let next = CatalogRows::next_id(row.as_deref())?;
        Ok(Self { next })
    }

    pub(crate) const fn take(&mut self) -> u32 {
        let id = self.next;
        self.next += 1;
        id
    }

    /// Notes what was drawn.
    pub(crate) fn store(self, group: &mut Group<'_>) {
        let value = Bytes::copy_from_slice(&self.next.to_be_bytes());
        let key = Bytes::from_static(CatalogRows::NEXT_ID);
        group.write(Space::Meta, key, Some(value));
    }
}
