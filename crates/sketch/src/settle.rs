//! What the model language wants to have said, and follows from what is known.

use crate::Sketch;
use crate::attribute::Attribute;
use crate::template::Template;
use crate::write::quote;

/// Makes a sketch say all that the language wants.
pub(crate) fn settle(sketch: &mut Sketch) {
    fix_keys(sketch);
    declare_expiry(sketch);
}

/// Words, flags and numbers in a primary key never change: the tools and tables that models are made of cannot change a key.
fn fix_keys(sketch: &mut Sketch) {
    for entity in &mut sketch.entities {
        let key = entity.primary();
        let fields = key.into_iter().flat_map(|key| key.templates());
        let shown: Vec<String> = fields
            .flat_map(Template::fields)
            .map(|field| field.attribute.clone())
            .collect();
        for attribute in &mut entity.attributes {
            let is_free = ["immutable", "movable", "key_only", "generated"]
                .iter()
                .all(|clause| !attribute.has_clause(clause));
            if shown.contains(&attribute.name) && describes(attribute) && is_free {
                attribute.clauses.push("immutable".to_owned());
            }
        }
    }
}

/// Whether an attribute describes a row instead of naming it.
fn describes(attribute: &Attribute) -> bool {
    let kinds = ["boolean", "integer", "number"];
    attribute.kind.contains(" | ") || kinds.iter().any(|kind| attribute.kind.starts_with(kind))
}

/// A time to live must be declared by an entity: by one that keeps whatever rows have, or else it is a remark.
fn declare_expiry(sketch: &mut Sketch) {
    for position in 0..sketch.tables.len() {
        let Some(table) = sketch.tables.get(position) else {
            continue;
        };
        let setting = table.settings.iter().find(|(key, _)| key == "ttl");
        let Some((_, quoted)) = setting.cloned() else {
            continue;
        };
        let name = table.name.clone();
        let is_here = |own: &Option<String>| own.as_ref().map_or(position == 0, |own| *own == name);
        let stored = quoted.trim_matches('"').to_owned();
        let is_expiry = |attribute: &Attribute| {
            let is_named = attribute.name == stored
                || attribute.clauses.contains(&format!("stored = {stored}"));
            is_named && attribute.kind == "epoch"
        };
        let mut entities = sketch.entities.iter();
        if entities.any(|entity| is_here(&entity.table) && entity.attributes.iter().any(is_expiry))
        {
            continue;
        }
        let is_open = |settings: &[(String, String)]| {
            settings.contains(&("open".to_owned(), "true".to_owned()))
        };
        let mut entities = sketch.entities.iter_mut();
        let open = entities.find(|entity| {
            is_here(&entity.table)
                && is_open(&entity.settings)
                && entity.attribute(&stored).is_none()
        });
        if let Some(open) = open {
            open.attributes
                .push(Attribute::new(&stored, "epoch").optional());
        } else if let Some(table) = sketch.tables.get_mut(position) {
            table.settings.retain(|(key, _)| key != "ttl");
            table.remarks.push(format!(
                "Rows expire by {}: say `ttl = {}` here once an entity has that attribute as an `epoch`.",
                stored,
                quote(&stored)
            ));
        }
    }
}
