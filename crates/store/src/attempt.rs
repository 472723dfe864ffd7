//! What earlier attempts at an operation have learned.

use crate::address::Address;
use std::collections::BTreeSet;

/// What the attempts before this one have learned of items that they did not expect. It does not change while an attempt
/// runs, so everything that takes part in the attempt can share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attempt {
    /// Items that are left alone: guards that older data gave to other rows, and counters of rows that are gone.
    avoided: BTreeSet<Address>,
    /// Where rows stand that others make way for, because one second has room for several of them.
    occupied: BTreeSet<Address>,
}

impl Attempt {
    /// Leaves an item alone from now on.
    pub(crate) fn avoid(&mut self, address: Address) {
        self.avoided.insert(address);
    }

    /// Whether an item is left alone.
    pub(crate) fn avoids(&self, address: &Address) -> bool {
        self.avoided.contains(address)
    }

    /// Remembers where rows stand that others make way for.
    pub(crate) fn occupy(&mut self, addresses: impl IntoIterator<Item = Address>) {
        self.occupied.extend(addresses);
    }

    pub(crate) const fn occupied(&self) -> &BTreeSet<Address> {
        &self.occupied
    }

    /// Forgets what was believed of other rows, because one of them has changed.
    pub(crate) fn forget_avoided(&mut self) {
        self.avoided.clear();
    }
}
