//! The definition of a table that is restored: that of its source, with what the request says otherwise.

use crate::catalog::{
    AddedIndex, BillingState, Ids, IndexDefinition, IndexId, IndexKind, TableDefinition, TableId,
    TableOrigin,
};
use crate::commit::Group;
use crate::store::StoreFault;
use crate::wording;
use monotable_api::{
    Billing, BillingMode, Error, ProjectedAttributes, RestoredIndex, Throughput, ValidKeySchema,
    ValidRestoreOverrides, VectorIndex,
};

/// A table that is to be filled.
pub(super) struct NewTable {
    pub(super) name: String,
    pub(super) uuid: String,
    /// Milliseconds since 1970.
    pub(super) now: u64,
    pub(super) origin: TableOrigin,
}

/// Checks what the request says, before anything is written.
pub(super) fn check(
    source: &TableDefinition,
    overrides: &ValidRestoreOverrides,
) -> Result<(), Error> {
    let billing = billing(source, overrides)?;
    for index in indexes(source, overrides)? {
        if matches!(billing, Billing::Provisioned(_)) && index.vector.is_some() {
            return Err(wording::vector_index_of_provisioned_table());
        }
        if matches!(billing, Billing::Provisioned(_))
            && index.kind == IndexKind::Global
            && index.throughput.is_none()
        {
            return Err(wording::index_needs_units(&index.name));
        }
    }
    Ok(())
}

/// The definition, after [`check`]. AWS restores neither streams, time to live, recovery, tags, class nor protection
/// against deletion.
pub(super) fn define(
    group: &mut Group<'_>,
    source: &TableDefinition,
    overrides: &ValidRestoreOverrides,
    new: NewTable,
) -> Result<Result<TableDefinition, Error>, StoreFault> {
    let (billing, mut indexes) = match (billing(source, overrides), indexes(source, overrides)) {
        (Ok(billing), Ok(indexes)) => (billing, indexes),
        (Err(error), _) | (_, Err(error)) => return Ok(Err(error)),
    };
    let mut ids = Ids::load(group)?;
    let id = TableId(ids.take());
    indexes.retain(|index| index.added != Some(AddedIndex::Deleting));
    for index in &mut indexes {
        index.id = IndexId(ids.take());
        // It gets all entries before the table is used; items that it cannot take may be among the rows.
        index.added = index.added.map(|_| AddedIndex::Active);
        if matches!(billing, Billing::OnDemand(_)) {
            index.throughput = None;
        }
    }
    ids.store(group);
    Ok(Ok(TableDefinition {
        id,
        name: new.name,
        uuid: new.uuid,
        created: new.now,
        key: source.key.clone(),
        indexes,
        billing: BillingState::new(billing, new.now),
        deletion_protection: false,
        class: None,
        encryption: overrides
            .encryption
            .clone()
            .or_else(|| source.encryption.clone()),
        tags: Vec::new(),
        warm_throughput: None,
        time_to_live: None,
        stream: None,
        policy: None,
        recovery: None,
        origin: Some(new.origin),
    }))
}

fn billing(source: &TableDefinition, overrides: &ValidRestoreOverrides) -> Result<Billing, Error> {
    let on_demand = || {
        let before = source.billing.on_demand.clone();
        Billing::OnDemand(overrides.on_demand.clone().or(before))
    };
    let units = source.billing.provisioned.map(|units| Throughput {
        read: units.read,
        write: units.write,
    });
    let billing = match (overrides.billing_mode, overrides.throughput, units) {
        (Some(BillingMode::PayPerRequest), Some(_), _) | (None, Some(_), None) => {
            return Err(wording::units_of_restored_on_demand_table());
        }
        (Some(BillingMode::PayPerRequest), None, _) | (None, None, None) => on_demand(),
        (_, Some(units), _) | (_, None, Some(units)) => Billing::Provisioned(units),
        (Some(BillingMode::Provisioned), None, None) => on_demand(),
    };
    match (&billing, &overrides.on_demand) {
        (Billing::Provisioned(_), Some(_)) => Err(wording::limits_of_restored_provisioned_table()),
        _ => Ok(billing),
    }
}

/// The indexes that the table keeps. One that was still being filled is filled with the table; what it cannot take is left out.
fn indexes(
    source: &TableDefinition,
    overrides: &ValidRestoreOverrides,
) -> Result<Vec<IndexDefinition>, Error> {
    let whole = source.indexes.iter();
    let whole = whole.filter(|index| index.added != Some(AddedIndex::Deleting));
    let whole: Vec<IndexDefinition> = whole
        .map(|index| IndexDefinition {
            added: index.added.map(|_| AddedIndex::Active),
            ..index.clone()
        })
        .collect();
    let local = chosen(&whole, IndexKind::Local, overrides.local_indexes.as_deref())?;
    let global = chosen(
        &whole,
        IndexKind::Global,
        overrides.global_indexes.as_deref(),
    )?;
    let vectors = vectors(&whole, overrides.vector_indexes.as_deref())?;
    Ok(local.into_iter().chain(global).chain(vectors).collect())
}

fn chosen(
    known: &[IndexDefinition],
    kind: IndexKind,
    wanted: Option<&[RestoredIndex]>,
) -> Result<Vec<IndexDefinition>, Error> {
    let mut known = known.iter().filter(|index| index.kind == kind);
    let Some(wanted) = wanted else {
        return Ok(known.cloned().collect());
    };
    let known: Vec<&IndexDefinition> = known.by_ref().collect();
    let choose = |wanted: &RestoredIndex| {
        let found = known.iter().find(|index| is_same(index, wanted));
        let index = found.ok_or_else(|| wording::index_not_in_source(wanted.name.as_str()))?;
        Ok(IndexDefinition {
            throughput: wanted.throughput.map(Into::into).or(index.throughput),
            on_demand: wanted.on_demand.clone().or_else(|| index.on_demand.clone()),
            ..(*index).clone()
        })
    };
    wanted.iter().map(choose).collect()
}

/// The vector indexes that the table keeps.
fn vectors(
    known: &[IndexDefinition],
    wanted: Option<&[VectorIndex]>,
) -> Result<Vec<IndexDefinition>, Error> {
    let known = known.iter().filter(|index| index.vector.is_some());
    let Some(wanted) = wanted else {
        return Ok(known.cloned().collect());
    };
    let choose = |wanted: &VectorIndex| {
        let describe = |index: &IndexDefinition| Some(index.vector_index()?.describe());
        let mut known = known.clone();
        let found = known.find(|index| describe(index).as_ref() == Some(wanted));
        let name = wanted.index_name.as_deref().unwrap_or_default();
        found
            .cloned()
            .ok_or_else(|| wording::index_not_in_source(name))
    };
    wanted.iter().map(choose).collect()
}

fn is_same(index: &IndexDefinition, wanted: &RestoredIndex) -> bool {
    let key: ValidKeySchema = (&index.key).into();
    let projection: ProjectedAttributes = (&index.projection).into();
    index.name == wanted.name.as_str()
        && key.describe() == wanted.key
        && sorted(projection) == sorted(wanted.projection.clone())
}

fn sorted(projection: ProjectedAttributes) -> ProjectedAttributes {
    match projection {
        ProjectedAttributes::Include(mut names) => {
            names.sort();
            ProjectedAttributes::Include(names)
        }
        other => other,
    }
}
