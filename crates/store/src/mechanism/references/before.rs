//! References that were asked before: the row that they name was there, and is demanded by nobody again.

use crate::record::{Record, reference_values};
use crate::scope::Scope;
use monotable_item::AttributeValue;
use monotable_model::model::{Attribute, Reference};

/// The rows whose references were asked before.
pub(super) struct Before<'a> {
    pub(super) known: &'a [&'a Record],
    /// Whether a reference that leads elsewhere now is asked again, although its value is what it was.
    pub(super) asks_place: bool,
}

impl Before<'_> {
    /// Whether one of the rows referred to the same row by the same terms.
    pub(super) fn refers(
        &self,
        scope: &Scope,
        row: &Record,
        (attribute, reference): (&Attribute, &Reference),
        id: &AttributeValue,
    ) -> bool {
        let same = reference.same.as_ref().map(|same| same.value.as_str());
        let place = |row: &Record| scope.target_address(row, reference.target, id);
        let mut known = self.known.iter();
        known.any(|old| {
            same.is_none_or(|same| old.values.get(same) == row.values.get(same))
                && reference_values(attribute, old).contains(id)
                && (!self.asks_place || place(old) == place(row))
        })
    }
}
