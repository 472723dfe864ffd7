//! The attributes that make keys, of the tables that requests name.

use monotable_api::{
    DescribeTableInput, Dynamo, DynamoExt, KeyRole, KeySchemaElement, Request, TableDescription,
};
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// A table may be deleted and made anew with another key: what is known of it is asked again after this time.
const KNOWN_FOR: Duration = Duration::from_secs(30);
/// So many tables are known at once.
const MOST_TABLES: usize = 1000;

/// The attributes of a key.
#[derive(Clone, Debug)]
pub(super) struct KeyNames {
    /// Whose key it is: a table, or a table and an index, as in `Yggdrasil/GSI1`.
    pub(super) of: Arc<str>,
    pub(super) partition: Vec<String>,
    pub(super) sort: Vec<String>,
}

impl KeyNames {
    fn read(of: &str, schema: Option<&Vec<KeySchemaElement>>) -> Self {
        let mut names = Self {
            of: of.into(),
            partition: Vec::new(),
            sort: Vec::new(),
        };
        for element in schema.into_iter().flatten() {
            let name = element.attribute_name.clone().unwrap_or_default();
            match element.key_type.as_ref().and_then(|role| role.known()) {
                Some(KeyRole::Hash) => names.partition.push(name),
                Some(KeyRole::Range) => names.sort.push(name),
                None => {}
            }
        }
        names
    }
}

/// The keys of a table and of its indexes.
#[derive(Clone, Debug)]
pub(super) struct TableKeys {
    pub(super) own: KeyNames,
    pub(super) indexes: BTreeMap<String, KeyNames>,
}

impl TableKeys {
    fn read(name: &str, table: &TableDescription) -> Self {
        let global = table.global_secondary_indexes.iter().flatten();
        let global = global.map(|index| (&index.index_name, index.key_schema.as_ref()));
        let local = table.local_secondary_indexes.iter().flatten();
        let local = local.map(|index| (&index.index_name, index.key_schema.as_ref()));
        let indexes = global.chain(local).map(|(index, schema)| {
            let index = index.clone().unwrap_or_default();
            let keys = KeyNames::read(&format!("{name}/{index}"), schema);
            (index, keys)
        });
        Self {
            own: KeyNames::read(name, table.key_schema.as_ref()),
            indexes: indexes.collect(),
        }
    }
}

/// The tables whose keys are known.
#[derive(Debug, Default)]
pub(super) struct KnownTables {
    tables: RwLock<BTreeMap<String, (Instant, Arc<TableKeys>)>>,
}

impl KnownTables {
    pub(super) fn find(&self, table: &str) -> Option<Arc<TableKeys>> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        let (_, keys) = tables.get(table)?;
        Some(Arc::clone(keys))
    }

    /// Learns the keys of the tables that a request names, unless they are known.
    pub(super) async fn learn(&self, dynamo: &dyn Dynamo, request: &Request) {
        for table in list_tables(request) {
            if self.is_known(table) {
                continue;
            }
            let described = dynamo.describe_table(DescribeTableInput::new(table)).await;
            let Some(described) = described.ok().and_then(|described| described.table) else {
                continue;
            };
            let keys = Arc::new(TableKeys::read(table, &described));
            let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
            if tables.len() >= MOST_TABLES {
                tables.clear();
            }
            tables.insert(table.to_owned(), (Instant::now(), keys));
        }
    }

    fn is_known(&self, table: &str) -> bool {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        let known = tables.get(table);
        known.is_some_and(|(learned, _)| learned.elapsed() < KNOWN_FOR)
    }
}

/// The tables that a request reads or writes items of.
pub(crate) fn list_tables(request: &Request) -> Vec<&str> {
    match request {
        Request::GetItem(input) => one(&input.table_name),
        Request::PutItem(input) => one(&input.table_name),
        Request::UpdateItem(input) => one(&input.table_name),
        Request::DeleteItem(input) => one(&input.table_name),
        Request::Query(input) => one(&input.table_name),
        Request::Scan(input) => one(&input.table_name),
        Request::BatchGetItem(input) => keys(&input.request_items),
        Request::BatchWriteItem(input) => keys(&input.request_items),
        Request::TransactGetItems(input) => {
            let gets = input.transact_items.iter().flatten();
            distinct(gets.filter_map(|item| item.get.as_ref()?.table_name.as_deref()))
        }
        Request::TransactWriteItems(input) => {
            let items = input.transact_items.iter().flatten();
            distinct(items.filter_map(|item| {
                let put = item.put.as_ref().map(|put| &put.table_name);
                let update = item.update.as_ref().map(|update| &update.table_name);
                let delete = item.delete.as_ref().map(|delete| &delete.table_name);
                let check = item.condition_check.as_ref().map(|check| &check.table_name);
                let mut named = [put, update, delete, check].into_iter().flatten();
                named.find_map(Option::as_deref)
            }))
        }
        _ => Vec::new(),
    }
}

fn one(table: &Option<String>) -> Vec<&str> {
    table.as_deref().into_iter().collect()
}

fn keys<V>(map: &Option<BTreeMap<String, V>>) -> Vec<&str> {
    let tables = map.iter().flat_map(BTreeMap::keys);
    tables.map(String::as_str).collect()
}

/// Each table once, in the order of their names. Most requests name one table, however often.
fn distinct<'r>(named: impl Iterator<Item = &'r str>) -> Vec<&'r str> {
    let mut tables: Vec<&str> = Vec::new();
    for table in named {
        if let Err(place) = tables.binary_search(&table) {
            tables.insert(place, table);
        }
    }
    tables
}
