//! Indexes that UpdateTable adds and removes. Their entries are written and removed in the background
//! (`housekeeping/backfilling.rs`).

use super::create_table::global_index;
use crate::catalog::{
    AddedIndex, CatalogRows, Ids, IndexDefinition, IndexId, IndexKind, Table, TableDefinition,
};
use crate::commit::Group;
use crate::store::{Space, StoreFault};
use crate::wording;
use monotable_api::{Error, IndexUpdate, KeyAttribute, KeyRole, ValidGlobalIndex, ValidKeySchema};
use monotable_item::limits::MAX_GLOBAL_INDEXES;

/// Whether the updates add or remove an index, and may do so. At most one of them may, and only while no other index is
/// being filled or removed.
pub(super) fn check(table: &Table, updates: &[IndexUpdate]) -> Result<(), Error> {
    let mut changes = updates
        .iter()
        .filter(|update| !matches!(update, IndexUpdate::Update { .. }));
    let Some(change) = changes.next() else {
        return Ok(());
    };
    if changes.next().is_some() {
        return Err(wording::one_index_at_a_time());
    }
    match change {
        IndexUpdate::Create(index) => check_new(table, index),
        IndexUpdate::Delete { name } => check_removal(table, name.as_str()),
        IndexUpdate::Update { .. } => Ok(()),
    }
}

fn check_new(table: &Table, new: &ValidGlobalIndex) -> Result<(), Error> {
    let mut indexes = table.indexes.iter();
    if let Some(known) = indexes.find(|index| index.name == new.name.as_str()) {
        return Err(if known.is_changing() {
            wording::index_is_created(table.name(), &known.name)
        } else {
            wording::index_exists()
        });
    }
    if table.changing_index().is_some() {
        return Err(wording::one_index_at_a_time());
    }
    let global = table.indexes.iter();
    let global = global.filter(|index| index.kind == IndexKind::Global);
    if global.count() >= MAX_GLOBAL_INDEXES {
        return Err(wording::too_many_indexes());
    }
    match (&table.definition.billing.provisioned, new.throughput) {
        (Some(_), None) => return Err(wording::index_needs_units(new.name.as_str())),
        (None, Some(_)) => return Err(wording::index_refuses_units(new.name.as_str())),
        (Some(_), Some(_)) | (None, None) => {}
    }
    check_types(table, new)
}

/// An attribute has one type in all keys of a table.
fn check_types(table: &Table, new: &ValidGlobalIndex) -> Result<(), Error> {
    let indexes = table.indexes.iter().map(|index| &index.key);
    let known = std::iter::once(&table.key).chain(indexes);
    let filters = table.indexes.iter().flat_map(|index| &index.filters);
    let filters = filters.map(|attribute| KeyElement {
        attribute,
        role: KeyRole::Hash,
    });
    let known: Vec<KeyElement<'_>> = known.flat_map(elements).chain(filters).collect();
    for new in elements(&new.key) {
        let is_other = |known: &&KeyElement<'_>| {
            known.attribute.name == new.attribute.name && known.attribute.kind != new.attribute.kind
        };
        if let Some(other) = known.iter().find(is_other) {
            return Err(wording::attribute_redefined(other, &new));
        }
    }
    Ok(())
}

/// An attribute in a key.
pub(crate) struct KeyElement<'a> {
    pub(crate) attribute: &'a KeyAttribute,
    pub(crate) role: KeyRole,
}

fn elements(key: &ValidKeySchema) -> impl Iterator<Item = KeyElement<'_>> {
    let of_role = |role| move |attribute| KeyElement { attribute, role };
    let hash = key.hash.iter().map(of_role(KeyRole::Hash));
    hash.chain(key.range.iter().map(of_role(KeyRole::Range)))
}

fn check_removal(table: &Table, name: &str) -> Result<(), Error> {
    let mut indexes = table.indexes.iter();
    let is_it = |index: &&crate::catalog::Index| index.name == name && index.vector.is_none();
    let Some(index) = indexes.find(is_it) else {
        return Err(wording::index_not_found(name));
    };
    if index.kind == IndexKind::Local {
        return Err(wording::local_index_stays(name));
    }
    // One that is being filled may be removed.
    let is_other = |changing: &crate::catalog::Index| {
        changing.id != index.id || changing.added == Some(AddedIndex::Deleting)
    };
    if table.changing_index().is_some_and(is_other) {
        Err(wording::one_index_at_a_time())
    } else {
        Ok(())
    }
}

/// Adds and removes the indexes, after [`check`].
pub(super) fn change(
    group: &mut Group<'_>,
    definition: &mut TableDefinition,
    updates: Vec<IndexUpdate>,
) -> Result<(), StoreFault> {
    for update in updates {
        match update {
            IndexUpdate::Create(index) => {
                let mut ids = Ids::load(group)?;
                definition.indexes.push(IndexDefinition {
                    added: Some(AddedIndex::Creating),
                    ..global_index(index, IndexId(ids.take()))
                });
                ids.store(group);
            }
            IndexUpdate::Delete { name } => {
                let mut indexes = definition.indexes.iter_mut();
                if let Some(index) = indexes.find(|index| index.name == name.as_str()) {
                    index.added = Some(AddedIndex::Deleting);
                    group.write(Space::Meta, CatalogRows::backfill(index.id), None);
                }
            }
            IndexUpdate::Update { .. } => {}
        }
    }
    Ok(())
}
