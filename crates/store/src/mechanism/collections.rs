//! Marks: a row that is being deleted or moved with what belongs to it is left alone by everybody else.

pub(crate) mod verify;

use crate::change::ItemChange;
use crate::draft::{Action, Blame, Demand};
use crate::error::Error;
use crate::mark;
use crate::scope::Scope;
use monotable_item::Item;
use monotable_model::model::EntityId;

/// Demands that whatever has begun on a row is what it was when the row was read. A long operation that begins in between decides
/// itself what becomes of the rows that belong to the row.
pub(crate) fn demand_mark(
    scope: &Scope,
    entity: EntityId,
    item: &Item,
    mut action: Action,
) -> Action {
    if let Some(mark) = &scope.profile(entity).deleting {
        for name in [mark.clone(), mark::move_name(mark)] {
            let known = item.get(&name).cloned();
            action = action.demand(Demand::is(name, known), Blame::Changed);
        }
    }
    action
}

/// Demands of rows that change that no long operation has begun on them.
pub(crate) fn complete(scope: &Scope, change: &mut ItemChange) {
    for row in &mut change.rows {
        let (Some(old), Some(_)) = (&row.old, &row.new) else {
            continue;
        };
        let entity = old.record.entity;
        if let Some(deleting) = &scope.profile(entity).deleting {
            let mention = scope.mention(entity, &old.address);
            let failure = Error::being_deleted(scope.name(entity), mention);
            row.demands
                .push((Demand::is(deleting, None), failure.into()));
        }
    }
}
