//! What holds of a new table's indexes.

use crate::billing::{Billing, Removal};
use crate::key_schema::{Definitions, ValidKeySchema};
use crate::secondary_index::{
    GlobalSecondaryIndex, LocalSecondaryIndex, ValidGlobalIndex, ValidLocalIndex,
};
use crate::vector_index::{ValidVectorIndex, VectorIndex, check_dimensions};
use crate::{Error, IndexName, wording};
use monotable_item::limits;
use std::collections::BTreeSet;

pub(super) fn local_indexes(
    names: Vec<IndexName>,
    indexes: Vec<LocalSecondaryIndex>,
    table: &ValidKeySchema,
    definitions: &Definitions,
    seen: &mut BTreeSet<IndexName>,
) -> Result<Vec<ValidLocalIndex>, Error> {
    if indexes.is_empty() {
        return Err(Error::validation(wording::EMPTY_LOCAL_INDEXES));
    }
    if table.range.is_empty() {
        return Err(Error::validation(wording::LOCAL_INDEX_NEEDS_RANGE));
    }
    let count = indexes.len();
    let mut checked = Vec::with_capacity(count);
    for (name, index) in names.into_iter().zip(indexes) {
        checked.push(index.checked(name.clone(), table, definitions)?);
        refuse_duplicate(name, seen)?;
    }
    if count > limits::MAX_LOCAL_INDEXES {
        return Err(Error::validation(wording::TOO_MANY_LOCAL_INDEXES));
    }
    Ok(checked)
}

pub(super) fn global_indexes(
    names: Vec<IndexName>,
    indexes: Vec<GlobalSecondaryIndex>,
    billing: &Billing,
    definitions: &Definitions,
    seen: &mut BTreeSet<IndexName>,
) -> Result<Vec<ValidGlobalIndex>, Error> {
    if indexes.is_empty() {
        return Err(Error::validation(wording::EMPTY_GLOBAL_INDEXES));
    }
    let count = indexes.len();
    let mut checked = Vec::with_capacity(count);
    for (name, index) in names.into_iter().zip(indexes) {
        let index = index.checked(name.clone(), definitions)?;
        check_throughput(&index, billing)?;
        checked.push(index);
        refuse_duplicate(name, seen)?;
    }
    if count > limits::MAX_GLOBAL_INDEXES {
        return Err(Error::validation(wording::TOO_MANY_GLOBAL_INDEXES));
    }
    Ok(checked)
}

/// An index is paid for in the way its table is.
fn check_throughput(index: &ValidGlobalIndex, billing: &Billing) -> Result<(), Error> {
    let of = || format!("for index : {}", index.name);
    match (billing, index.throughput, &index.on_demand) {
        (Billing::OnDemand(_), Some(_), _) => Err(Error::validation(
            wording::index_units_when_on_demand(&index.name),
        )),
        (Billing::Provisioned(_), None, _) => {
            Err(Error::validation(wording::index_without_units(&index.name)))
        }
        (Billing::OnDemand(_), None, Some(on_demand)) => on_demand.check(&of(), Removal::Refused),
        (Billing::Provisioned(_), Some(_), Some(on_demand)) => {
            on_demand.refuse_when_provisioned(&of())
        }
        (Billing::OnDemand(_), None, None) | (Billing::Provisioned(_), Some(_), None) => Ok(()),
    }
}

pub(super) fn vector_indexes(
    names: Vec<IndexName>,
    indexes: Vec<VectorIndex>,
    billing: &Billing,
    definitions: &Definitions,
    seen: &mut BTreeSet<IndexName>,
) -> Result<Vec<ValidVectorIndex>, Error> {
    if indexes.is_empty() {
        return Err(Error::validation(wording::EMPTY_VECTOR_INDEXES));
    }
    if matches!(billing, Billing::Provisioned(_)) {
        return Err(Error::validation(
            wording::VECTOR_INDEX_OF_PROVISIONED_TABLE,
        ));
    }
    let mut checked = Vec::with_capacity(indexes.len());
    for (name, index) in names.into_iter().zip(indexes) {
        checked.push(index.checked(name.clone(), definitions)?);
        refuse_duplicate(name, seen)?;
    }
    check_dimensions(&checked)?;
    Ok(checked)
}

fn refuse_duplicate(name: IndexName, seen: &mut BTreeSet<IndexName>) -> Result<(), Error> {
    if seen.contains(&name) {
        return Err(Error::validation(wording::duplicate_index(&name)));
    }
    seen.insert(name);
    Ok(())
}

/// All indexes of a new table.
pub(super) struct NewIndexes<'a> {
    pub(super) local: &'a [ValidLocalIndex],
    pub(super) global: &'a [ValidGlobalIndex],
    pub(super) vector: &'a [ValidVectorIndex],
}

impl NewIndexes<'_> {
    /// Only key attributes and those of search schemas may be defined.
    pub(super) fn check_all_used(
        &self,
        definitions: &Definitions,
        key: &ValidKeySchema,
    ) -> Result<(), Error> {
        let keys = std::iter::once(key)
            .chain(self.local.iter().map(|index| &index.key))
            .chain(self.global.iter().map(|index| &index.key));
        let searched = self.vector.iter();
        let searched = searched.flat_map(ValidVectorIndex::search_attributes);
        let mut used: Vec<&str> = Vec::new();
        for attribute in keys.flat_map(ValidKeySchema::attributes).chain(searched) {
            if !used.contains(&attribute.name.as_str()) {
                used.push(&attribute.name);
            }
        }
        if used.len() < definitions.len() {
            return Err(Error::validation(wording::unused_definitions(
                &definitions.names(),
                &used,
            )));
        }
        Ok(())
    }

    /// The limit is about local and global indexes together.
    pub(super) fn check_projected(&self) -> Result<(), Error> {
        let local = self.local.iter().map(|index| &index.projection);
        let projections = local.chain(self.global.iter().map(|index| &index.projection));
        let named: usize = projections.map(|projection| projection.named()).sum();
        if named > limits::MAX_PROJECTED_ATTRIBUTES {
            return Err(Error::validation(wording::TOO_MANY_PROJECTED));
        }
        Ok(())
    }
}
