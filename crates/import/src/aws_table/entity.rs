//! The rows of a table whose keys are attributes with meaningful names.

use super::AwsTable;
use monotable_sketch::{Attribute, Entity, Key, Names, Place, Sketch, Template, name_entity};

/// Names that say only that an attribute is a key.
const GENERIC: &[&str] = &[
    "hash",
    "hashkey",
    "hk",
    "key",
    "partition",
    "partitionkey",
    "pk",
    "range",
    "rangekey",
    "rk",
    "sk",
    "sort",
    "sortkey",
];

/// Adds a table and, if its key attributes say what they hold, one entity for its rows.
pub(crate) fn sketch_rows(sketch: &mut Sketch, aws: AwsTable, names: &mut Names) {
    let AwsTable { mut table, kinds } = aws;
    let is_text = |name: &String| kinds.get(name).is_none_or(|kind| kind == "S");
    let own: Vec<&String> = std::iter::once(&table.partition)
        .chain(&table.sort)
        .collect();
    let generic = |name: &str| {
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        GENERIC.contains(&plain.to_ascii_lowercase().as_str())
    };
    if let Some(other) = own.iter().find(|name| !is_text(name)) {
        table.remarks.push(format!(
            "`{other}` is part of the primary key and no text. A model writes primary keys as text, so the rows of this table cannot be declared."
        ));
        sketch.tables.push(table);
        return;
    }
    if own.iter().any(|name| generic(name)) {
        table.remarks.push(
            "A description of a table says nothing about the entities in it. `monotable infer` finds them in its items."
                .to_owned(),
        );
        sketch.tables.push(table);
        return;
    }
    let key = Key::new(
        Place::Primary,
        Template::attribute(&table.partition),
        table.sort.as_ref().map(Template::attribute),
    );
    let mut entity = Entity {
        name: names.claim(&name_entity(&table.name)),
        keys: vec![key],
        settings: vec![("open".to_owned(), "true".to_owned())],
        remarks: vec![
            "Only the attributes of keys are known; the entity is open, so that rows keep all others. `monotable infer` finds those."
                .to_owned(),
        ],
        ..Entity::default()
    };
    if !sketch.tables.is_empty() {
        entity.table = Some(table.name.clone());
    }
    for name in table.key_attributes() {
        if entity.attribute(name).is_some() {
            continue;
        }
        let kind = match kinds.get(name).map(String::as_str) {
            Some("N") => "number",
            Some("B") => "binary",
            _ => "text",
        };
        let attribute = Attribute::new(name, kind);
        let is_primary = name == table.partition || table.sort.as_deref() == Some(name);
        entity.attributes.push(if is_primary {
            attribute
        } else {
            attribute.optional()
        });
    }
    sketch.tables.push(table);
    sketch.entities.push(entity);
}
