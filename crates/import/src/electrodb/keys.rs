//! The keys that ElectroDB renders, as templates.

mod compose;

use super::Identity;
use super::indexes::is_composite;
use crate::document::Node;
use crate::error::ImportError;
use crate::words::read_words;
use compose::{Composer, Unsayable};
use monotable_sketch::{
    Entity, Key, Names, Pattern, Place, Table, Template, name_index, name_pattern,
};

/// Adds the templates of every index of an entity: the primary key first.
pub(super) fn read(
    schema: &Node,
    identity: &Identity<'_>,
    table: &Table,
    entity: &mut Entity,
) -> Result<(), ImportError> {
    for (name, index) in schema.need("indexes")?.map()? {
        if is_composite(index) {
            continue;
        }
        let place = place(index)?;
        if index.get("condition").is_some() {
            entity.remarks.push(format!(
                "The condition of the index {name:?} is code and not said here: all rows are in it. `when.{}` says a predicate.",
                place.name()
            ));
        }
        let composer = Composer {
            schema,
            identity,
            index,
        };
        match composer.compose() {
            Ok((partition, sort)) => {
                let key = Key::new(place, partition, sort);
                let at = if key.place == Place::Primary { 0 } else { entity.keys.len() };
                entity.keys.insert(at, key);
            }
            Err(Unsayable::Wrong(error)) => return Err(error),
            Err(Unsayable::Code(reason)) if place == Place::Primary => {
                return Err(index.error(format!("a model cannot write this primary key: {reason}")));
            }
            Err(Unsayable::Code(reason)) => entity.remarks.push(format!(
                "The key of the index {} is not written here: {reason}. Rows that Monotable writes are not in it.",
                place.name()
            )),
        }
    }
    pad_numbers(entity);
    let is_primary = |key: &Key| key.place == Place::Primary;
    if !entity.keys.iter().any(is_primary) {
        return Err(schema.error(format!(
            "the entity has no key in the table's own index ({})",
            table.partition
        )));
    }
    Ok(())
}

fn place(index: &Node) -> Result<Place, ImportError> {
    let stored = index.get("index").map(Node::text).transpose()?;
    Ok(stored.map_or(Place::Primary, |stored| Place::Index(name_index(stored))))
}

/// A number that is padded in a key is a whole one.
fn pad_numbers(entity: &mut Entity) {
    let templates = entity.keys.iter().flat_map(|key| key.templates());
    let padded: Vec<String> = templates
        .flat_map(Template::fields)
        .filter(|field| {
            field
                .formats
                .iter()
                .any(|format| format.starts_with(|c: char| c.is_ascii_digit()))
        })
        .map(|field| field.attribute.clone())
        .collect();
    for name in padded {
        if let Some(attribute) = entity.attribute_mut(&name) {
            "integer(0..)".clone_into(&mut attribute.kind);
        }
    }
}

/// The access patterns that the schemas name: each index of each entity, and the collections.
pub(crate) fn patterns(schemas: &[(&Node, &Entity)]) -> Result<Vec<Pattern>, ImportError> {
    let mut names = Names::default();
    let mut found: Vec<Pattern> = Vec::new();
    for (schema, entity) in schemas {
        for (name, index) in schema.need("indexes")?.map()? {
            let place = place(index)?;
            let Some(key) = entity.keys.iter().find(|key| key.place == place) else {
                continue;
            };
            let mut pattern = Pattern::new(
                names.claim(&name_pattern(&format!("{} {name}", entity.name))),
                place.clone(),
            );
            pattern.about = Some(format!("ElectroDB's {}.query.{name}", entity.name));
            pattern.partition = key.partition.iter().map(ToString::to_string).collect();
            if let Some(sort) = key.sort.first() {
                pattern.sort = vec![beginning(sort)];
            }
            pattern.returns = vec![entity.name.clone()];
            found.push(pattern);
        }
    }
    let collections = collections(schemas)?;
    found.extend(collections.into_iter().map(|(name, mut pattern)| {
        pattern.name = names.claim(&name_pattern(&name));
        pattern
    }));
    Ok(found)
}

/// Rows of several entities that stand together, by the name of the collection.
fn collections(schemas: &[(&Node, &Entity)]) -> Result<Vec<(String, Pattern)>, ImportError> {
    let mut found: Vec<(String, Pattern)> = Vec::new();
    for (schema, entity) in schemas {
        for (_, index) in schema.need("indexes")?.map()? {
            let place = place(index)?;
            let key = entity.keys.iter().find(|key| key.place == place);
            let (Some(collection), Some(key)) = (index.get("collection"), key) else {
                continue;
            };
            let names = match collection.as_text() {
                Some(name) => vec![name.to_owned()],
                None => read_words(collection).unwrap_or_default(),
            };
            let leading = key.sort.first().map_or("", Template::leading_text);
            let mut prefix = String::new();
            for name in names {
                let sign = if prefix.is_empty() { '$' } else { '#' };
                prefix = format!("{prefix}{sign}{name}");
                let known = found.iter_mut().find(|(known, _)| *known == name);
                if let Some((_, pattern)) = known {
                    pattern.returns.push(entity.name.clone());
                    continue;
                }
                // As the key has it: the casing is the index's.
                let written = leading.get(..=prefix.len()).unwrap_or(leading);
                let mut pattern = Pattern::new("", place.clone());
                pattern.about = Some(format!("ElectroDB's collection {name}"));
                pattern.partition = key.partition.iter().map(ToString::to_string).collect();
                pattern.sort = vec![format!("{}*", Template::text(written))];
                pattern.returns = vec![entity.name.clone()];
                found.push((name, pattern));
            }
        }
    }
    Ok(found)
}

/// What all sort keys of an entity begin with.
fn beginning(sort: &Template) -> String {
    if sort.is_constant() {
        sort.to_string()
    } else {
        format!("{}*", Template::text(sort.leading_text()))
    }
}
