//! CreateTable.

use super::{Execute, description};
use crate::catalog::{
    BillingState, CatalogRows, IndexDefinition, IndexId, IndexKind, Table, TableDefinition,
    TableId, to_row,
};
use crate::commit::{Group, ReadRows};
use crate::engine::Core;
use crate::step::Step;
use crate::store::{Space, StoreFault};
use crate::wording;
use bytes::Bytes;
use monotable_api::{
    CreateTable, CreateTableInput, CreateTableOutput, Error, TableStatus, ValidCreateTable,
    ValidGlobalIndex, ValidLocalIndex,
};
use std::sync::Arc;

impl Execute for CreateTable {
    fn start(core: &Arc<Core>, input: CreateTableInput) -> Result<Step<CreateTableOutput>, Error> {
        let valid = input.validate()?;
        wording::refuse_stream(valid.stream.as_ref())?;
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
    let mut ids = Ids::load(group)?;
    let id = TableId(ids.take());
    let mut indexes = Vec::new();
    for index in valid.local_indexes {
        indexes.push(local_index(index, IndexId(ids.take())));
    }
    for index in valid.global_indexes {
        indexes.push(global_index(index, IndexId(ids.take())));
    }
    let definition = TableDefinition {
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
    };
    ids.store(group);
    let row = CatalogRows::table(&definition.name);
    group.write(Space::Meta, row, Some(to_row(&definition)?));
    Ok(Table::new(definition))
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
    }
}

fn global_index(index: ValidGlobalIndex, id: IndexId) -> IndexDefinition {
    IndexDefinition {
        id,
        name: index.name.as_str().to_owned(),
        kind: IndexKind::Global,
        key: (&index.key).into(),
        projection: (&index.projection).into(),
        throughput: index.throughput.map(Into::into),
        on_demand: index.on_demand,
    }
}

/// Draws ids of tables and indexes, which are never reused.
struct Ids(u32);

impl Ids {
    fn load(group: &Group<'_>) -> Result<Self, StoreFault> {
        let row = group.read(Space::Meta, CatalogRows::NEXT_ID)?;
        CatalogRows::next_id(row.as_deref()).map(Self)
    }

    const fn take(&mut self) -> u32 {
        let id = self.0;
        self.0 += 1;
        id
    }

    fn store(self, group: &mut Group<'_>) {
        let value = Bytes::copy_from_slice(&self.0.to_be_bytes());
        group.write(
            Space::Meta,
            Bytes::from_static(CatalogRows::NEXT_ID),
            Some(value),
        );
    }
}

/// A version 4 UUID from 128 random bits.
fn uuid(random: u128) -> String {
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
