//! Rows that were deleted and are kept: their tombstones.

use super::Record;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Assigned, Entity};

/// Whether a row of an entity has its tombstone: the first of its attributes tells.
pub(crate) fn is_buried(entity: &Entity, values: &Item) -> bool {
    let first = entity.tombstone.first();
    first.is_some_and(|assignment| {
        let value = values.get(&assignment.name.value);
        match &assignment.value {
            Assigned::Flag(flag) => value == Some(&AttributeValue::Bool(*flag)),
            Assigned::Number(_) | Assigned::Template(_) => value.is_some(),
        }
    })
}

/// Takes the rest of the tombstone away from a row that a change has brought back, except for what the change itself sets: a
/// row that is not deleted has no time of its deletion.
pub(super) fn clear(entity: &Entity, old: &Item, record: &mut Record, set: &Item) {
    if !is_buried(entity, old) || is_buried(entity, &record.values) {
        return;
    }
    for assignment in entity.tombstone.iter().skip(1) {
        let name = &assignment.name.value;
        if set.get(name).is_none() {
            record.values.remove(name);
        }
    }
}
