//! The fields of a model: keys, attributes and unique values.

mod kind;

use super::guard::Guard;
use super::{Parameters, template};
use crate::document::Node;
use crate::error::ImportError;
use kind::read_kind;
use monotable_sketch::{Attribute, Entity, Key, Place, Table, Template, name_attribute, quote};

/// What is read, or has no effect on what is stored.
const KNOWN: &[&str] = &[
    "default",
    "description",
    "encode",
    "enum",
    "filter",
    "fixed",
    "generate",
    "hidden",
    "isoDates",
    "items",
    "map",
    "name",
    "nulls",
    "partial",
    "required",
    "schema",
    "scope",
    "ttl",
    "type",
    "unique",
    "validate",
    "value",
];

/// Reads the fields into the entity, and tells which of them are unique.
pub(super) fn read<'d>(
    model: &'d str,
    fields: &'d Node,
    parameters: &Parameters,
    table: &mut Table,
    entity: &mut Entity,
) -> Result<Vec<Guard<'d>>, ImportError> {
    let mut guards = Vec::new();
    let key_attributes: Vec<String> = table.key_attributes().map(ToOwned::to_owned).collect();
    for (name, field) in fields.map()? {
        if !field.is_map() {
            return Err(field.error("a field is an object with a `type`"));
        }
        let stored = stored_name(name, field);
        if *name == parameters.type_field {
            continue;
        }
        let is_key = key_attributes.contains(&stored);
        let is_template = field.get("value").is_some();
        if is_key && is_template {
            continue;
        }
        let mut attribute = read_attribute(name, field, &stored, fields, parameters);
        if field.is_true("ttl") {
            read_ttl(&stored, table, &mut attribute);
        }
        if field.is_true("unique") && !is_key {
            guards.push(Guard {
                model,
                field: name,
                stored,
                scope: field.get("scope").and_then(Node::as_text),
                fields,
                owner: 0,
            });
        }
        entity.attributes.push(attribute);
    }
    add_times(fields, parameters, entity);
    read_keys(fields, table, entity)?;
    pad_numbers(entity);
    Ok(guards)
}

/// The name in the table.
fn stored_name(name: &str, field: &Node) -> String {
    let map = field.get("map").and_then(Node::as_text);
    map.unwrap_or(name).to_owned()
}

fn read_attribute(
    name: &str,
    field: &Node,
    stored: &str,
    fields: &Node,
    parameters: &Parameters,
) -> Attribute {
    let known = name_attribute(name);
    let mut attribute = match field.get("value").and_then(Node::as_text) {
        Some(value) => match template::read(value, fields) {
            Ok(template) => Attribute::new(known, format!("= {template}")),
            Err(reason) => Attribute::new(known, "text").optional().remark(format!(
                "OneTable computes it as {value:?}; that is not said here, because {reason}."
            )),
        },
        None => read_kind(Attribute::new(known, "text"), field, parameters),
    };
    if stored.contains('.') {
        attribute = attribute.remark(format!(
            "OneTable packs it into `{stored}`; a model has no word for a part of an attribute, so it is not read from there."
        ));
    } else if stored != attribute.name {
        attribute = attribute.clause(format!("stored = {}", write_stored(stored)));
    }
    if field.get("encode").is_some() {
        attribute = attribute.clause("key_only");
    }
    if field.is_true("hidden") && field.get("value").is_none() {
        attribute =
            attribute.remark("OneTable hides it unless it is asked for; here it is returned.");
    }
    for (word, value) in field.entries() {
        if !KNOWN.contains(&word.as_str()) && crate::aws_table::is_said(value) {
            attribute = attribute.remark(format!("`{word}` is not said here."));
        }
    }
    attribute
}

/// A name in the clause `stored`.
fn write_stored(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_plain {
        name.to_owned()
    } else {
        format!("'{name}'")
    }
}

fn read_ttl(stored: &str, table: &mut Table, attribute: &mut Attribute) {
    attribute.kind = "epoch".to_owned();
    let known = table.settings.iter().find(|(key, _)| key == "ttl");
    match known {
        None => table.set("ttl", quote(stored)),
        Some((_, other)) if *other == quote(stored) => {}
        Some((_, other)) => attribute.remarks.push(format!(
            "It is a time to live too, but a table has one attribute for that, and this one has {other}."
        )),
    }
}

