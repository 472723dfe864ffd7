//! CreateTable.

use super::{Execute, description, vector_index_set};
use crate::catalog::{
    BillingState, CatalogRows, Ids, IndexDefinition, IndexId, IndexKind, PolicyState, Table,
    TableDefinition, TableId, to_row,
};
use crate::commit::Group;
use crate::engine::Core;
use crate::step::Step;
use crate::store::{Space, StoreFault};
use crate::stream;
use crate::wording;
use monotable_api::{
    CreateTable, CreateTableInput, CreateTableOutput, Error, StreamChange, TableStatus,
    ValidCreateTable, ValidGlobalIndex, ValidLocalIndex,
};
use std::sync::Arc;

impl Execute for CreateTable {
    fn start(core: &Arc<Core>, input: CreateTableInput) -> Result<Step<CreateTableOutput>, Error> {
        let valid = input.validate()?;
        let uuid = uuid(core.entropy.next());
        let now = core.now_millis();
        let region = core.region.clone();
        let pending = core.committer.submit(move |group| {
            let name = valid.table.as_str().to_owned();
            if group.catalog().get(&name).is_some() {
                return Ok(Err(wording::table_exists(&name)));
            }
            let table = create(group, valid, uuid, now)?;
            let table_description = description::describe(&table, &region, TableStatus::Creating);
            let catalog = group.catalog().with(table);
            group.set_catalog(catalog);
            Ok(Ok(CreateTableOutput {
                table_description: Some(table_description),
            }))
        });
        Ok(Step::Table(pending))
    }
}

fn create(
    group: &mut Group<'_>,
    valid: ValidCreateTable,
    uuid: String,
    now: u64,
) -> Result<Table, StoreFault> {
    let definition = define(group, valid, uuid, now)?;
    let row = CatalogRows::table(&definition.name);
    group.write(Space::Meta, row, Some(to_row(&definition)?));
    Ok(Table::new(definition))
}

/// The definition of a new table, which is not in the catalog yet.
pub(super) fn define(
    group: &mut Group<'_>,
    valid: ValidCreateTable,
    uuid: String,
    now: u64,
) -> Result<TableDefinition, StoreFault> {
    let mut ids = Ids::load(group)?;
    let id = TableId(ids.take());
    let mut indexes = Vec::new();
    for index in valid.local_indexes {
        indexes.push(local_index(index, IndexId(ids.take())));
    }
    for index in valid.global_indexes {
        indexes.push(global_index(index, IndexId(ids.take())));
    }
    for index in &valid.vector_indexes {
        indexes.push(vector_index_set::define(index, IndexId(ids.take())));
    }
    let mut definition = TableDefinition {
        id,
        name: valid.table.as_str().to_owned(),
        uuid,
        created: now,
        key: (&valid.key).into(),
        indexes,
        billing: BillingState::new(valid.billing, now),
        deletion_protection: valid.deletion_protection,
        class: valid.class,
        encryption: valid.encryption,
        tags: valid.tags,
        warm_throughput: valid.warm_throughput,
        time_to_live: None,
        stream: None,
        policy: valid
            .policy
            .map(|document| PolicyState::new(document, None, now)),
        recovery: None,
        origin: None,
    };
    if let Some(StreamChange::Enable(view)) = valid.stream {
        stream::enable(group, &mut definition, view, &mut ids, now)?;
    }
    ids.store(group);
    Ok(definition)
}

fn local_index(index: ValidLocalIndex, id: IndexId) -> IndexDefinition {
    IndexDefinition {
        id,
        name: index.name.as_str().to_owned(),
        kind: IndexKind::Local,
        key: (&index.key).into(),
        projection: (&index.projection).into(),
        throughput: None,
        on_demand: None,
        added: None,
        vector: None,
    }
}

pub(super) fn global_index(index: ValidGlobalIndex, id: IndexId) -> IndexDefinition {
    IndexDefinition {
        id,
        name: index.name.as_str().to_owned(),
        kind: IndexKind::Global,
        key: (&index.key).into(),
        projection: (&index.projection).into(),
        throughput: index.throughput.map(Into::into),
        on_demand: index.on_demand.and_then(|limits| limits.after(None)),
        added: None,
        vector: None,
    }
}

/// A version 4 UUID from 128 random bits.
pub(super) fn uuid(random: u128) -> String {
    let bits = random & !(0xF << 76) & !(0x3 << 62) | 0x4 << 76 | 0x2 << 62;
    let hex = format!("{bits:032x}");
    let part = |range: std::ops::Range<usize>| hex.get(range).unwrap_or_default();
    [
        part(0..8),
        part(8..12),
        part(12..16),
        part(16..20),
        part(20..32),
    ]
    .join("-")
}

#[cfg(test)]
mod tests {
    use super::uuid;

    #[test]
    fn a_uuid_says_its_version_and_variant() {
        assert_eq!(uuid(u128::MAX), "ffffffff-ffff-4fff-bfff-ffffffffffff");
        assert_eq!(uuid(0), "00000000-0000-4000-8000-000000000000");
    }
}
