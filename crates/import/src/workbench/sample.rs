//! Sample data: items in DynamoDB's JSON.

use crate::document::{Node, Value};
use crate::error::ImportError;
use monotable_item::{AttributeValue, Item};
use monotable_sketch::Table;
use std::collections::BTreeSet;

/// The items of a table and of its facets, each once.
pub(super) fn read(node: &Node, table: &Table) -> Result<Vec<Item>, ImportError> {
    let facets = node.get("TableFacets").map(Node::list).transpose()?;
    let facets = facets.unwrap_or_default().iter();
    let lists = std::iter::once(node).chain(facets);
    let lists = lists.filter_map(|node| node.get("TableData"));
    let mut seen = BTreeSet::new();
    let mut items = Vec::new();
    for list in lists {
        for item in list.list()? {
            let item = read_item(item)?;
            let mut key = Vec::new();
            for name in std::iter::once(&table.partition).chain(&table.sort) {
                key.push(format!("{:?}", item.get(name)));
            }
            if seen.insert(key) {
                items.push(item);
            }
        }
    }
    Ok(items)
}

/// An item in DynamoDB's JSON.
pub(super) fn read_item(node: &Node) -> Result<Item, ImportError> {
    let mut item = Item::new();
    for (name, value) in node.map()? {
        item.insert(name.clone(), read_value(value)?);
    }
    Ok(item)
}

fn read_value(node: &Node) -> Result<AttributeValue, ImportError> {
    let [(kind, value)] = node.map()? else {
        return Err(node.error("a value is an object with one name, its type: {\"S\": \"text\"}"));
    };
    Ok(match kind.as_str() {
        "S" => AttributeValue::S(value.text()?.to_owned()),
        "N" => {
            let number = value.as_scalar().unwrap_or_default();
            let number = number.parse();
            AttributeValue::N(number.map_err(|_| value.error("this is no number of DynamoDB"))?)
        }
        "BOOL" => AttributeValue::Bool(value.as_bool().unwrap_or_default()),
        "NULL" => AttributeValue::Null,
        "B" => AttributeValue::B(value.text()?.as_bytes().to_vec()),
        "L" => {
            let values: Result<Vec<_>, _> = value.list()?.iter().map(read_value).collect();
            AttributeValue::L(values?)
        }
        "M" => AttributeValue::M(read_item(value)?),
        "SS" => AttributeValue::Ss(texts(value)?.into_iter().collect()),
        // Which kind of set it is changes nothing: a model has no word for sets.
        "NS" | "BS" => AttributeValue::Ss(texts(value)?.into_iter().collect()),
        other => {
            return Err(node.error(format!(
                "{other:?} is no type of DynamoDB: S, N, B, BOOL, NULL, L, M, SS, NS or BS is wanted"
            )));
        }
    })
}

fn texts(node: &Node) -> Result<Vec<String>, ImportError> {
    let values = node.list()?.iter();
    let values = values.map(|value| match &value.value {
        Value::Text(text) | Value::Number(text) => Ok(text.clone()),
        _ => Err(value.error("a text is wanted in a set")),
    });
    values.collect()
}
