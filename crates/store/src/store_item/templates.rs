//! The key templates of a model, each under a name of its own.
//!
//! The names say what is written by a template: `User` are the rows of an entity, `User.GSI1` their keys in an index,
//! `User.unique.email` the guards of a claim, `[tenant]` what stands before all keys. What is added to a model adds a
//! name, so only a template that had another text before is a change.

use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Guard, Key, KeyPlace, Model, TableId};
use std::collections::{BTreeMap, BTreeSet};

/// Before the names, in the attributes of the store's own item.
const ATTRIBUTE: &str = "monotable#template#";

/// The name of the tenant's prefix.
pub(crate) const TENANT: &str = "[tenant]";

/// What one thing is written with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// The template, as errors show it.
    pub(crate) text: String,
    /// Other templates under which the model finds such rows too.
    pub(super) others: BTreeSet<String>,
}

/// The templates of a model.
pub(crate) struct Templates(pub(crate) BTreeMap<String, Written>);

/// The templates that rows of a store may have, by name.
pub(crate) type Recorded = BTreeMap<String, BTreeSet<String>>;

/// Whether a name is that of a key in an index, such as `User.GSI1`.
pub(super) fn is_of_index(name: &str) -> bool {
    name.contains('.') && !name.contains(".unique.")
}

impl Templates {
    pub(crate) fn new(model: &Model) -> Self {
        let mut templates = BTreeMap::new();
        let tenant = match &model.tenant {
            Some(tenant) => match &tenant.bare {
                Some(bare) => format!("{} but for {bare}", tenant.prefix.text),
                None => tenant.prefix.text.clone(),
            },
            None => "no tenants".to_owned(),
        };
        templates.insert(TENANT.to_owned(), Written::plain(tenant));
        for (_, entity) in model.stored() {
            let own = &entity.name.value;
            for key in entity.keys.iter().filter(|key| !key.implied) {
                let layouts = entity.layouts.iter();
                let others = layouts.flat_map(|layout| {
                    let mut keys = layout.keys.iter();
                    let other = keys.find(|other| other.place == key.place)?;
                    Some(key_text(model, layout.table, other))
                });
                let written = Written {
                    text: key_text(model, entity.table, key),
                    others: others.collect(),
                };
                templates.insert(key_name(model, entity.table, own, key), written);
            }
            for claim in &entity.claims {
                if let Guard::Row { key, .. } = &claim.guard {
                    let written = Written {
                        text: key_text(model, entity.table, key),
                        others: BTreeSet::new(),
                    };
                    templates.insert(format!("{own}.unique.{}", claim.name.value), written);
                }
            }
        }
        Self(templates)
    }

    /// As attributes of the store's own item.
    pub(super) fn attributes(&self) -> impl Iterator<Item = (String, AttributeValue)> {
        let written = self.0.iter();
        written.map(|(name, written)| (attribute(name), set_of(&written.text)))
    }
}

impl Written {
    const fn plain(text: String) -> Self {
        Self {
            text,
            others: BTreeSet::new(),
        }
    }
}

/// The attribute that holds the templates of a name.
pub(super) fn attribute(name: &str) -> String {
    format!("{ATTRIBUTE}{name}")
}

pub(super) fn set_of(text: &str) -> AttributeValue {
    AttributeValue::Ss(BTreeSet::from([text.to_owned()]))
}

/// What the item says.
pub(crate) fn read(item: &Item) -> Recorded {
    let read = item.iter().filter_map(|(attribute, value)| {
        let name = attribute.strip_prefix(ATTRIBUTE)?;
        match value {
            AttributeValue::Ss(texts) => Some((name.to_owned(), texts.clone())),
            _ => None,
        }
    });
    read.collect()
}

fn key_name(model: &Model, table: TableId, entity: &str, key: &Key) -> String {
    match key.place {
        KeyPlace::Primary => entity.to_owned(),
        KeyPlace::Index(position) => {
            let index = model.table(table).indexes.get(position);
            let index = index.map_or("", |index| index.name.value.as_str());
            format!("{entity}.{index}")
        }
    }
}

/// A key as errors show it.
fn key_text(model: &Model, table: TableId, key: &Key) -> String {
    let table = &model.table(table).name.value;
    let global = if key.global { " (global)" } else { "" };
    let texts: Vec<_> = key
        .templates()
        .map(|template| template.text.as_str())
        .collect();
    format!("{table}: {}{global}", texts.join(" / "))
}

/// Whether a stored key may be one of a template that is known by its text alone: it contains what stands between the
/// fields, in this order. A tenant's prefix may stand before it. Keys of other templates may look the same; none of this
/// template looks different.
pub(crate) fn may_be_of(text: &str, hash: &str, range: Option<&str>) -> bool {
    let text = text.split_once(": ").map_or(text, |(_, key)| key);
    let text = text.strip_suffix(" (global)").unwrap_or(text);
    match (text.rsplit_once(" / "), range) {
        (Some((first, second)), Some(range)) => {
            contains_literals(first, hash) && contains_literals(second, range)
        }
        (None, None) => contains_literals(text, hash),
        (Some(_), None) | (None, Some(_)) => false,
    }
}

fn contains_literals(template: &str, key: &str) -> bool {
    let mut key = key;
    literals(template).into_iter().all(|literal| {
        let found = key.split_once(literal);
        found.is_some_and(|(_, rest)| {
            key = rest;
            true
        })
    })
}

/// The texts between the fields of a template.
fn literals(template: &str) -> Vec<&str> {
    let mut literals = Vec::new();
    let mut rest = template;
    while let Some((before, field)) = rest.split_once('{') {
        literals.push(before);
        rest = field.split_once('}').map_or("", |(_, after)| after);
    }
    literals.push(rest);
    literals.retain(|literal| !literal.is_empty());
    literals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_told_by_the_texts_between_its_fields() {
        let template = "App: U#{userId}#VALUES#{revId} / NODE#{nodeId:05}";
        for hash in ["U#abc#VALUES#r1", "blue/U#abc#VALUES#r1"] {
            assert!(may_be_of(template, hash, Some("NODE#00007")));
            assert!(!may_be_of(template, hash, Some("EDGE#1")));
            assert!(!may_be_of(template, hash, None));
        }
        assert!(!may_be_of(template, "U#abc#PLAN#r1", Some("NODE#1")));
        assert!(may_be_of("T: {id}", "anything", None));
        assert!(may_be_of("T: SITES / {a|'x'} (global)", "SITES", Some("b")));
    }
}
