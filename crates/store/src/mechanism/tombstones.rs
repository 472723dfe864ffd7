//! Tombstones: a delete sets all of its attributes, and a row that comes back loses all of them.

use crate::change::ItemChange;
use crate::read::has_tombstone;
use crate::record;
use crate::scope::Scope;

/// Takes off what is left of a tombstone when a row comes back.
pub(crate) fn complete(scope: &Scope, change: &mut ItemChange) {
    for row in &mut change.rows {
        let (Some(old), Some(new)) = (&row.old, &mut row.new) else {
            continue;
        };
        let entity = scope.entity(new.entity);
        if entity.tombstone.is_empty()
            || !has_tombstone(scope, &old.record)
            || has_tombstone(scope, new)
        {
            continue;
        }
        for assignment in &entity.tombstone {
            let name = &assignment.name.value;
            let may_go = entity
                .attribute(name)
                .is_some_and(|attribute| attribute.presence.optional);
            let is_left = old.record.values.get(name) == new.values.get(name);
            if may_go && is_left {
                new.values.remove(name);
            }
        }
        record::compute(scope.model(), new, &scope.circumstances);
    }
}
