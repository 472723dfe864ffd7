//! The change of one row that was read, with its conditions.

use super::super::audit::{self, AuditedAction};
use super::super::{archive, claims, counted, derived};
use crate::address::Address;
use crate::draft::{Action, Blame, Demand, Draft, Edit, Write};
use crate::error::{Clash, Error};
use crate::guard;
use crate::interrupt::Interrupt;
use crate::profile::stored_name;
use crate::reader::Reader;
use crate::record::{self, Change, Circumstances, Record};
use crate::scope::Scope;
use monotable_item::Item;
use monotable_model::model::{Entity, EntityId, Guard, Role};
use std::collections::BTreeSet;

/// The same for a change that refers to nothing new.
pub(in crate::write) fn edit(
    reader: &Reader<'_>,
    draft: &mut Draft,
    address: &Address,
    (old, item): (Record, Item),
    change: &Change,
    watched: BTreeSet<String>,
) -> Result<(), Interrupt> {
    let circumstances = &reader.circumstances;
    edit_row(
        reader,
        draft,
        address,
        (&old, &item),
        change,
        (watched, circumstances),
    )
    .map(drop)
}

pub(super) fn edit_row(
    reader: &Reader<'_>,
    draft: &mut Draft,
    address: &Address,
    (old, item): (&Record, &Item),
    change: &Change,
    (watched, circumstances): (BTreeSet<String>, &Circumstances),
) -> Result<Record, Interrupt> {
    let entity = reader.entity(old.entity);
    if let Some(contradiction) = record::find_contradiction(reader.compiled(), old, item) {
        let name = &entity.name.value;
        let key = reader.key_text(old.entity, address);
        return Err(Error::integrity(format!(
            "{name} {key} contradicts itself: {contradiction}. Something else wrote it. Delete the row, or correct the \
             attribute where it was written, and change the row then"
        ))
        .into());
    }
    let changed = record::change(reader.compiled(), old, change, circumstances)
        .map_err(|errors| reader.refused(old.entity, errors))?;
    let row = changed.record;
    let after = reader.encode(&row)?;
    let gone = Error::not_found(&entity.name.value, reader.mention(old.entity, address));
    let mut action = Action::check().demand(Demand::Present, gone);
    if let Some(deleting) = &reader.profile(old.entity).deleting {
        let mention = reader.mention(old.entity, address);
        let failure = Error::being_deleted(&entity.name.value, mention);
        action = action.demand(Demand::is(deleting, None), failure);
    }
    let read = change
        .add
        .iter()
        .chain(change.append.iter())
        .map(|(name, _)| name);
    let mut watched = watched;
    watched.extend(archive::watched(reader, old, Some(&row)));
    watched.extend(audit::watched(
        reader,
        AuditedAction::Update,
        old,
        Some(&row),
    ));
    let names: BTreeSet<_> = reader
        .profile(old.entity)
        .dependencies
        .iter()
        .chain(&watched)
        .chain(read)
        .collect();
    action = unchanged(reader, old, item, names, action);
    let new_address = reader.row_address(&row)?;
    if new_address == *address {
        let (set, remove) = record::find_rewrites(reader.compiled(), &row, item, &after);
        if !set.is_empty() || !remove.is_empty() {
            action.write = Write::Update(Edit {
                set,
                remove,
                ..Edit::default()
            });
        }
        draft.add_first(address.clone(), action)?;
    } else {
        action.write = Write::Delete;
        draft.add_first(address.clone(), action)?;
        let clash = Clash::key(reader.mention(old.entity, &new_address));
        let put = Action::new(Write::Put(after))
            .demand(Demand::Absent, Error::conflict(&entity.name.value, clash));
        draft.add(new_address, put)?;
    }
    archive::changed(reader, draft, address, (old, item), &row)?;
    let (before, after) = (guard::guards(reader, old)?, guard::guards(reader, &row)?);
    claims::swap(reader, draft, row.entity, before, after)?;
    counted::recount(reader, draft, Some(old), Some(&row), &BTreeSet::new())?;
    if entity_is_derived_from(reader, row.entity) {
        derived::follow(reader, draft, Some(old), Some(&row))?;
    }
    Ok(row)
}

fn entity_is_derived_from(scope: &Scope, entity: EntityId) -> bool {
    scope
        .model()
        .derives
        .iter()
        .any(|derive| derive.of == entity)
}

/// Demands that these attributes are what was read, whatever they are called in the item.
pub(in crate::write) fn unchanged<'n>(
    scope: &Scope,
    row: &Record,
    item: &Item,
    names: impl IntoIterator<Item = &'n String>,
    mut action: Action,
) -> Action {
    let entity = scope.entity(row.entity);
    let key = entity.key_attributes();
    for name in names {
        // What is in the key, or never changes, is as it was read. But another row may have come to stand under the same key
        // since: its unique values are others.
        let fixed = entity.attribute(name).is_some_and(|attribute| {
            attribute.key_only
                || attribute.immutable && !is_claimed(entity, name)
                || attribute.role == Some(Role::Created)
                || key.contains(&name.as_str())
        });
        if fixed {
            continue;
        }
        let stored = stored_name(entity, name);
        let value = item.get(&stored).cloned();
        action = action.demand(Demand::is(stored, value), Blame::Changed);
    }
    action
}

/// Whether a guard row holds the value of an attribute.
fn is_claimed(entity: &Entity, name: &str) -> bool {
    entity.claims.iter().any(|claim| match &claim.guard {
        Guard::Row { attributes, .. } => attributes.iter().any(|claimed| claimed == name),
        Guard::Entity { .. } | Guard::Snapshot => false,
    })
}
