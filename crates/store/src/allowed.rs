//! What the gate for rights has let through.

use crate::record::Record;
use crate::record::StoredRow;
use std::ops::Deref;

/// Something that the caller may see. Rows are shown to callers only as this, and only the gate makes it: see
/// `rights/gate.rs`.
#[derive(Clone, Debug)]
pub(crate) struct Allowed<T>(T);

impl<T> Allowed<T> {
    /// Says that the caller may see this. Only `rights/gate.rs` calls it.
    pub(crate) const fn by_gate(value: T) -> Self {
        Self(value)
    }

    /// Something made of what was let through, and of nothing else.
    pub(crate) fn map<U>(self, make: impl FnOnce(T) -> U) -> Allowed<U> {
        Allowed(make(self.0))
    }

    /// What was let through, for the store's own use.
    pub(crate) fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Allowed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl Allowed<StoredRow> {
    /// The row without its item.
    pub(crate) fn into_record(self) -> Allowed<Record> {
        Allowed(self.0.record)
    }
}

impl AsRef<StoredRow> for Allowed<StoredRow> {
    fn as_ref(&self) -> &StoredRow {
        &self.0
    }
}
