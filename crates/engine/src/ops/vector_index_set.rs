//! Vector indexes that UpdateTable adds and removes. Their entries are written and removed in the background, as those of global
//! indexes are (`housekeeping/backfilling.rs`).

use crate::catalog::{
    AddedIndex, CatalogRows, Ids, IndexDefinition, IndexId, IndexKind, Table, TableDefinition,
    VectorDefinition,
};
use crate::commit::Group;
use crate::store::{Space, StoreFault};
use crate::wording;
use monotable_api::{Error, ValidKeySchema, ValidVectorIndex, VectorIndexChange};

/// Whether a change may be made. Only one index of a table is filled or removed at a time.
pub(super) fn check(table: &Table, changes: &[VectorIndexChange]) -> Result<(), Error> {
    if changes.len() > 1 {
        return Err(wording::one_index_at_a_time());
    }
    match changes.first() {
        None => Ok(()),
        Some(VectorIndexChange::Create(index)) => check_new(table, index),
        Some(VectorIndexChange::Delete { name }) => check_removal(table, name.as_str()),
    }
}

fn check_new(table: &Table, new: &ValidVectorIndex) -> Result<(), Error> {
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
    if table.definition.billing.provisioned.is_some() {
        return Err(wording::vector_index_of_provisioned_table());
    }
    let indexes = table.indexes.iter();
    let known = indexes.flat_map(|index| index.named_attributes());
    let known = table.key.attributes().chain(known);
    for known in known {
        let mut named = new.search_attributes();
        if named.any(|key| key.name == known.name && key.kind != known.kind) {
            return Err(wording::search_attribute_redefined(&known.name));
        }
        if known.name == new.attribute {
            return Err(wording::vector_attribute_is_key(&known.name));
        }
    }
    let mut vectors = table
        .indexes
        .iter()
        .filter_map(|index| index.vector.as_ref());
    let other = vectors
        .find(|known| known.attribute == new.attribute && known.dimensions != new.dimensions);
    match other {
        Some(other) => Err(wording::vector_dimensions_differ(
            &new.attribute,
            other.dimensions,
            new.dimensions,
        )),
        None => Ok(()),
    }
}

fn check_removal(table: &Table, name: &str) -> Result<(), Error> {
    let mut indexes = table.indexes.iter();
    let index = indexes.find(|index| index.name == name && index.vector.is_some());
    let index = index.ok_or_else(|| wording::index_not_found(name))?;
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
    changes: Vec<VectorIndexChange>,
) -> Result<(), StoreFault> {
    for change in changes {
        match change {
            VectorIndexChange::Create(index) => {
                let mut ids = Ids::load(group)?;
                definition.indexes.push(IndexDefinition {
                    added: Some(AddedIndex::Creating),
                    ..define(&index, IndexId(ids.take()))
                });
                ids.store(group);
            }
            VectorIndexChange::Delete { name } => {
                let mut indexes = definition.indexes.iter_mut();
                if let Some(index) = indexes.find(|index| index.name == name.as_str()) {
                    index.added = Some(AddedIndex::Deleting);
                    group.write(Space::Meta, CatalogRows::backfill(index.id), None);
                }
            }
        }
    }
    Ok(())
}

/// An index as it is kept.
pub(super) fn define(index: &ValidVectorIndex, id: IndexId) -> IndexDefinition {
    let key = ValidKeySchema {
        hash: index.hash.iter().cloned().collect(),
        range: Vec::new(),
    };
    IndexDefinition {
        id,
        name: index.name.as_str().to_owned(),
        kind: IndexKind::Vector,
        key: (&key).into(),
        projection: (&index.projection).into(),
        throughput: None,
        on_demand: None,
        added: None,
        vector: Some(VectorDefinition::new(index)),
    }
}
