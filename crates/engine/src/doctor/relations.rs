//! Whom rows belong to, by the number that their keys begin with, and what their keys are in words.

use crate::catalog::{Catalog, DropJob, RelationId, Table};
use crate::store::Space;
use monotable_api::KeyAttribute;
use monotable_item::key::read_component;
use monotable_item::{AttributeValue, Item};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What rows are.
#[derive(Clone)]
pub(super) enum Relation {
    /// Items of a table.
    Items(Arc<Table>),
    /// Entries of an index of a table: its place among the table's indexes.
    Entries(Arc<Table>, usize),
    /// Records of a stream, or of a log of point-in-time recovery, of this table.
    Records(String),
    /// Items of a backup, by its name and that of its table.
    Backup(String, String),
    /// Rows that are being removed, or made for an export.
    Passing,
}

/// All numbers that rows can begin with.
pub(super) struct Relations {
    known: BTreeMap<[u8; 4], Relation>,
}

impl Relations {
    pub(super) fn new(catalog: &Catalog, drops: &[DropJob]) -> Self {
        let mut known = BTreeMap::new();
        let mut add = |id: RelationId, relation| {
            known.entry(id.to_bytes()).or_insert(relation);
        };
        for table in catalog.tables() {
            add(table.id.into(), Relation::Items(Arc::clone(table)));
            for (place, index) in table.indexes.iter().enumerate() {
                add(index.id.into(), Relation::Entries(Arc::clone(table), place));
            }
            if let Some(log) = table.recovery_log() {
                add(log.into(), Relation::Records(table.name().into()));
            }
        }
        for stream in catalog.streams() {
            let table = stream.definition.table.clone();
            add(stream.definition.id.into(), Relation::Records(table));
        }
        for backup in catalog.backups() {
            let relation = Relation::Backup(backup.name.clone(), backup.table.name.clone());
            add(backup.place().1, relation);
        }
        for scratch in catalog
            .exports()
            .filter_map(|export| export.scratch.as_ref())
        {
            add(scratch.id.into(), Relation::Passing);
        }
        for job in drops {
            add(job.table.into(), Relation::Passing);
            for index in &job.indexes {
                add((*index).into(), Relation::Passing);
            }
        }
        Self { known }
    }

    /// Whom a row belongs to.
    pub(super) fn find(&self, key: &[u8]) -> Option<&Relation> {
        self.known.get(key.first_chunk::<4>()?)
    }

    /// Whether everything between two keys are entries of one index.
    pub(super) fn are_entries(&self, from: &[u8], last: &[u8]) -> bool {
        from.first_chunk::<4>() == last.first_chunk::<4>()
            && matches!(self.find(from), Some(Relation::Entries(..)))
    }

    /// A key in words.
    pub(super) fn describe(&self, space: Space, key: &[u8]) -> String {
        if space == Space::Meta {
            return format!("definition `{}`", String::from_utf8_lossy(key));
        }
        match self.find(key) {
            Some(Relation::Items(table)) => {
                let attributes = table.key.hash.iter().chain(&table.key.range);
                format!(
                    "table `{}`, item {}",
                    table.name(),
                    describe_values(attributes, key)
                )
            }
            Some(Relation::Entries(table, place)) => {
                let index = table.indexes.get(*place);
                let name = index.map_or("", |index| index.name.as_str());
                let attributes = index
                    .into_iter()
                    .flat_map(|index| index.key.hash.iter().chain(&index.key.range));
                let values = describe_values(attributes, key);
                format!("table `{}`, index `{name}`, entry {values}", table.name())
            }
            Some(Relation::Records(table)) => {
                let number = key.get(4..12).and_then(|bytes| bytes.try_into().ok());
                let number = number.map_or(0, u64::from_be_bytes);
                format!("table `{table}`, record {number} of its stream or log")
            }
            Some(Relation::Backup(name, table)) => format!("backup `{name}` of table `{table}`"),
            Some(Relation::Passing) => "rows that are being removed or exported".into(),
            None => format!("rows of no table, {}", hex(key)),
        }
    }
}

/// The values of key attributes, which stand behind the number and the hash.
fn describe_values<'a>(attributes: impl Iterator<Item = &'a KeyAttribute>, key: &[u8]) -> String {
    let mut rest = key.get(12..).unwrap_or_default();
    let mut values = Vec::new();
    for attribute in attributes {
        let Some((value, after)) = read_component(rest, attribute.kind) else {
            // A bound may be shorter than a key.
            break;
        };
        rest = after;
        values.push(format!("{}={}", attribute.name, describe_value(&value)));
    }
    values.join(" ")
}

fn describe_value(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => format!("{text:?}"),
        AttributeValue::N(number) => number.to_string(),
        AttributeValue::B(bytes) => hex(bytes),
        other => format!("{:?}", Item::new().with("value", other.clone())),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
