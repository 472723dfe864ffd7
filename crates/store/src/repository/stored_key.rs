//! The attributes that stored keys say.
//!
//! What decides about deletions is read from keys and not from a row's other attributes: whoever may write a row in their
//! own partition can give it any attributes, but not the key of somebody else.

use crate::address::Address;
use crate::scope::Scope;
use crate::value;
use monotable_item::Item;
use monotable_model::compiled::{CompiledKey, KeyTemplate};
use monotable_model::model::{EntityId, KeyPlace, TableId};
use std::collections::BTreeMap;

/// The attributes that the primary key of a row of an entity says, in the layout that is written or in another.
pub(super) fn parse_primary_key(
    scope: &Scope,
    entity: EntityId,
    address: &Address,
) -> Option<Item> {
    let mut keys = primary_keys(scope, entity, address.table());
    keys.find_map(|key| {
        let hash = key
            .hash
            .parse(own_hash(scope, key, address.partition_key())?)?;
        let range = match (&key.range, &address.sort_key()) {
            (Some(template), Some(text)) => template.parse(text)?,
            (None, None) => BTreeMap::new(),
            (Some(_), None) | (None, Some(_)) => return None,
        };
        read_values(scope, entity, hash.into_iter().chain(range))
    })
}

/// The attributes that a partition key of an entity says, as it is written today.
pub(super) fn parse_partition(scope: &Scope, entity: EntityId, hash: &str) -> Option<Item> {
    let table = scope.entity(entity).table;
    let key = primary_keys(scope, entity, table).next()?;
    let texts = key.hash.parse(own_hash(scope, key, hash)?)?;
    read_values(scope, entity, texts)
}

/// The sort keys that rows of an entity have in a table, in any layout.
pub(super) fn sort_keys(
    scope: &Scope,
    entity: EntityId,
    table: TableId,
) -> impl Iterator<Item = &KeyTemplate> {
    primary_keys(scope, entity, table).filter_map(|key| key.range.as_ref())
}

/// The primary keys of an entity in a table: the one that is written first, then those of other layouts.
fn primary_keys(
    scope: &Scope,
    entity: EntityId,
    table: TableId,
) -> impl Iterator<Item = &CompiledKey> {
    let written_table = scope.entity(entity).table;
    let compiled = scope.compiled().entity(entity).into_iter();
    let keys = compiled.flat_map(move |compiled| {
        let written = std::iter::once((written_table, compiled.keys.as_slice()));
        let layouts = compiled.layouts.iter();
        written.chain(layouts.map(|(_, table, keys)| (*table, keys.as_slice())))
    });
    keys.filter(move |(own, _)| *own == table)
        .filter_map(|(_, keys)| keys.iter().find(|key| key.place == KeyPlace::Primary))
}

/// A partition key without the tenant's prefix; none if it is another tenant's.
fn own_hash<'h>(scope: &Scope, key: &CompiledKey, hash: &'h str) -> Option<&'h str> {
    scope.addressing().strip_prefix(hash, key.global)
}

fn read_values(
    scope: &Scope,
    entity: EntityId,
    texts: impl IntoIterator<Item = (String, String)>,
) -> Option<Item> {
    let declared = scope.entity(entity);
    let mut values = Item::new();
    for (name, text) in texts {
        let attribute = declared.attribute(&name)?;
        values.insert(name, value::read(&attribute.kind, text)?);
    }
    Some(values)
}
