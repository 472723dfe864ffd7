//! Values that are stored as their hashes.

use super::Circumstances;
use crate::field_error::{FieldError, Problem};
use crate::{secret, value};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Attribute, Entity};

/// Replaces the given values of hashed attributes by their hashes. What is refused is taken out and reported.
pub(super) fn hash_given(
    entity: &Entity,
    given: &mut Item,
    circumstances: &Circumstances,
    errors: &mut Vec<FieldError>,
) {
    for attribute in &entity.attributes {
        let (Some(cost), name) = (attribute.hashed, &attribute.name.value) else {
            continue;
        };
        let value = given.get(name).cloned();
        let Some(value) = value.filter(|value| *value != AttributeValue::Null) else {
            continue;
        };
        match hash(attribute, cost, value, circumstances) {
            Ok(hash) => {
                given.insert(name.clone(), hash);
            }
            Err(problem) => {
                errors.push(FieldError::new(name, problem));
                given.remove(name);
            }
        }
    }
}

/// The hash of a value. The kind of the attribute is that of the text: its hash is longer than any password may be.
fn hash(
    attribute: &Attribute,
    cost: u32,
    given: AttributeValue,
    circumstances: &Circumstances,
) -> Result<String, Problem> {
    if let Some(hash) = secret::given_hash(&given) {
        return Ok(hash.to_owned());
    }
    if matches!(given, AttributeValue::M(_)) {
        return Err(Problem::NoHash);
    }
    value::refuse_blank(&attribute.kind, &given)?;
    let AttributeValue::S(text) = value::accept(&attribute.kind, given)? else {
        return Err(Problem::NoHash);
    };
    if secret::is_hash(&text) {
        return Err(Problem::Hashed);
    }
    let salt = circumstances.random().map_err(|_| Problem::NoEntropy)?;
    secret::hash(&text, cost, salt.to_be_bytes()).ok_or_else(|| Problem::Wrong {
        wanted: format!("a text of at most {} bytes", secret::MOST_BYTES),
    })
}
