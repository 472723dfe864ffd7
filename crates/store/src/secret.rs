//! Secrets: hashed when written, never shown.

use crate::circumstances::Circumstances;
use crate::field_error::{FieldError, Problem};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Entity;
use sha2::{Digest, Sha256};

mod bcrypt_text;

use bcrypt_text::MOST_BYTES;

/// Replaces the given values of hashed attributes by their hashes.
pub(crate) fn hash_given(
    entity: &Entity,
    given: &mut Item,
    circumstances: &Circumstances,
    errors: &mut Vec<FieldError>,
) {
    for attribute in &entity.attributes {
        let Some(cost) = attribute.hashed else {
            continue;
        };
        let name = &attribute.name.value;
        let Some(AttributeValue::S(text)) = given.get(name) else {
            continue;
        };
        let Ok(salt) = circumstances.random() else {
            errors.push(FieldError::new(name, Problem::NoEntropy));
            continue;
        };
        let salt = salt.to_be_bytes();
        match bcrypt_text::hash(text, cost, salt) {
            Some(hash) => {
                given.insert(name.clone(), hash);
            }
            None => {
                let wanted = format!("a text of at most {MOST_BYTES} bytes");
                errors.push(FieldError::new(name, Problem::Wrong { wanted }));
                given.remove(name);
            }
        }
    }
}

/// Whether a text is the one that was hashed.
pub(crate) fn verify(text: &str, hash: &str) -> bool {
    bcrypt_text::verify(text, hash)
}

/// A hash that no text has, so that asking about nobody takes as long as asking about somebody.
pub(crate) fn verify_nobody(text: &str, cost: u32) -> bool {
    let _ = bcrypt_text::hash(
        text.get(..text.len().min(MOST_BYTES)).unwrap_or(""),
        cost,
        [0; 16],
    );
    false
}

const MASK: &str = "mask";
const SHA256: &str = "sha256";

/// What is stored of a secret that is told by its hash: the hash, and what may be shown. A map, which no text that a caller
/// gives can be mistaken for.
pub(crate) fn digest(value: &AttributeValue, mask: (usize, usize)) -> Option<AttributeValue> {
    let AttributeValue::S(text) = value else {
        return None;
    };
    let sha256: String = Sha256::digest(text.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let parts = [
        (MASK.to_owned(), masked(value, Some(mask))?),
        (SHA256.to_owned(), AttributeValue::S(sha256)),
    ];
    Some(AttributeValue::M(parts.into_iter().collect()))
}

/// Mask and hash of a secret that is stored as those.
pub(crate) fn digested(value: &AttributeValue) -> Option<(&str, &str)> {
    let AttributeValue::M(parts) = value else {
        return None;
    };
    match (parts.len(), parts.get(MASK), parts.get(SHA256)) {
        (2, Some(AttributeValue::S(mask)), Some(AttributeValue::S(sha256))) => Some((mask, sha256)),
        _ => None,
    }
}

/// A value as it may be shown: nothing, or the ends around stars.
pub(crate) fn masked(
    value: &AttributeValue,
    mask: Option<(usize, usize)>,
) -> Option<AttributeValue> {
    let (first, last) = mask?;
    if let Some((mask, _)) = digested(value) {
        return Some(mask.into());
    }
    let AttributeValue::S(text) = value else {
        return None;
    };
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= first + last {
        return Some(AttributeValue::S("*".repeat(16)));
    }
    let head: String = characters.iter().take(first).collect();
    let tail: String = characters.iter().skip(characters.len() - last).collect();
    Some(AttributeValue::S(format!("{head}{}{tail}", "*".repeat(16))))
}
