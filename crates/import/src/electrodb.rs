//! ElectroDB: the schema object of one entity as JSON, a list of them, or a service.
//!
//! ElectroDB renders keys as `$service#attribute_value` and `$entity_version#attribute_value`, in lower case unless an
//! index says otherwise, and marks items with `__edb_e__` and `__edb_v__`. The templates here render the same bytes.

mod attributes;
mod indexes;
mod keys;

use crate::document::{Node, Value};
use crate::error::ImportError;
use monotable_sketch::{Entity, Names, Sketch, Table, name_entity, name_table};

/// What an entity is called in its keys.
pub(crate) struct Identity<'d> {
    service: &'d str,
    entity: &'d str,
    version: String,
}

/// Whether a file has entities of ElectroDB.
pub(crate) fn is_schema(document: &Node) -> bool {
    entities(document).is_ok_and(|found| !found.is_empty())
}

pub(crate) fn import(document: &Node) -> Result<Sketch, ImportError> {
    let schemas = entities(document)?;
    let mut sketch = Sketch::default();
    let mut names = Names::default();
    let mut table = Table::default();
    for schema in &schemas {
        let identity = Identity::read(schema)?;
        indexes::add(schema, &mut table)?;
        if sketch.name.is_empty() {
            sketch.name = identity.service.to_owned();
        }
    }
    let stored = schemas
        .iter()
        .find_map(|schema| schema.get("table")?.as_text());
    if let Some(stored) = stored {
        table.name = name_table(stored);
        table.stored = (table.name != stored).then(|| stored.to_owned());
    }
    for schema in &schemas {
        let identity = Identity::read(schema)?;
        let mut entity = Entity {
            name: names.claim(&name_entity(identity.entity)),
            is: vec![
                ("__edb_e__".to_owned(), identity.entity.to_owned()),
                ("__edb_v__".to_owned(), identity.version.clone()),
            ],
            ..Entity::default()
        };
        attributes::read(schema, &mut entity)?;
        keys::read(schema, &identity, &table, &mut entity)?;
        sketch.entities.push(entity);
    }
    let pairs: Vec<(&Node, &Entity)> = schemas.iter().copied().zip(&sketch.entities).collect();
    sketch.patterns = keys::patterns(&pairs)?;
    sketch.tables.push(table);
    Ok(sketch)
}

/// The schemas in a file.
fn entities(document: &Node) -> Result<Vec<&Node>, ImportError> {
    let is_schema = |node: &Node| {
        let model = node
            .get("model")
            .is_some_and(|model| model.get("entity").is_some());
        model && node.get("indexes").is_some()
    };
    if is_schema(document) {
        return Ok(vec![document]);
    }
    let inner = document.get("entities").unwrap_or(document);
    let candidates: Vec<&Node> = match &inner.value {
        Value::List(values) => values.iter().collect(),
        Value::Map(entries) => entries.iter().map(|(_, node)| node).collect(),
        _ => Vec::new(),
    };
    // An entity as JSON.stringify writes it has its schema below that name.
    let schemas = candidates.into_iter().map(|node| {
        node.get("schema")
            .filter(|node| is_schema(node))
            .unwrap_or(node)
    });
    let schemas: Vec<&Node> = schemas.filter(|node| is_schema(node)).collect();
    if schemas.is_empty() {
        return Err(document
            .error("there is no entity here: an object with `model`, `attributes` and `indexes`"));
    }
    Ok(schemas)
}

impl<'d> Identity<'d> {
    fn read(schema: &'d Node) -> Result<Self, ImportError> {
        let model = schema.need("model")?;
        let version = model.get("version").and_then(Node::as_scalar);
        Ok(Self {
            service: model.need_text("service")?,
            entity: model.need_text("entity")?,
            version: version.unwrap_or_else(|| "1".to_owned()),
        })
    }
}
