//! A table in AWS's words, as CloudFormation and DescribeTable have it.

mod entity;
mod settings;

pub(crate) use entity::sketch_rows;

use crate::document::{Node, Value};
use crate::error::ImportError;
use monotable_sketch::{Index, Names, Projection, Reach, Table, name_index};
use std::collections::BTreeMap;

/// A table and the types of its key attributes.
#[derive(Debug)]
pub(crate) struct AwsTable {
    pub(crate) table: Table,
    /// `S`, `N` or `B`, by the attribute.
    pub(crate) kinds: BTreeMap<String, String>,
}

/// What stands for a value that is not known before a template is deployed.
pub(crate) trait Resolve {
    /// The value, where it follows from the file alone.
    fn resolve<'n>(&'n self, node: &'n Node) -> Option<&'n Node>;
}

/// For files in which every value is written down.
pub(crate) struct Literal;

impl Resolve for Literal {
    fn resolve<'n>(&'n self, node: &'n Node) -> Option<&'n Node> {
        Some(node)
    }
}

/// Reads the description of a table; `name` is its name in the model.
pub(crate) fn read(
    node: &Node,
    name: String,
    resolver: &dyn Resolve,
) -> Result<AwsTable, ImportError> {
    let reader = Reader { resolver };
    let mut table = Table {
        name,
        ..Table::default()
    };
    let (partition, sort) = reader.key(node)?;
    let [first] = partition.as_slice() else {
        return Err(node.error("a table has one attribute with the KeyType HASH"));
    };
    table.partition = first.clone();
    table.sort = sort.first().cloned();
    let mut names = Names::default();
    for (list, reach) in [
        ("GlobalSecondaryIndexes", Reach::Global),
        ("LocalSecondaryIndexes", Reach::Local),
    ] {
        let Some(indexes) = node.get(list) else {
            continue;
        };
        for index in indexes.list()? {
            let index = reader.index(index, reach, &mut names)?;
            table.indexes.push(index);
        }
    }
    let kinds = reader.kinds(node)?;
    settings::read(node, resolver, &mut table)?;
    if table.stored.as_deref() == Some(&table.name) {
        table.stored = None;
    }
    Ok(AwsTable { table, kinds })
}

struct Reader<'r> {
    resolver: &'r dyn Resolve,
}

impl Reader<'_> {
    /// A text that must be known.
    fn text(&self, node: &Node, name: &str) -> Result<String, ImportError> {
        let value = node.need(name)?;
        let known = self.resolver.resolve(value).and_then(Node::as_text);
        known.map(ToOwned::to_owned).ok_or_else(|| {
            value.error(
                "a name of an attribute is wanted here, and this is known only when it is deployed",
            )
        })
    }

    fn kinds(&self, node: &Node) -> Result<BTreeMap<String, String>, ImportError> {
        let mut kinds = BTreeMap::new();
        for definition in node.need("AttributeDefinitions")?.list()? {
            let name = self.text(definition, "AttributeName")?;
            let kind = self.text(definition, "AttributeType")?;
            if !["S", "N", "B"].contains(&kind.as_str()) {
                let wrong = definition.need("AttributeType")?;
                return Err(wrong.error(format!(
                    "the type of a key is S, N or B, and {kind:?} is there"
                )));
            }
            kinds.insert(name, kind);
        }
        Ok(kinds)
    }

    /// The attributes of the partition key and of the sort key.
    fn key(&self, node: &Node) -> Result<(Vec<String>, Vec<String>), ImportError> {
        let (mut partition, mut sort) = (Vec::new(), Vec::new());
        let schema = node.need("KeySchema")?;
        for element in schema.list()? {
            let name = self.text(element, "AttributeName")?;
            match self.text(element, "KeyType")?.as_str() {
                "HASH" => partition.push(name),
                "RANGE" => sort.push(name),
                other => {
                    let wrong = element.need("KeyType")?;
                    return Err(wrong.error(format!(
                        "a KeyType is HASH or RANGE, and {other:?} is there"
                    )));
                }
            }
        }
        if partition.is_empty() {
            return Err(schema.error("a key needs an attribute with the KeyType HASH"));
        }
        Ok((partition, sort))
    }

    fn index(&self, node: &Node, reach: Reach, names: &mut Names) -> Result<Index, ImportError> {
        let stored = self.text(node, "IndexName")?;
        let name = names.claim(&name_index(&stored));
        let (partition, sort) = self.key(node)?;
        let mut remarks = Vec::new();
        if node.get("ProvisionedThroughput").is_some_and(has_units) {
            remarks.push(format!(
                "{stored} has capacity of its own. In a model each global index has what the table has (`billing`)."
            ));
        }
        Ok(Index {
            stored: (stored != name).then_some(stored),
            name,
            partition,
            sort,
            projection: projection(node)?,
            reach,
            remarks,
        })
    }
}

/// Whether capacity is given: DescribeTable answers with zeros for tables that are paid by use.
pub(super) fn has_units(node: &Node) -> bool {
    let units = |name: &str| node.get(name).and_then(Node::as_scalar);
    let read = units("ReadCapacityUnits");
    read.is_some_and(|read| read != "0")
}

fn projection(node: &Node) -> Result<Projection, ImportError> {
    let Some(projection) = node.get("Projection") else {
        return Ok(Projection::All);
    };
    let kind = projection.get("ProjectionType").and_then(Node::as_text);
    Ok(match kind {
        Some("KEYS_ONLY") => Projection::Keys,
        Some("INCLUDE") => {
            let names = projection.need("NonKeyAttributes")?.list()?;
            let names: Result<Vec<String>, ImportError> = names
                .iter()
                .map(|name| name.text().map(ToOwned::to_owned))
                .collect();
            Projection::Some(names?)
        }
        Some("ALL") | None => Projection::All,
        Some(other) => {
            return Err(projection.error(format!(
                "a ProjectionType is ALL, KEYS_ONLY or INCLUDE, and {other:?} is there"
            )));
        }
    })
}

/// Whether a node is a value that a model has no word for, and worth a remark.
pub(crate) fn is_said(node: &Node) -> bool {
    !matches!(&node.value, Value::Null | Value::Boolean(false))
}
