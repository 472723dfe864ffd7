//! A model as NoSQL Workbench of AWS opens it: tables, indexes, a facet for each entity, and sample rows.

use monotable_model::model::{
    Entity, Index, Key, KeyKind, Kind, Model, Projection, Table, TableId,
};
use monotable_model::span::Name;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// An item of a table, in DynamoDB's JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleRow {
    /// The entity whose row it is; none for guards and what else belongs to the store.
    pub entity: Option<String>,
    /// The item: attributes with their types.
    pub item: Map<String, Value>,
}

/// A model for NoSQL Workbench.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkbenchModel {
    /// The document.
    pub document: Value,
    /// What the format cannot say of this model.
    pub left_out: Vec<String>,
}

/// The document of a model, with the rows of each table.
#[must_use]
pub fn workbench(model: &Model, rows: &BTreeMap<TableId, Vec<SampleRow>>) -> WorkbenchModel {
    let mut left_out = Vec::new();
    let none = Vec::new();
    let tables = model.tables().map(|(id, _)| {
        let rows = rows.get(&id).unwrap_or(&none);
        table(model, id, rows, &mut left_out)
    });
    let tables: Vec<Value> = tables.collect();
    let document = json!({
        "ModelName": model.name,
        "ModelMetadata": {
            "Author": "",
            "Description": model.about.as_deref().unwrap_or_default(),
            "AWSService": "Amazon DynamoDB",
            "Version": "3.0",
        },
        "DataModel": tables,
    });
    WorkbenchModel { document, left_out }
}

fn table(model: &Model, id: TableId, rows: &[SampleRow], left_out: &mut Vec<String>) -> Value {
    let table = model.table(id);
    let types = attribute_types(model, id, rows);
    let others = types.iter().filter(|(name, _)| !table.is_key(name));
    let others = others.map(|(name, kind)| json!({ "AttributeName": name, "AttributeType": kind }));
    let indexes = table.indexes.iter().filter(|index| {
        let what = problem_of(index);
        left_out.extend(
            what.map(|what| format!("index {} of {}: {what}", index.physical, table.physical)),
        );
        what.is_none()
    });
    let indexes: Vec<Value> = indexes.map(|index| self::index(model, id, index)).collect();
    let facets = model.stored().filter(|(_, entity)| entity.table == id);
    let facets = facets.filter_map(|(_, entity)| facet(table, entity, rows));
    let data = rows.iter().map(|row| Value::Object(row.item.clone()));
    json!({
        "TableName": table.physical,
        "KeyAttributes": key_attributes(model, id, &table.hash, table.range.as_ref()),
        "NonKeyAttributes": others.collect::<Vec<_>>(),
        "TableFacets": facets.collect::<Vec<_>>(),
        "GlobalSecondaryIndexes": indexes,
        "TableData": data.collect::<Vec<_>>(),
        "DataAccess": { "MySql": {} },
    })
}

/// What the format cannot say of an index.
const fn problem_of(index: &Index) -> Option<&'static str> {
    if index.local {
        Some("NoSQL Workbench knows global indexes only")
    } else if !index.further.hash.is_empty() || !index.further.range.is_empty() {
        Some("NoSQL Workbench knows one attribute for each part of a key")
    } else {
        None
    }
}

fn key_attributes(model: &Model, id: TableId, hash: &Name, range: Option<&Name>) -> Value {
    let attribute = |name: &Name| {
        let kind = match model.key_kind(id, &name.value) {
            KeyKind::Text => "S",
            KeyKind::Number => "N",
        };
        json!({ "AttributeName": name.value, "AttributeType": kind })
    };
    let mut attributes = Map::new();
    attributes.insert("PartitionKey".to_owned(), attribute(hash));
    if let Some(range) = range {
        attributes.insert("SortKey".to_owned(), attribute(range));
    }
    attributes.into()
}

