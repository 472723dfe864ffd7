//! What a row says, in sixteen bytes.

use crate::record::Record;
use crate::scope::Scope;
use monotable_item::{EncodedItem, Item};
use sha2::{Digest, Sha256};

/// A hash of everything that a row says, but for what is made for each row: ids and times of the store.
pub(crate) fn content_hash(scope: &Scope, record: &Record) -> [u8; 16] {
    let attributes = scope.entity(record.entity).attributes.iter();
    let managed = &scope.profile(record.entity).managed;
    // Hashes of one text differ, and numbers and counters are the store's.
    let said = attributes.filter(|attribute| {
        attribute.role.is_none()
            && attribute.generated.is_none()
            && attribute.numbered.is_none()
            && attribute.hashed.is_none()
            && !managed.contains(&attribute.name.value)
    });
    let mut values = Item::new();
    for attribute in said {
        let name = &attribute.name.value;
        if let Some(value) = record.values.get(name) {
            values.insert(name.clone(), value.clone());
        }
    }
    let digest = Sha256::digest(EncodedItem::from(&values).as_bytes());
    let mut hash = [0; 16];
    for (to, from) in hash.iter_mut().zip(digest) {
        *to = from;
    }
    hash
}
