//! Which characters the attributes of keys never contain, so that a key is read back in one way.

use crate::Sketch;
use crate::entity::Entity;
use crate::template::{Part, Template};
use std::collections::BTreeMap;

/// What cannot be said in a clause `without`.
const UNSAYABLE: &[char] = &[',', '\'', '"', '(', ')', '[', ']', '{', '}', '?'];

/// Says of every free text in a key that it never contains the character that follows it there. `remark` is added where
/// that is said, because a source that says nothing about it may have such values.
pub fn separate_keys(sketch: &mut Sketch, remark: Option<&str>) {
    for entity in &mut sketch.entities {
        for (name, characters) in delimiters(entity) {
            let Some(attribute) = entity.attribute_mut(&name) else {
                continue;
            };
            if !attribute.is_free_text() || characters.is_empty() {
                continue;
            }
            attribute.clauses.push(format!("without = {characters}"));
            if let Some(remark) = remark {
                attribute.remarks.push(remark.replace("{}", &characters));
            }
        }
    }
}

/// Of each attribute in keys, the characters that follow it.
fn delimiters(entity: &Entity) -> BTreeMap<String, String> {
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    let templates = entity.keys.iter().flat_map(|key| key.templates());
    for (name, character) in templates.flat_map(followers) {
        let known = all.entry(name).or_default();
        if !known.contains(character) {
            known.push(character);
        }
    }
    all
}

fn followers(template: &Template) -> Vec<(String, char)> {
    let next = template.parts.iter().skip(1).map(Some).chain([None]);
    let pairs = template.parts.iter().zip(next);
    let followed = pairs.filter_map(|(part, next)| match (part, next) {
        (Part::Field(field), Some(Part::Text(text))) => {
            let first = text.chars().next()?;
            let is_sayable = !first.is_alphanumeric() && !first.is_whitespace();
            let character = first;
            (is_sayable && !UNSAYABLE.contains(&character))
                .then(|| (field.attribute.clone(), character))
        }
        _ => None,
    });
    followed.collect()
}
