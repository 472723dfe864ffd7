//! What is in the tables of a model: counted by a scan, and kept until something is written.
//!
//! Only embedded stores are counted, where a scan costs nothing but time. A scan ends after [`MOST_ITEMS`]: what is shown then says
//! so.

use crate::recognition::{Recogniser, Role, find_key_text};
use jiff::{SignedDuration, Timestamp};
use monotable_api::{Dynamo, DynamoExt, ScanInput};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{KeyPlace, Model, TableId};
use monotable_store::{Row, Store};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A scan ends after so many items of each table.
pub(crate) const MOST_ITEMS: usize = 20_000;
/// Tables with more items than this are counted at most every [`LEAST_AGE`].
const LARGE: usize = 5_000;
const LEAST_AGE: SignedDuration = SignedDuration::from_secs(5);
/// So many rows of each entity are kept as samples.
const MOST_SAMPLES: usize = 20;
/// Values of samples that are longer than this are left out: samples are kept in memory.
const LONGEST_SAMPLE: usize = 500;

/// How often each kind of item occurs, by how it is called.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mix {
    counts: BTreeMap<String, (usize, Option<String>)>,
}

impl Mix {
    fn add(&mut self, role: &Role) {
        let entity = role.entity().map(str::to_owned);
        self.counts.entry(role.name()).or_insert((0, entity)).0 += 1;
    }

    /// All items together.
    pub(crate) fn total(&self) -> usize {
        self.counts.values().map(|(count, _)| count).sum()
    }

    /// Each kind with its entity, the most frequent one first.
    pub(crate) fn parts(&self) -> Vec<(&str, Option<&str>, usize)> {
        let counts = self.counts.iter();
        let mut parts: Vec<_> = counts
            .map(|(name, (count, entity))| (name.as_str(), entity.as_deref(), *count))
            .collect();
        parts.sort_by_key(|(name, _, count)| (std::cmp::Reverse(*count), *name));
        parts
    }
}

/// The partitions of a table or of one of its indexes, by their keys.
pub(crate) type Partitions = BTreeMap<String, Mix>;

/// What is in the tables of a model.
#[derive(Debug, Default)]
pub(crate) struct Census {
    pub(crate) at: Timestamp,
    pub(crate) items: usize,
    pub(crate) guards: usize,
    pub(crate) unknown: usize,
    /// Whether items were counted at all: where that costs money, they are not.
    pub(crate) is_taken: bool,
    /// Whether every item was counted.
    pub(crate) complete: bool,
    pub(crate) mix: Mix,
    /// Rows by entity.
    pub(crate) rows: BTreeMap<String, usize>,
    pub(crate) samples: BTreeMap<String, Vec<Row>>,
    places: BTreeMap<(TableId, KeyPlace), Partitions>,
}

impl Census {
    /// What is told of a count to somebody who may not know it.
    pub(crate) fn withheld() -> Self {
        Self {
            is_taken: true,
            ..Self::default()
        }
    }

    /// Counts by scans.
    pub(crate) async fn take(store: &Store, dynamo: &Arc<dyn Dynamo>) -> Self {
        let mut census = Self {
            at: Timestamp::now(),
            is_taken: true,
            complete: true,
            ..Self::default()
        };
        let model = store.model();
        let recogniser = Recogniser::new(store);
        for table in model.stored_tables() {
            let name = &model.table(table).physical;
            let mut after = None;
            let mut seen = 0;
            loop {
                let input = ScanInput {
                    table_name: Some(name.clone()),
                    exclusive_start_key: after.take(),
                    limit: Some(1000),
                    ..ScanInput::default()
                };
                let Ok(page) = dynamo.scan(input).await else {
                    break;
                };
                for item in page.items.unwrap_or_default() {
                    seen += 1;
                    let item = item.to_item();
                    let role = recogniser.recognise(table, &item);
                    census.add(model, table, &item, role);
                }
                let Some(last) = page.last_evaluated_key else {
                    break;
                };
                if seen >= MOST_ITEMS {
                    census.complete = false;
                    break;
                }
                after = Some(last.into());
            }
        }
        census
    }

    /// Whether it is good enough although something was written since: large tables are not scanned for every page.
    pub(crate) fn is_fresh(&self) -> bool {
        let age = Timestamp::now().duration_since(self.at);
        self.items > LARGE && age < LEAST_AGE
    }

    fn add(&mut self, model: &Model, table: TableId, item: &Item, role: Role) {
        self.items += 1;
        self.mix.add(&role);
        let declared = model.table(table);
        let indexes = (0..declared.indexes.len()).map(KeyPlace::Index);
        for place in std::iter::once(KeyPlace::Primary).chain(indexes) {
            let names = declared.partition_attributes(place);
            let key: Vec<_> = names.map(|name| find_key_text(item, &name.value)).collect();
            let sorts = declared.sort_attributes(place);
            let is_there = key.iter().all(|text| !text.is_empty())
                && sorts
                    .into_iter()
                    .all(|name| item.get(&name.value).is_some());
            if is_there {
                let partitions = self.places.entry((table, place)).or_default();
                partitions
                    .entry(key.join(KEY_SEPARATOR))
                    .or_default()
                    .add(&role);
            }
        }
        match role {
            Role::Row(row) => {
                *self.rows.entry(row.entity.clone()).or_default() += 1;
                let samples = self.samples.entry(row.entity.clone()).or_default();
                if samples.len() < MOST_SAMPLES {
                    samples.push(shorten(row));
                }
            }
            Role::Guard { .. } => self.guards += 1,
            Role::Unknown => self.unknown += 1,
            Role::Own => {}
        }
    }

    /// The partitions of a table or an index.
    pub(crate) fn partitions(&self, table: TableId, place: KeyPlace) -> Option<&Partitions> {
        self.places.get(&(table, place))
    }

    /// The largest partition of any table, by its own key.
    pub(crate) fn largest_partition(&self) -> Option<(TableId, &str, &Mix)> {
        let tables = self.places.iter();
        let tables = tables.filter(|((_, place), _)| *place == KeyPlace::Primary);
        let partitions = tables.flat_map(|((table, _), partitions)| {
            partitions
                .iter()
                .map(move |(key, mix)| (*table, key.as_str(), mix))
        });
        partitions.max_by_key(|(_, _, mix)| mix.total())
    }

    /// Existing rows of an entity.
    pub(crate) fn samples(&self, entity: &str) -> &[Row] {
        self.samples.get(entity).map_or(&[], Vec::as_slice)
    }
}

/// A row without values that are too long to choose from.
fn shorten(mut row: Row) -> Row {
    let long = row.values.iter().filter(|(_, value)| is_long(value));
    let long: Vec<String> = long.map(|(name, _)| name.clone()).collect();
    for name in long {
        row.values.remove(&name);
    }
    row
}

fn is_long(value: &AttributeValue) -> bool {
    match value {
        AttributeValue::S(text) => text.len() > LONGEST_SAMPLE,
        AttributeValue::N(_) | AttributeValue::Bool(_) | AttributeValue::Null => false,
        other => crate::value::write_value(other).len() > LONGEST_SAMPLE,
    }
}

/// What stands between the attributes of a partition key that has several.
pub(crate) const KEY_SEPARATOR: &str = "\u{1f}";
