//! `indexes`: the table and its indexes.

use crate::document::{Node, Value};
use crate::error::ImportError;
use monotable_sketch::{Index, Names, Projection, Reach, Table, name_index};

pub(super) fn read(document: &Node) -> Result<Table, ImportError> {
    let indexes = document.need("indexes")?;
    let primary = indexes.need("primary")?;
    let mut table = Table {
        partition: primary.need_text("hash")?.to_owned(),
        sort: attribute(primary, "sort")?,
        ..Table::default()
    };
    let mut names = Names::default();
    for (stored, node) in indexes.map()? {
        if stored == "primary" {
            continue;
        }
        let hash = attribute(node, "hash")?;
        let is_local = node.get("type").and_then(Node::as_text) == Some("local")
            || hash.as_deref().is_none_or(|hash| hash == table.partition);
        let name = names.claim(&name_index(stored));
        table.indexes.push(Index {
            stored: (*stored != name).then(|| stored.clone()),
            name,
            partition: vec![hash.unwrap_or_else(|| table.partition.clone())],
            sort: attribute(node, "sort")?.into_iter().collect(),
            projection: projection(node)?,
            reach: if is_local {
                Reach::Local
            } else {
                Reach::Global
            },
            remarks: Vec::new(),
        });
    }
    Ok(table)
}

fn attribute(node: &Node, name: &str) -> Result<Option<String>, ImportError> {
    let said = node.get(name).map(Node::text).transpose()?;
    Ok(said.map(ToOwned::to_owned))
}

fn projection(node: &Node) -> Result<Projection, ImportError> {
    let Some(project) = node.get("project") else {
        return Ok(Projection::All);
    };
    match &project.value {
        Value::Text(text) if text == "all" => Ok(Projection::All),
        Value::Text(text) if text == "keys" => Ok(Projection::Keys),
        Value::List(names) => {
            let names: Result<Vec<String>, ImportError> = names
                .iter()
                .map(|name| name.text().map(ToOwned::to_owned))
                .collect();
            Ok(Projection::Some(names?))
        }
        _ => Err(project.error("`project` is \"all\", \"keys\" or a list of attributes")),
    }
}
