//! Attributes that hold ids of other entities.

use crate::grouping::Group;
use crate::is_named_after;
use crate::sample::ReadSample;
use monotable_item::AttributeValue;
use monotable_sketch::{Entity, Template};
use std::collections::{BTreeMap, BTreeSet};

/// Every text of a group, by attribute.
pub(crate) type Texts = BTreeMap<String, BTreeSet<String>>;

/// The texts of all attributes of a group, also those in lists.
pub(crate) fn ids(prepared: &ReadSample<'_>, group: &Group) -> Texts {
    let mut texts = Texts::new();
    for row in prepared.rows_of(group) {
        for (name, value) in row.item.iter() {
            let known = texts.entry(name.clone()).or_default();
            match value {
                AttributeValue::S(text) => {
                    known.insert(text.clone());
                }
                AttributeValue::L(list) => {
                    let inner = list.iter().filter_map(|value| match value {
                        AttributeValue::S(text) => Some(text.clone()),
                        _ => None,
                    });
                    known.extend(inner);
                }
                _ => {}
            }
        }
    }
    texts
}

/// Says of attributes that all their values are ids of another entity. Only people know whether a reference is meant.
pub(crate) fn remark(entities: &mut [Entity], texts: &[Texts]) {
    let targets: Vec<(String, String, BTreeSet<String>)> = entities
        .iter()
        .zip(texts)
        .filter_map(|(entity, texts)| {
            let id = id_of(entity)?;
            Some((entity.name.clone(), id.clone(), texts.get(&id)?.clone()))
        })
        .collect();
    for (entity, texts) in entities.iter_mut().zip(texts) {
        let own = id_of(entity);
        let name = entity.name.clone();
        for attribute in &mut entity.attributes {
            let Some(values) = texts
                .get(&attribute.name)
                .filter(|values| !values.is_empty())
            else {
                continue;
            };
            let target = targets.iter().find(|(target, id, known)| {
                let is_self = *target == name && own.as_ref() == Some(&attribute.name);
                let is_named = *id == attribute.name || is_named_after(&attribute.name, target);
                !is_self && *target != name && is_named && values.is_subset(known)
            });
            if let Some((target, _, _)) = target {
                let list = attribute.kind.starts_with('[');
                let reference = if list {
                    format!("[-> {target}]")
                } else {
                    format!("-> {target}")
                };
                attribute.remarks.push(format!(
                    "All its values are ids of {target}: \"{reference}, on_delete = keep\" would make it a reference."
                ));
            }
        }
    }
}

/// The attribute that references to an entity would hold: the last that its key shows, if the key shows one alone.
fn id_of(entity: &Entity) -> Option<String> {
    let key = entity.primary()?;
    let mut names: Vec<&String> = key
        .templates()
        .flat_map(Template::fields)
        .map(|field| &field.attribute)
        .collect();
    names.dedup();
    let last = names.last().map(|name| (*name).clone())?;
    let is_named = names.len() == 1 || is_named_after(&last, &entity.name);
    is_named.then_some(last)
}
