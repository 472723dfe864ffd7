//! The table and its indexes, as the access patterns of all entities name them.

use crate::document::Node;
use crate::error::ImportError;
use monotable_sketch::{Index, Projection, Reach, Table, name_index};

/// The fields of a part of an index: one, or those of a composite index.
fn fields(schema: &Node, index: &Node, part: &str) -> Result<Vec<String>, ImportError> {
    let Some(key) = index.get(part) else {
        return Ok(Vec::new());
    };
    if is_composite(index) {
        let names = key.need("composite")?.list()?;
        let stored = names.iter().map(|name| {
            let name = name.text()?;
            let attribute = schema.get("attributes").and_then(|node| node.get(name));
            let field = attribute.and_then(|node| node.get("field")?.as_text());
            Ok(field.unwrap_or(name).to_owned())
        });
        return stored.collect();
    }
    Ok(vec![key.need_text("field")?.to_owned()])
}

/// Whether DynamoDB puts the parts of the key together by itself.
pub(super) fn is_composite(index: &Node) -> bool {
    index.get("type").and_then(Node::as_text) == Some("composite")
}

/// Adds what an entity says about the table. Entities of one table must agree about it.
pub(super) fn add(schema: &Node, table: &mut Table) -> Result<(), ImportError> {
    let mut has_primary = false;
    for (_, index) in schema.need("indexes")?.map()? {
        let (partition, sort) = (fields(schema, index, "pk")?, fields(schema, index, "sk")?);
        let Some(first) = partition.first() else {
            return Err(index.error("an index has a `pk`"));
        };
        let Some(stored) = index.get("index").map(Node::text).transpose()? else {
            has_primary = true;
            let is_new = table.partition.is_empty();
            if !is_new && (table.partition != *first || table.sort.as_ref() != sort.first()) {
                return Err(index.error(format!(
                    "the primary key is {first:?} with {sort:?} here, and {:?} with {:?} in another entity: entities of one table have one key",
                    table.partition, table.sort
                )));
            }
            table.partition.clone_from(first);
            table.sort = sort.into_iter().next();
            continue;
        };
        let name = name_index(stored);
        if let Some(known) = table.indexes.iter().find(|known| known.name == name) {
            if known.partition != partition || known.sort != sort {
                return Err(index.error(format!(
                    "the index {stored:?} has the fields {partition:?} and {sort:?} here, and {:?} and {:?} in another entity",
                    known.partition, known.sort
                )));
            }
            continue;
        }
        let local = partition.first() == Some(&table.partition) && !is_composite(index);
        table.indexes.push(Index {
            stored: (name != stored).then(|| stored.to_owned()),
            name,
            partition,
            sort,
            projection: projection(index)?,
            reach: if local { Reach::Local } else { Reach::Global },
            remarks: Vec::new(),
        });
    }
    if has_primary {
        Ok(())
    } else {
        Err(schema
            .need("indexes")?
            .error("no index is the primary key: one of them has no `index`"))
    }
}

fn projection(index: &Node) -> Result<Projection, ImportError> {
    let Some(projection) = index.get("projection") else {
        return Ok(Projection::All);
    };
    match projection.as_text().map(str::to_lowercase).as_deref() {
        Some("keys_only") => return Ok(Projection::Keys),
        Some("all") => return Ok(Projection::All),
        Some(_) | None => {}
    }
    let names: Result<Vec<String>, ImportError> = projection
        .list()?
        .iter()
        .map(|name| name.text().map(ToOwned::to_owned))
        .collect();
    Ok(Projection::Some(names?))
}
