//! Whether a tombstone is there as a whole, or not at all.

use crate::scope::Scope;
use crate::verify::{FactSink, LocalRemedy, StatedRow, Topic, ViolationKind, state_local};
use monotable_item::AttributeValue;
use monotable_model::model::{Assigned, Assignment};

/// States a tombstone of which a part is missing.
pub(crate) fn state(row: &StatedRow<'_>, scope: &Scope, facts: &mut dyn FactSink) {
    let entity = scope.entity(row.record.entity);
    let is_set = |assignment: &&Assignment| {
        let value = row.record.values.get(&assignment.name.value);
        match &assignment.value {
            Assigned::Flag(flag) => value == Some(&AttributeValue::Bool(*flag)),
            Assigned::Number(number) => {
                matches!(value, Some(AttributeValue::N(value)) if value.to_string() == *number)
            }
            Assigned::Template(_) => value.is_some(),
        }
    };
    let (set, unset): (Vec<_>, Vec<_>) = entity.tombstone.iter().partition(is_set);
    if set.is_empty() || unset.is_empty() {
        return;
    }
    let names = |assignments: Vec<&Assignment>| {
        let names = assignments.iter();
        let names: Vec<_> = names
            .map(|assignment| format!("`{}`", assignment.name.value))
            .collect();
        names.join(", ")
    };
    let first = entity.tombstone.first();
    let is_deleted = first.is_some_and(|first| is_set(&first));
    let versioned = scope.model().repository_of(row.record.entity).is_some();
    let remedy = if is_deleted && !versioned {
        LocalRemedy::SetTombstone
    } else {
        LocalRemedy::None
    };
    let message = format!(
        "a part of its tombstone is there ({}), and a part is not ({})",
        names(set),
        names(unset)
    );
    let kind = ViolationKind::Tombstone;
    state_local(facts, Topic::Tombstones, row, kind, &message, remedy);
}
