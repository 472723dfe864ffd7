//! Entity tags: what a row says, in a few characters.

use crate::json::Plain;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Attribute, Entity, Model};
use monotable_store::Row;
use sha2::{Digest, Sha256};

/// How many bytes of the hash a tag shows.
const TAG_BYTES: usize = 18;

/// The tag of a row, without its quotes. It covers every attribute that readers see. Secrets are shown only once, when they are
/// made, and are left out.
pub(crate) fn tag_row(model: &Model, row: &Row) -> String {
    let mut shown = row.clone();
    for secret in list_secrets(model, row) {
        shown.values.remove(secret);
    }
    tag_json(&serde_json::to_vec(&Plain(&shown)).unwrap_or_default())
}

/// The tag of a row whose JSON is written already.
pub(crate) fn tag_written(model: &Model, row: &Row, json: &[u8]) -> String {
    if list_secrets(model, row).next().is_some() {
        return tag_row(model, row);
    }
    tag_json(json)
}

/// The secrets that a row shows.
fn list_secrets<'m>(model: &'m Model, row: &'m Row) -> impl Iterator<Item = &'m str> {
    let entity = model.entity_named(&row.entity).map(|(_, entity)| entity);
    let attributes = entity.into_iter().flat_map(|entity| &entity.attributes);
    attributes
        .filter(|attribute| attribute.secret.is_some())
        .map(|attribute| attribute.name.value.as_str())
        .filter(|name| row.values.get(name).is_some())
}

fn tag_json(json: &[u8]) -> String {
    let hash = Sha256::digest(json);
    URL_SAFE_NO_PAD.encode(hash.get(..TAG_BYTES).unwrap_or_default())
}

/// The header `ETag` of a row.
pub(crate) fn quote(tag: &str) -> String {
    format!("\"{tag}\"")
}

/// The values that a row must still have when it is written, so that it is the one whose tag was demanded.
pub(crate) fn expect_row(entity: &Entity, row: &Row) -> Item {
    let mut expected = Item::new();
    for attribute in entity
        .attributes
        .iter()
        .filter(|known| is_comparable(known))
    {
        let name = &attribute.name.value;
        let value = row.values.get(name).cloned();
        expected.insert(name.clone(), value.unwrap_or(AttributeValue::Null));
    }
    for (name, value) in row.values.iter() {
        let is_undeclared = entity.attribute(name).is_none();
        if is_undeclared {
            expected.insert(name.clone(), value.clone());
        }
    }
    expected
}

/// Whether what is stored of an attribute is what callers see of it.
fn is_comparable(attribute: &Attribute) -> bool {
    !attribute.internal
        && attribute.secret.is_none()
        && attribute.hashed.is_none()
        && attribute.computed.is_none()
        && attribute.top.is_none()
        && !attribute.key_only
}
