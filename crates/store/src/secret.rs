//! Secrets: hashed when written, never shown.

use monotable_item::{AttributeValue, Item};
use sha2::{Digest, Sha256};

mod bcrypt_text;

pub(crate) use bcrypt_text::MOST_BYTES;

/// The bcrypt hash of a text; none if the text is longer than bcrypt reads.
pub(crate) fn hash(text: &str, cost: u32, salt: [u8; 16]) -> Option<String> {
    bcrypt_text::hash(text, cost, salt)
}

/// Whether a text is a bcrypt hash.
pub(crate) fn is_hash(text: &str) -> bool {
    bcrypt_text::is_hash(text)
}

/// What a hash is called where one is given in place of the text: `{"bcrypt": "$2b$..."}`.
const BCRYPT: &str = "bcrypt";

/// A stored value of a hashed attribute as a caller would give it, so that it is not hashed again.
pub(crate) fn as_given(value: &AttributeValue) -> AttributeValue {
    match value {
        AttributeValue::S(hash) if is_hash(hash) => {
            AttributeValue::M(Item::new().with(BCRYPT, hash.as_str()))
        }
        other => other.clone(),
    }
}

/// The hash that a value says it is.
pub(crate) fn given_hash(value: &AttributeValue) -> Option<&str> {
    let AttributeValue::M(parts) = value else {
        return None;
    };
    match (parts.len(), parts.get(BCRYPT)) {
        (1, Some(AttributeValue::S(hash))) => {
            Some(hash).filter(|hash| is_hash(hash)).map(String::as_str)
        }
        _ => None,
    }
}

/// Whether a text is the one that was hashed.
pub(crate) fn verify(text: &str, hash: &str) -> bool {
    bcrypt_text::verify(text, hash)
}

/// How hashes begin that are made with a cost and a salt: `$2b$10$` and the salt.
pub(crate) fn begin_hash(cost: u32, salt: [u8; 16]) -> Option<String> {
    bcrypt_text::beginning(cost, salt)
}

/// How a hash begins: what a text is hashed with that is held against it.
pub(crate) fn beginning_of(hash: &str) -> Option<&str> {
    bcrypt_text::beginning_of(hash)
}

/// Whether a text is hashed alike by all programs: some read it up to a zero, and all cut off what is too long.
pub(crate) fn is_hashed_alike(text: &str) -> bool {
    text.len() <= MOST_BYTES && !text.contains('\0')
}

/// Whether two hashes are of the same text with the same salt.
pub(crate) fn are_same(one: &str, other: &str) -> bool {
    bcrypt_text::are_same(one, other)
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
