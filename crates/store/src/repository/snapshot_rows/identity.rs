//! What tells a row from the others of its entity, in every revision.

use super::text;
use crate::record::Record;
use monotable_model::model::{Entity, EntityId, Template};

/// What tells a row from the others of its entity, in every revision.
pub(crate) type Identity = (EntityId, String);

/// What tells a row from the others: its generated id, or its sort key without the place in an order.
pub(crate) fn identity(entity: &Entity, record: &Record) -> Identity {
    let mut identity = String::new();
    for name in identity_names(entity) {
        if let Some(text) = text(&record.values, name) {
            identity.push_str(&text);
        }
        identity.push('\0');
    }
    (record.entity, identity)
}

/// The attributes that a sort key shows.
fn sort_names(entity: &Entity) -> Vec<&str> {
    let range = entity.primary().and_then(|key| key.range.as_ref());
    let fields = range.into_iter().flat_map(Template::fields);
    fields
        .flat_map(|field| field.attributes())
        .map(|name| name.value.as_str())
        .collect()
}

/// The attributes that make up the identity.
pub(crate) fn identity_names(entity: &Entity) -> Vec<&str> {
    let mut names = sort_names(entity);
    let generated = names.iter().find(|name| {
        let attribute = entity.attribute(name);
        attribute.is_some_and(|attribute| attribute.generated.is_some())
    });
    if let Some(generated) = generated {
        return vec![generated];
    }
    names.retain(|name| {
        let attribute = entity.attribute(name);
        attribute.is_none_or(|attribute| attribute.position.is_none())
    });
    names
}

/// Whether the sort key follows from the identity, in the one layout there is.
pub(super) fn is_told_by_key(entity: &Entity) -> bool {
    entity.layouts.is_empty() && sort_names(entity) == identity_names(entity)
}
