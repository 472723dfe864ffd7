//! What the predicates of a model say of a row that is being made up.

use monotable_item::{EncodedItem, Item};
use monotable_model::model::{Attribute, Predicate};

/// Whether a row has an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Demand {
    Must,
    May,
    Never,
}

/// Whether other attributes of the row decide about this one.
pub(super) const fn is_conditional(attribute: &Attribute) -> bool {
    attribute.presence.required_if.is_some() || attribute.presence.only_if.is_some()
}

/// What the other attributes of a row say about a conditional one. Where that cannot be told it is given if anything requires it,
/// and left out if it is allowed only under a condition.
pub(super) fn demand(attribute: &Attribute, row: &Item) -> Demand {
    let is_true = |predicate: &Predicate| holds(predicate, row);
    let allowed = attribute.presence.only_if.as_ref().map(is_true);
    let required = attribute.presence.required_if.as_ref().map(is_true);
    match (allowed, required) {
        (Some(Some(false) | None), _) => Demand::Never,
        (_, Some(Some(true) | None)) => Demand::Must,
        (_, None) if !attribute.presence.optional => Demand::Must,
        _ => Demand::May,
    }
}

/// Whether a predicate holds of a row; none if it speaks of anything but the row's own attributes.
pub(super) fn holds(predicate: &Predicate, row: &Item) -> Option<bool> {
    let predicate = predicate.parsed();
    let mut paths = predicate.paths().into_iter();
    if !paths.all(|path| path.root().is_none() && path.steps().len() == 1) {
        return None;
    }
    let row = EncodedItem::from(row);
    Some(predicate.matches(|path| path.resolve(row.view())))
}
