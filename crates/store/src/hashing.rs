//! Hashes that a host makes: bcrypt takes long, and whoever computes it does nothing else meanwhile.
//!
//! Only what is told to a host is handed out; every other store hashes where rows are made. What the host answers is believed if it is
//! a hash of the cost and salt that it was told; else the store hashes itself.

use crate::errands::Hashing;
use crate::operation::{AnyOperation, Attach, Create, Put, Transact, Update};
use crate::reader::Reader;
use crate::scope::Scope;
use crate::{secret, value};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Attribute;

/// An operation with hashes in the place of the texts that it gives for hashed attributes; none if there are none, or no host is told.
/// Texts that would be refused stay as they are.
pub(crate) async fn hash_given(
    reader: &Reader<'_>,
    operation: &AnyOperation,
) -> Option<AnyOperation> {
    if !reader.steps.hands_out() || !gives_texts(reader, operation) {
        return None;
    }
    let mut hashed = operation.clone();
    for (entity, values) in given_values(&mut hashed) {
        let entity = reader.model().entity_named(entity);
        let attributes = entity.into_iter().flat_map(|(_, known)| &known.attributes);
        for attribute in attributes {
            let given = attribute.hashed.zip(find_text(attribute, values));
            let Some((cost, text)) = given else {
                continue;
            };
            if let Some(hash) = make(reader, &text, cost).await {
                let hash = secret::as_given(&AttributeValue::S(hash));
                values.insert(attribute.name.value.clone(), hash);
            }
        }
    }
    Some(hashed)
}

/// Whether a text is the one that was hashed.
pub(crate) async fn verify(reader: &Reader<'_>, text: &str, hash: &str) -> bool {
    let made = match secret::beginning_of(hash) {
        Some(salt) => ask(reader, text, salt).await,
        None => None,
    };
    match made {
        Some(made) => secret::are_same(&made, hash),
        None => secret::verify(text, hash),
    }
}

/// Takes as long as asking about somebody.
pub(crate) async fn verify_nobody(reader: &Reader<'_>, text: &str, cost: u32) -> bool {
    if let Some(salt) = secret::begin_hash(cost, [0; 16])
        && ask(reader, text, &salt).await.is_some()
    {
        return false;
    }
    secret::verify_nobody(text, cost)
}

/// The hash of a text with a new salt.
async fn make(reader: &Reader<'_>, text: &str, cost: u32) -> Option<String> {
    let salt = reader.circumstances.random().ok()?.to_be_bytes();
    let told = secret::begin_hash(cost, salt)?;
    match ask(reader, text, &told).await {
        Some(hash) => Some(hash),
        None => secret::hash(text, cost, salt),
    }
}

/// The hash that the host makes of a text with a salt.
async fn ask(reader: &Reader<'_>, text: &str, salt: &str) -> Option<String> {
    if !reader.steps.hands_out() || !secret::is_hashed_alike(text) {
        return None;
    }
    let hashing = Hashing {
        text: text.to_owned(),
        salt: salt.to_owned(),
    };
    let made = reader.steps.hash(hashing).await?;
    let is_told = secret::beginning_of(&made) == Some(salt);
    is_told.then_some(made)
}

/// The text that is given for a hashed attribute, if it is one that it takes.
fn find_text(attribute: &Attribute, values: &Item) -> Option<String> {
    let given = values.get(&attribute.name.value)?;
    value::refuse_blank(&attribute.kind, given).ok()?;
    match value::accept(&attribute.kind, given.clone()) {
        Ok(AttributeValue::S(text)) if text.len() <= secret::MOST_BYTES => {
            Some(text).filter(|text| !secret::is_hash(text))
        }
        _ => None,
    }
}

/// Whether an operation gives values to an entity that has hashed attributes.
fn gives_texts(scope: &Scope, operation: &AnyOperation) -> bool {
    let entity = match operation {
        AnyOperation::Create(Create { entity, .. })
        | AnyOperation::Put(Put { entity, .. })
        | AnyOperation::Attach(Attach { entity, .. })
        | AnyOperation::Update(Update { entity, .. }) => entity,
        AnyOperation::Transact(Transact { operations }) => {
            return operations.iter().any(|one| gives_texts(scope, one));
        }
        _ => return false,
    };
    let entity = scope.model().entity_named(entity);
    let mut attributes = entity.into_iter().flat_map(|(_, known)| &known.attributes);
    attributes.any(|attribute| attribute.hashed.is_some())
}

/// The values that an operation gives to rows, with the entities of these.
fn given_values(operation: &mut AnyOperation) -> Vec<(&str, &mut Item)> {
    match operation {
        AnyOperation::Create(Create { entity, values })
        | AnyOperation::Put(Put { entity, values })
        | AnyOperation::Attach(Attach { entity, values }) => vec![(entity, values)],
        AnyOperation::Update(Update { entity, change, .. }) => vec![(entity, &mut change.set)],
        AnyOperation::Transact(Transact { operations }) => {
            operations.iter_mut().flat_map(given_values).collect()
        }
        _ => Vec::new(),
    }
}
