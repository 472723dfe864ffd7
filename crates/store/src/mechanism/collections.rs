//! Marks: a row that is being deleted or moved with what belongs to it is left alone by everybody else.

pub(crate) mod verify;

use crate::change::ItemChange;
use crate::draft::Demand;
use crate::error::Error;
use crate::scope::Scope;

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
