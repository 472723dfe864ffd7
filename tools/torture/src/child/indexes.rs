//! What an index must hold, worked out from a scan of its table and the index's description: none of
//! the engine's own code for indexes has a part in it.

use super::index_changes::INDEX as ADDED;
use crate::planted::Bug;
use monotable_api::{
    Error, IndexProjection, KeySchemaElement, ProjectionType, ScanInput, TableDescription,
};
use monotable_engine::Engine;
use monotable_item::{EncodedItem, Item};
use std::collections::{BTreeMap, BTreeSet};

/// Items by their encoded key.
type Entries = BTreeMap<Vec<u8>, Item>;

/// One index as DescribeTable tells it.
struct Index {
    name: String,
    key: Vec<String>,
    projection: IndexProjection,
}

/// What the indexes of a table hold that its items do not imply, or lack.
pub(super) fn compare(
    engine: &Engine,
    table: &TableDescription,
    items: &[Item],
) -> Result<Vec<String>, Error> {
    let name = table.table_name.clone().unwrap_or_default();
    let table_key = names(table.key_schema.as_deref());
    let mut problems = Vec::new();
    for index in indexes(table) {
        let implied = implied(items, &table_key, &index);
        let input = ScanInput::new(&name).index(&index.name);
        let mut found = by_key(scan(engine, input)?, &table_key);
        if Bug::of_this_process() == Some(Bug::HoleInAnAddedIndex) && index.name == ADDED {
            found.pop_first();
        }
        let keys: BTreeSet<&Vec<u8>> = implied.keys().chain(found.keys()).collect();
        for key in keys {
            let (implied, found) = (implied.get(key), found.get(key));
            if implied != found {
                problems.push(format!(
                    "{name}, index {}: the items imply {}, the index has {}",
                    index.name,
                    describe(implied),
                    describe(found)
                ));
            }
        }
    }
    Ok(problems)
}

fn describe(entry: Option<&Item>) -> String {
    let Some(entry) = entry else {
        return "no entry".to_owned();
    };
    let attributes = entry.iter().filter(|(name, _)| *name != "payload");
    let attributes = attributes.map(|(name, value)| format!("{name}={value:?}"));
    attributes.collect::<Vec<_>>().join(" ")
}

/// All items of a table or an index.
pub(super) fn scan(engine: &Engine, input: ScanInput) -> Result<Vec<Item>, Error> {
    let mut items = Vec::new();
    let mut start: Option<EncodedItem> = None;
    loop {
        let mut page = input.clone();
        if let Some(start) = start {
            page = page.start_after(start);
        }
        let page = engine.scan(page)?;
        items.extend(page.items.iter().flatten().map(EncodedItem::to_item));
        match page.last_evaluated_key {
            Some(last) => start = Some(last),
            None => return Ok(items),
        }
    }
}

fn indexes(table: &TableDescription) -> Vec<Index> {
    let local = table.local_secondary_indexes.iter().flatten();
    let local = local.map(|index| (&index.index_name, &index.key_schema, &index.projection));
    let global = table.global_secondary_indexes.iter().flatten();
    let global = global.map(|index| (&index.index_name, &index.key_schema, &index.projection));
    let all = local.chain(global);
    all.map(|(name, key, projection)| Index {
        name: name.clone().unwrap_or_default(),
        key: names(key.as_deref()),
        projection: projection.clone().unwrap_or_default(),
    })
    .collect()
}

fn names(schema: Option<&[KeySchemaElement]>) -> Vec<String> {
    let elements = schema.unwrap_or_default().iter();
    elements
        .filter_map(|element| element.attribute_name.clone())
        .collect()
}

/// An item is in an index if it has all of the index's key.
fn implied(items: &[Item], table_key: &[String], index: &Index) -> Entries {
    let indexed = items
        .iter()
        .filter(|item| index.key.iter().all(|name| item.get(name).is_some()));
    let entries = indexed.map(|item| project(item, table_key, index));
    by_key(entries.collect(), table_key)
}

fn project(item: &Item, table_key: &[String], index: &Index) -> Item {
    let projection = &index.projection;
    let kind = projection.projection_type.as_ref();
    if kind.and_then(|kind| kind.known()) == Some(ProjectionType::All) {
        return item.clone();
    }
    let included = projection.non_key_attributes.iter().flatten();
    let names: BTreeSet<&String> = table_key.iter().chain(&index.key).chain(included).collect();
    let kept = item.iter().filter(|(name, _)| names.contains(name));
    kept.map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

fn by_key(items: Vec<Item>, table_key: &[String]) -> Entries {
    let keyed = items.into_iter().map(|item| {
        let key: Item = table_key
            .iter()
            .filter_map(|name| Some((name.clone(), item.get(name)?.clone())))
            .collect();
        (EncodedItem::from(&key).as_bytes().to_vec(), item)
    });
    keyed.collect()
}
