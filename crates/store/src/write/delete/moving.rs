//! Rows of a move that has begun and has not ended are not deleted: what it would go on with is less than all of it.

use super::gather::Removal;
use crate::address::Address;
use crate::find::{being_moved, by_ids, move_of_item, moves_that_carry, refuse_carried};
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record::Record;
use crate::scope::Scope;
use monotable_model::model::{EntityId, Move, MoveKind, OnDelete};
use std::collections::{BTreeMap, BTreeSet};

/// Refuses to delete rows that a move takes along, or the row that moves.
pub(super) async fn refuse_moving(
    reader: &Reader<'_>,
    gathered: &[Removal],
    seen: &BTreeSet<Address>,
) -> Result<(), Interrupt> {
    // Usually the row that others belong to goes with them. Where it does not, it is looked for.
    let mut open: BTreeMap<Address, &Removal> = BTreeMap::new();
    for removal in gathered {
        let record = &removal.record;
        if let Some(name) = move_of_item(reader, record.entity, &removal.item) {
            return Err(being_moved(reader, record.entity, &name).into());
        }
        let Some((attribute, _)) = removal.cascade_path.last() else {
            continue;
        };
        for (declared, changes) in moves_that_carry(reader, record.entity) {
            let address = reader.addressing().locate_row(declared.of, &record.values);
            if let Ok(address) = address
                && changes.iter().any(|changed| changed.value == *attribute)
                && !seen.contains(&address)
            {
                open.insert(address, removal);
            }
        }
    }
    let addresses: Vec<Address> = open.keys().cloned().collect();
    let items = reader.get_many_or_none(&addresses).await?;
    for (removal, item) in open.values().zip(items) {
        if item.is_none() {
            refuse_carried(reader, &removal.record).await?;
        }
    }
    Ok(())
}

/// Whether a row that is not where it is looked for has moved, or is about to come: then nothing of it was left behind.
pub(super) async fn stands_elsewhere(reader: &Reader<'_>, row: &Record) -> Result<bool, Interrupt> {
    refuse_carried(reader, row).await?;
    if !changes_keys(reader, row.entity) {
        return Ok(false);
    }
    let id = reader.entity(row.entity).id.as_ref();
    let Some(id) = id.and_then(|id| row.values.get(id)) else {
        return Ok(false);
    };
    let ids = std::slice::from_ref(id);
    let found = by_ids(reader, row.entity, &row.values, ids).await?;
    Ok(found.iter().any(|rows| !rows.is_empty()))
}

/// Whether moves may take rows away from a row of an entity, with what belongs to them. None begins once the row is marked.
pub(super) fn may_lose_rows(scope: &Scope, entity: EntityId) -> bool {
    let mut moves = scope.model().moves.iter();
    moves.any(|declared| {
        let MoveKind::Changes { changes, .. } = &declared.kind else {
            return false;
        };
        let moved = scope.entity(declared.of);
        let mut changed = changes
            .iter()
            .filter_map(|name| moved.attribute(&name.value)?.reference.as_ref());
        changed.any(|it| it.target == entity && it.on_delete == OnDelete::Cascade)
    })
}

/// Whether a move gives rows of an entity other keys.
fn changes_keys(scope: &Scope, entity: EntityId) -> bool {
    let mut moves = scope.model().moves.iter();
    let is_own = |declared: &Move| {
        declared.of == entity && matches!(declared.kind, MoveKind::Changes { .. })
    };
    moves.any(is_own) || moves_that_carry(scope, entity).next().is_some()
}
