//! Rows that have a unique value, found without the guard of it.
//!
//! As long as a store is not adopted, a guard that is missing says nothing: another program may have written a row with the
//! value. The row is then looked for by a key that shows the value as the guard does, in the table or in an index that has
//! all rows.

use super::Finder;
use crate::address::Address;
use crate::guard::{self, GuardRow};
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record::Record;
use crate::scope::Scope;
use monotable_item::Item;
use monotable_model::model::{Claim, Entity, EntityId, Field, Format, Guard, Key, Template};
use monotable_model::plan::KeyText;

/// A row that has a value, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Holder {
    pub(crate) address: Address,
    pub(crate) record: Record,
    pub(crate) item: Item,
}

/// The rows of an entity whose claim is on the same values as these; none if no key leads to such rows.
pub(crate) async fn holders(
    reader: &Reader<'_>,
    entity: EntityId,
    claim: &Claim,
    known: &Item,
) -> Result<Option<Vec<Holder>>, Interrupt> {
    let owner = Record {
        entity,
        values: known.clone(),
    };
    let Some(wanted) = guard::guard(reader, &owner, claim)? else {
        return Ok(Some(Vec::new()));
    };
    let Some(way) = way_to_value(reader, entity, claim, known) else {
        return Ok(None);
    };
    let table = reader.entity(entity).table;
    let items = match way {
        Finder::Key(address) => reader.get_many_or_none(&[address]).await?,
        Finder::Range(rows) => {
            let items = reader.all(&[rows]).await?;
            items.into_iter().flatten().map(Some).collect()
        }
    };
    let mut found = Vec::new();
    for item in items.into_iter().flatten() {
        let Some(record) = reader.decode(table, &item) else {
            continue;
        };
        let address = reader.addressing().locate_item(table, &item);
        if let Some(address) = address
            && has_value(reader, &record, claim, &wanted)?
        {
            found.push(Holder {
                address,
                record,
                item,
            });
        }
    }
    Ok(Some(found))
}

/// Whether a row claims what a guard guards.
pub(crate) fn has_value(
    scope: &Scope,
    row: &Record,
    claim: &Claim,
    wanted: &GuardRow,
) -> Result<bool, Interrupt> {
    let mut guards = guard::stored_guards(scope, row).into_iter();
    Ok(guards.any(|own| own.claim == claim.name.value && own.address == wanted.address))
}

/// A key that leads from the claimed values alone to all rows that have them. What a row has beside them, others have
/// otherwise.
fn way_to_value(scope: &Scope, entity: EntityId, claim: &Claim, known: &Item) -> Option<Finder> {
    let declared = scope.entity(entity);
    let claimed = claim.guard.claimed(scope.model());
    let mut values = Item::new();
    for name in &claimed {
        values.insert(*name, known.get(name)?.clone());
    }
    let keys = scope.plans().entity(entity).keys.iter();
    let shows = keys.filter(|key| {
        let mut claimed = claimed.iter();
        is_complete(declared, key)
            && claimed.any(|name| key.uses(name))
            && shows_alike(scope, declared, key, claim)
    });
    let mut ways = shows.filter_map(|key| scope.addressing().find(key, &values));
    ways.next()
}

/// Whether a key is one that all rows of an entity have.
fn is_complete(entity: &Entity, key: &KeyText) -> bool {
    declared_key(entity, key).is_some_and(|key| key.when.is_none())
}

fn declared_key<'e>(entity: &'e Entity, key: &KeyText) -> Option<&'e Key> {
    let mut keys = entity.keys.iter();
    keys.find(|declared| declared.place == key.at.place)
}

/// Whether a key leads to all rows that a guard is about: it shows the claimed values as the guard does, or as they are
/// where the guard does so. A key that tells `Ann@` from `ann@` does not lead to all rows of a guard that ignores case.
fn shows_alike(scope: &Scope, entity: &Entity, key: &KeyText, claim: &Claim) -> bool {
    let Some(key) = declared_key(entity, key) else {
        return false;
    };
    let shown: Vec<_> = key.templates().flat_map(Template::fields).collect();
    let guard = guard_templates(scope, claim);
    let mut claimed = guard.into_iter().flat_map(Template::fields);
    claimed.all(|field| {
        let wanted = formats(field);
        let mut shown = shown.iter().filter(|shown| shown.name() == field.name());
        shown.all(|shown| wanted.is_empty() || formats(shown) == wanted)
    })
}

fn formats(field: &Field) -> Vec<&Format> {
    field.formats.iter().map(|format| &format.value).collect()
}

/// The templates of a guard's key.
fn guard_templates<'c>(scope: &Scope, claim: &'c Claim) -> Vec<&'c Template> {
    match &claim.guard {
        Guard::Row { key, .. } => key.templates().collect(),
        Guard::Entity { entity, set, .. } => {
            let of_key = scope.entity(*entity).key_attributes();
            let of_key = set
                .iter()
                .filter(|assignment| of_key.contains(&assignment.name.value.as_str()));
            of_key
                .filter_map(|assignment| assignment.value.template())
                .collect()
        }
        Guard::Snapshot => Vec::new(),
    }
}