fn index(model: &Model, id: TableId, index: &Index) -> Value {
    let projection = match &index.projection {
        Projection::All => json!({ "ProjectionType": "ALL" }),
        Projection::Keys => json!({ "ProjectionType": "KEYS_ONLY" }),
        Projection::Include(names) => {
            json!({ "ProjectionType": "INCLUDE", "NonKeyAttributes": names })
        }
    };
    json!({
        "IndexName": index.physical,
        "KeyAttributes": key_attributes(model, id, &index.hash, index.range.as_ref()),
        "Projection": projection,
    })
}

/// An entity: the templates of its key are what the columns of the key are called.
fn facet(table: &Table, entity: &Entity, rows: &[SampleRow]) -> Option<Value> {
    let key: &Key = entity.primary()?;
    let mut alias = Map::new();
    alias.insert("PartitionKeyAlias".to_owned(), json!(key.hash.text));
    if let (Some(range), Some(_)) = (&key.range, &table.range) {
        alias.insert("SortKeyAlias".to_owned(), json!(range.text));
    }
    let own = rows.iter();
    let own: Vec<&SampleRow> = own
        .filter(|row| row.entity.as_deref() == Some(&entity.name.value))
        .collect();
    let mut names: Vec<&str> = stored_attributes(entity).map(|(name, _)| name).collect();
    for name in own.iter().flat_map(|row| row.item.keys()) {
        names.push(name);
    }
    names.retain(|name| !table.is_key(name));
    names.sort_unstable();
    names.dedup();
    let data = own.iter().map(|row| Value::Object(row.item.clone()));
    Some(json!({
        "FacetName": entity.name.value,
        "KeyAttributeAlias": alias,
        "NonKeyAttributes": names,
        "TableData": data.collect::<Vec<_>>(),
        "DataAccess": { "MySql": {} },
    }))
}

fn stored_attributes(entity: &Entity) -> impl Iterator<Item = (&str, &Kind)> {
    let attributes = entity.attributes.iter();
    let attributes = attributes.filter(|attribute| !attribute.key_only);
    attributes.map(|attribute| (attribute.stored.as_str(), &attribute.kind))
}

/// The type of every attribute: what rows have, else what the model says. Attributes of keys come first in no order: names are sorted.
fn attribute_types(model: &Model, id: TableId, rows: &[SampleRow]) -> BTreeMap<String, String> {
    let mut types: BTreeMap<String, String> = BTreeMap::new();
    let table = model.table(id);
    for name in table.index_attributes() {
        let kind = match model.key_kind(id, &name.value) {
            KeyKind::Text => "S",
            KeyKind::Number => "N",
        };
        types.insert(name.value.clone(), kind.to_owned());
    }
    for (_, entity) in model.stored().filter(|(_, entity)| entity.table == id) {
        for discriminator in &entity.is {
            let name = discriminator.attribute.value.clone();
            types.entry(name).or_insert_with(|| "S".to_owned());
        }
        for (name, kind) in stored_attributes(entity) {
            let kind = type_of(kind).to_owned();
            types.entry(name.to_owned()).or_insert(kind);
        }
    }
    for row in rows {
        for (name, value) in &row.item {
            let kind = value.as_object().and_then(|value| value.keys().next());
            if let Some(kind) = kind {
                types.insert(name.clone(), kind.clone());
            }
        }
    }
    types
}

const fn type_of(kind: &Kind) -> &'static str {
    match kind {
        Kind::Integer(_) | Kind::Number(_) | Kind::Epoch => "N",
        Kind::Boolean => "BOOL",
        Kind::Map => "M",
        Kind::List { .. } => "L",
        Kind::Binary => "B",
        Kind::Never => "NULL",
        Kind::Text(_)
        | Kind::Date
        | Kind::Timestamp(_)
        | Kind::Url
        | Kind::Json
        | Kind::Any
        | Kind::Uuid
        | Kind::UuidV7
        | Kind::Ulid
        | Kind::Token(_)
        | Kind::Enum(_) => "S",
    }
}
