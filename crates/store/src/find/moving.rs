//! Rows that a move has begun to take along: until it has ended they stand under old or new keys, and the row that they
//! belong to under its old one.

use super::by_ids;
use crate::error::{Clash, Error};
use crate::interrupt::Interrupt;
use crate::mark::{self, Begun};
use crate::profile::references;
use crate::reader::Reader;
use crate::record::Record;
use crate::scope::Scope;
use monotable_item::Item;
use monotable_model::model::{EntityId, Move, MoveKind};
use monotable_model::span::Name;

/// The moves that give rows of an entity new values because they give them to another row.
pub(crate) fn moves_that_carry(
    scope: &Scope,
    entity: EntityId,
) -> impl Iterator<Item = (&Move, &[Name])> {
    scope.model().moves.iter().filter_map(move |declared| {
        let MoveKind::Changes { changes, carries } = &declared.kind else {
            return None;
        };
        let mut carried = carries
            .iter()
            .map(|pattern| scope.model().pattern(*pattern));
        let is_carried = carried.any(|pattern| pattern.returns.contains(&entity));
        (entity != declared.of && is_carried).then_some((declared, changes.as_slice()))
    })
}

/// The move that has begun on an item, if it gives it new values.
pub(crate) fn move_of_item(scope: &Scope, entity: EntityId, item: &Item) -> Option<String> {
    let mark = scope.profile(entity).deleting.as_deref()?;
    match mark::read(item, mark)? {
        Begun::Move { name, set } if !set.is_empty() => Some(name),
        Begun::Move { .. } | Begun::Delete => None,
    }
}

/// Refuses a row whose own row is not where its keys say, if that is because a move has not ended.
pub(crate) async fn refuse_carried(reader: &Reader<'_>, row: &Record) -> Result<(), Interrupt> {
    for (declared, _) in moves_that_carry(reader, row.entity) {
        let mut own = references(reader.entity(row.entity));
        let own = own.find(|(_, reference)| reference.target == declared.of);
        let Some(id) = own.and_then(|(attribute, _)| row.values.get(&attribute.name.value)) else {
            continue;
        };
        for found in by_ids(reader, declared.of, &row.values, std::slice::from_ref(id))
            .await?
            .iter()
            .flatten()
        {
            let address = reader.row_address(found)?;
            let Some(item) = reader.get(&address, true).await? else {
                continue;
            };
            if move_of_item(reader, declared.of, &item.to_item()).as_ref()
                == Some(&declared.name.value)
            {
                return Err(being_moved(reader, row.entity, &declared.name.value).into());
            }
        }
    }
    Ok(())
}

/// The refusal; a caller may not know of the row that moves.
pub(crate) fn being_moved(scope: &Scope, entity: EntityId, name: &str) -> Error {
    let name = if scope.asks_rights() { "" } else { name };
    let name = name.to_owned();
    Error::conflict(scope.name(entity), Clash::Moving { name })
}
