//! One group as an entity.

use crate::Label;
use crate::grouping::{Group, values};
use crate::guess::is_generic;
use crate::kind;
use crate::presence::{self, Presence};
use crate::rendering::apply;
use crate::sample::ReadSample;
use crate::template::{Finder, Found, Unnamed};
use monotable_item::AttributeValue;
use monotable_sketch::{Attribute, Entity, Key, Part, Place, Template, name_attribute, quote};
use std::collections::BTreeSet;

pub(crate) fn describe(prepared: &ReadSample<'_>, group: &Group, label: Label) -> Entity {
    let mut entity = label.into_entity();
    let rows = group.rows.len();
    let plural = if rows == 1 { "row" } else { "rows" };
    entity
        .remarks
        .push(format!("Found in {rows} {plural} of the sample."));
    let mut finder = Finder {
        prepared,
        group,
        unnamed: Unnamed::new(),
    };
    let own = add_keys(&mut finder, &mut entity);
    let unnamed = finder.unnamed;
    add_attributes(prepared, group, &own, &mut entity);
    for (name, words) in &unnamed {
        let texts: Vec<&str> = words.iter().map(String::as_str).collect();
        let found = kind::find_text("id", &texts);
        let mut attribute = Attribute::new(name, found.kind);
        attribute.clauses = found.clauses;
        entity.attributes.push(
            attribute
                .clause("key_only")
                .remark("No attribute shows it; the name was made up from the key."),
        );
    }
    narrow(prepared, group, &unnamed, &mut entity);
    rename(&mut entity);
    entity
}

/// Adds the keys, and gives back the key attributes that rows have for their own sake.
fn add_keys(finder: &mut Finder<'_, '_>, entity: &mut Entity) -> BTreeSet<String> {
    let table = finder.prepared.table;
    let mut own = BTreeSet::new();
    let sort: Vec<String> = table.sort.iter().cloned().collect();
    let partition = std::slice::from_ref(&table.partition);
    let mut places: Vec<(Place, &[String], &[String])> = vec![(Place::Primary, partition, &sort)];
    for index in &table.indexes {
        let place = Place::Index(index.name.clone());
        places.push((place, &index.partition, &index.sort));
    }
    for (place, partition, sort) in places {
        let Some((hash, hash_own)) = find_part(finder, entity, &place, partition, &mut own) else {
            continue;
        };
        let Some((range, range_own)) = find_part(finder, entity, &place, sort, &mut own) else {
            continue;
        };
        let is_own = hash_own && (range_own || sort.is_empty());
        if is_own && place != Place::Primary {
            continue;
        }
        let key = Key {
            place: place.clone(),
            partition: hash,
            sort: range,
        };
        if place != Place::Primary {
            add_presence(finder, entity, &key, partition, sort);
        }
        entity.keys.push(key);
    }
    write_discriminators(entity);
    own
}

/// A discriminator in a key is text: all rows have the same.
fn write_discriminators(entity: &mut Entity) {
    let constants: Vec<(String, String)> = entity.is.clone();
    for key in &mut entity.keys {
        for template in key.partition.iter_mut().chain(&mut key.sort) {
            let mut written = Template::default();
            for part in std::mem::take(&mut template.parts) {
                match part {
                    Part::Text(text) => written.push_text(&text),
                    Part::Field(field) => {
                        let constant = constants.iter().find(|(name, _)| *name == field.attribute);
                        match constant {
                            Some((_, value)) => written.push_text(
                                &apply(&AttributeValue::S(value.clone()), &field.formats)
                                    .unwrap_or_default(),
                            ),
                            None => written.push_field(field),
                        }
                    }
                }
            }
            *template = written;
        }
    }
}

/// The templates of a part of a key, and whether all of them are attributes of their own. None: no row has it.
fn find_part(
    finder: &mut Finder<'_, '_>,
    entity: &mut Entity,
    place: &Place,
    names: &[String],
    own: &mut BTreeSet<String>,
) -> Option<(Vec<Template>, bool)> {
    let mut templates = Vec::new();
    let mut is_own = true;
    for name in names {
        match finder.find(name) {
            Found::Template(template) => {
                // An index on the table's own key needs no template.
                let table = finder.prepared.table;
                let is_primary = *name == table.partition || table.sort.as_ref() == Some(name);
                is_own &= is_primary && *place != Place::Primary;
                templates.push(template);
            }
            Found::Own => {
                own.insert(name.clone());
                templates.push(Template::attribute(name_attribute(name)));
            }
            Found::Absent => return None,
            Found::Mixed(one, other) => {
                entity.remarks.push(format!(
                    "Rows have {name} of {} in several forms, such as {one:?} and {other:?}: it is not declared, so the model would not write it.",
                    place.name()
                ));
                return None;
            }
        }
    }
    Some((templates, is_own))
}