fn add_times(fields: &Node, parameters: &Parameters, entity: &mut Entity) {
    let times = [
        (&parameters.created, "created"),
        (&parameters.updated, "updated"),
    ];
    for (name, clause) in times {
        let Some(name) = name else { continue };
        entity
            .attributes
            .retain(|attribute| attribute.name != *name);
        let iso = fields
            .get(name)
            .and_then(|field| field.get("isoDates")?.as_bool());
        entity.attributes.push(if iso.unwrap_or(parameters.iso_dates) {
            Attribute::new(name, "timestamp").clause(clause)
        } else {
            Attribute::new(name, "integer").optional().remark(format!(
                "OneTable stores it as milliseconds (`isoDates` is not set). Monotable keeps times up to date that are stored as ISO texts, and not this one: {clause} by OneTable alone."
            ))
        });
    }
}

/// The templates of the primary key and of every index that the model fills.
fn read_keys(fields: &Node, table: &Table, entity: &mut Entity) -> Result<(), ImportError> {
    let primary = (
        Place::Primary,
        table.partition.as_str(),
        table.sort.as_deref(),
    );
    let indexes = table.indexes.iter().map(|index| {
        (
            Place::Index(index.name.clone()),
            index.partition.first().map_or("", String::as_str),
            index.sort.first().map(String::as_str),
        )
    });
    for (place, partition, sort) in std::iter::once(primary).chain(indexes.collect::<Vec<_>>()) {
        let hash = read_part(fields, partition)?;
        let range = sort.map(|sort| read_part(fields, sort)).transpose()?;
        let is_primary = place == Place::Primary;
        match (hash, range) {
            // Rows have both for their own sake: the index needs no template.
            (Found::Own(_), None | Some(Found::Own(_))) if !is_primary => {}
            (hash, range) if hash.is_missing() || range.as_ref().is_some_and(Found::is_missing) => {
                if is_primary {
                    return Err(fields.error(format!(
                        "the model has no field for the primary key ({partition}{})",
                        sort.map(|sort| format!(", {sort}")).unwrap_or_default()
                    )));
                }
            }
            (Found::Unsayable(reason), _) | (_, Some(Found::Unsayable(reason))) => {
                let what = if is_primary {
                    "The primary key"
                } else {
                    "The key of an index"
                };
                let remark = format!("{what} ({}) is not said here: {reason}.", place.name());
                if is_primary {
                    return Err(fields.error(remark));
                }
                entity.remarks.push(remark);
            }
            (hash, range) => {
                let partition = hash.into_template();
                let sort = range.map(Found::into_template);
                entity.keys.push(Key::new(place, partition, sort));
            }
        }
    }
    Ok(())
}

/// How a model fills an attribute of a key.
enum Found {
    Template(Template),
    /// It is a field that callers give.
    Own(String),
    Unsayable(String),
    Missing,
}

impl Found {
    const fn is_missing(&self) -> bool {
        matches!(self, Self::Missing)
    }

    fn into_template(self) -> Template {
        match self {
            Self::Template(template) => template,
            Self::Own(name) => Template::attribute(name),
            Self::Unsayable(_) | Self::Missing => Template::default(),
        }
    }
}

fn read_part(fields: &Node, attribute: &str) -> Result<Found, ImportError> {
    let field = fields
        .map()?
        .iter()
        .find(|(name, field)| stored_name(name, field) == attribute);
    let Some((name, field)) = field else {
        return Ok(Found::Missing);
    };
    let Some(value) = field.get("value") else {
        return Ok(Found::Own(name_attribute(name)));
    };
    let Some(value) = value.as_text() else {
        return Ok(Found::Unsayable("its value is computed by code".to_owned()));
    };
    Ok(match template::read(value, fields) {
        Ok(template) => Found::Template(template),
        Err(reason) => Found::Unsayable(reason),
    })
}

/// A number that is padded in a key is a whole one.
fn pad_numbers(entity: &mut Entity) {
    let fields = entity.keys.iter().flat_map(|key| key.templates());
    let padded: Vec<String> = fields
        .flat_map(Template::fields)
        .filter(|field| !field.formats.is_empty())
        .map(|field| field.attribute.clone())
        .collect();
    for name in padded {
        if let Some(attribute) = entity.attribute_mut(&name) {
            attribute.kind = "integer(0..)".to_owned();
        }
    }
}
