//! Facets: what NoSQL Workbench calls the kinds of rows of a table.

use super::sample::read_item;
use crate::document::Node;
use crate::error::ImportError;
use monotable_item::Item;
use monotable_sketch::{Attribute, Entity, Table, name_entity};
use std::collections::{BTreeMap, BTreeSet};

/// A kind of row.
#[derive(Debug)]
pub(super) struct Facet {
    pub(super) name: String,
    /// The table in the model.
    pub(super) table: String,
    /// What it calls the parts of its key.
    pub(super) aliases: String,
    attributes: Vec<String>,
    items: Vec<Item>,
    /// The types of the table's attributes.
    kinds: BTreeMap<String, String>,
}

pub(super) fn read(node: &Node, table: &Table) -> Result<Vec<Facet>, ImportError> {
    let Some(facets) = node.get("TableFacets") else {
        return Ok(Vec::new());
    };
    let kinds = read_kinds(node)?;
    let mut found = Vec::new();
    for facet in facets.list()? {
        let alias = facet.get("KeyAttributeAlias");
        let alias = |name: &str| alias.and_then(|node| node.get(name)?.as_text());
        let aliases = ["PartitionKeyAlias", "SortKeyAlias"]
            .into_iter()
            .filter_map(alias);
        let aliases: Vec<&str> = aliases.collect();
        let names = facet.get("NonKeyAttributes").map(Node::list).transpose()?;
        let names: Result<Vec<String>, ImportError> = names
            .unwrap_or_default()
            .iter()
            .map(|name| name.text().map(ToOwned::to_owned))
            .collect();
        let items = facet.get("TableData").map(Node::list).transpose()?;
        let items: Result<Vec<Item>, ImportError> =
            items.unwrap_or_default().iter().map(read_item).collect();
        let mut attributes = names?;
        attributes.retain(|name| !table.key_attributes().any(|key| key == name));
        found.push(Facet {
            name: name_entity(facet.need_text("FacetName")?),
            table: table.name.clone(),
            aliases: aliases.join(" / "),
            attributes,
            items: items?,
            kinds: kinds.clone(),
        });
    }
    Ok(found)
}

fn read_kinds(node: &Node) -> Result<BTreeMap<String, String>, ImportError> {
    let mut kinds = BTreeMap::new();
    let attributes = node.get("NonKeyAttributes").map(Node::list).transpose()?;
    for attribute in attributes.unwrap_or_default() {
        let name = attribute.need_text("AttributeName")?.to_owned();
        let kind = attribute.get("AttributeType").and_then(Node::as_text);
        kinds.insert(name, kind.unwrap_or("S").to_owned());
    }
    Ok(kinds)
}

/// The facet that rows of an entity are shown in: the one that has them, or whose attributes are theirs.
pub(super) fn best<'f>(
    facets: &'f [Facet],
    table: &str,
    entity: &Entity,
    items: &[&Item],
) -> Option<(usize, &'f Facet)> {
    let candidates = facets.iter().enumerate();
    let candidates = candidates.filter(|(_, facet)| facet.table == table);
    let scored = candidates.filter_map(|(position, facet)| {
        let shown = items
            .iter()
            .filter(|item| facet.items.contains(item))
            .count();
        let likeness = likeness(facet, entity);
        let is_likely = shown > 0 || (facet.items.is_empty() && likeness >= 500);
        is_likely.then_some((shown, likeness, position, facet))
    });
    let best = scored.max_by_key(|(shown, likeness, position, _)| {
        (*shown, *likeness, std::cmp::Reverse(*position))
    });
    best.map(|(_, _, position, facet)| (position, facet))
}

/// How many of a thousand attributes a facet and an entity share.
fn likeness(facet: &Facet, entity: &Entity) -> usize {
    let facet: BTreeSet<&str> = facet.attributes.iter().map(String::as_str).collect();
    let entity: BTreeSet<&str> = entity
        .attributes
        .iter()
        .map(|attribute| attribute.name.as_str())
        .collect();
    let shared = facet.intersection(&entity).count();
    let all = facet.union(&entity).count();
    shared * 1000 / all.max(1)
}

/// Adds the attributes that a facet has and no row of the sample.
pub(super) fn complete(entity: &mut Entity, facet: &Facet) {
    for name in &facet.attributes {
        let is_key = entity.is.iter().any(|(known, _)| known == name);
        if entity.attribute(name).is_some() || is_key {
            continue;
        }
        let kind = match facet.kinds.get(name).map(String::as_str) {
            Some("N") => "number",
            Some("BOOL") => "boolean",
            Some("B") => "binary",
            Some("M") => "map",
            Some("L") => "[any]",
            Some("S") => "text",
            Some(_) | None => "any",
        };
        let attribute = Attribute::new(name, kind).optional();
        entity
            .attributes
            .push(attribute.remark("No row of the sample data has it."));
    }
}