fn add_presence(
    finder: &Finder<'_, '_>,
    entity: &mut Entity,
    key: &Key,
    partition: &[String],
    sort: &[String],
) {
    let attributes: Vec<&str> = partition.iter().chain(sort).map(String::as_str).collect();
    let templates: Vec<&Template> = key.templates().collect();
    let index = key.place.name();
    match presence::find(finder.prepared, finder.group, &attributes, &templates) {
        Presence::Attributes => {}
        Presence::When(predicate) => {
            let setting = (format!("when.{}", quote_name(index)), quote(&predicate));
            entity.settings.push(setting);
        }
        Presence::Unknown(rows) => entity.remarks.push(format!(
            "{rows} rows are not in {index} although they have what its key shows: `when.{index}` should say which are."
        )),
    }
}

fn quote_name(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.chars().all(is_bare) {
        name.to_owned()
    } else {
        quote(name)
    }
}

fn add_attributes(
    prepared: &ReadSample<'_>,
    group: &Group,
    own: &BTreeSet<String>,
    entity: &mut Entity,
) {
    let ttl = prepared.table.settings.iter().find(|(key, _)| key == "ttl");
    for name in &group.attributes {
        let is_key = prepared.key_attributes.contains(&name.as_str());
        let is_discriminator = entity.is.iter().any(|(known, _)| known == name);
        let is_made = is_key && is_generic(name) && !own.contains(name);
        if is_made || is_discriminator {
            continue;
        }
        let found = values(prepared.rows_of(group), name);
        let present = found.len();
        let mut attribute = if present == 0 {
            Attribute::new(name, "any").remark("It is null in all rows.")
        } else {
            let kind = kind::find(name, &found);
            let mut attribute = Attribute::new(name, kind.kind);
            attribute.clauses = kind.clauses;
            attribute.remarks.extend(kind.remark);
            attribute
        };
        if ttl.is_some_and(|(_, value)| *value == quote(name)) {
            "epoch".clone_into(&mut attribute.kind);
        }
        attribute.optional = present < group.rows.len();
        entity.attributes.push(attribute);
    }
}

/// What keys say of attributes: padded numbers have a greatest one, and texts have no separators.
fn narrow(prepared: &ReadSample<'_>, group: &Group, unnamed: &Unnamed, entity: &mut Entity) {
    let fields: Vec<(String, Vec<String>)> = entity
        .keys
        .iter()
        .flat_map(|key| key.templates())
        .flat_map(|template| template.fields())
        .map(|field| (field.attribute.clone(), field.formats.clone()))
        .collect();
    let separator = prepared.separator;
    for (name, formats) in fields {
        let contains = values(prepared.rows_of(group), &name)
            .into_iter()
            .any(|value| matches!(value, AttributeValue::S(text) if text.contains(separator)));
        let words = unnamed.get(&name).map(Vec::as_slice).unwrap_or_default();
        let contains = contains || words.iter().any(|word| word.contains(separator));
        let Some(attribute) = entity.attribute_mut(&name) else {
            continue;
        };
        let width = formats.iter().find_map(|format| format.parse::<u32>().ok());
        if let Some(width) = width
            && attribute.kind.starts_with("integer")
        {
            let most = 10_i64.checked_pow(width.min(18)).unwrap_or(i64::MAX) - 1;
            attribute.kind = format!("integer(0..{most})");
        }
        if attribute.is_free_text() && !contains {
            attribute.clauses.push(format!("without = {separator}"));
        }
    }
}

/// Names that templates cannot show get others; rows keep the old ones.
fn rename(entity: &mut Entity) {
    let names = entity.attributes.iter();
    let mut taken: BTreeSet<String> = names.map(|attribute| attribute.name.clone()).collect();
    for attribute in &mut entity.attributes {
        let mut name = name_attribute(&attribute.name);
        let is_shown = entity
            .keys
            .iter()
            .flat_map(|key| key.templates())
            .flat_map(Template::fields)
            .any(|field| field.attribute == attribute.name);
        let ends_badly = attribute.name.ends_with('*');
        if name == attribute.name || !(is_shown || ends_badly) {
            continue;
        }
        // Two names may differ in nothing but what a template cannot show.
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        let old = std::mem::replace(&mut attribute.name, name.clone());
        attribute.clauses.push(format!("stored = '{old}'"));
        for key in &mut entity.keys {
            for template in key.partition.iter_mut().chain(&mut key.sort) {
                for part in &mut template.parts {
                    if let Part::Field(field) = part
                        && field.attribute == old
                    {
                        field.attribute.clone_from(&name);
                    }
                }
            }
        }
    }
}
