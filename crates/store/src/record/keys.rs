//! The attributes of a key, as a caller names a row by them.

use super::refusal::MOST_REFUSED;
use super::{Circumstances, complete};
use crate::field_error::{FieldError, Problem};
use monotable_item::Item;
use monotable_model::compiled::CompiledModel;
use monotable_model::model::{Entity, EntityId, Key, Template};

/// The values of a primary key from what a caller gives: its attributes, or those that they are computed from.
pub(crate) fn key_values(
    model: &CompiledModel,
    entity: EntityId,
    given: &Item,
    circumstances: &Circumstances,
) -> Result<Item, Vec<FieldError>> {
    let declared = model.model().entity(entity);
    let mut errors = Vec::new();
    let mut values = Item::new();
    for (name, value) in given.iter() {
        match declared.attribute(name) {
            // A value of the wrong kind names no row; templates refuse what cannot stand in a key.
            Some(_) => {
                values.insert(name.clone(), value.clone());
            }
            None if errors.len() >= MOST_REFUSED => {}
            None => errors.push(FieldError::new(name, Problem::Unknown)),
        }
    }
    let wanted = declared.key_attributes();
    if wanted.iter().any(|name| values.get(name).is_none()) {
        let mut record = super::Record { entity, values };
        complete::compute(model.model(), &mut record, circumstances);
        values = record.values;
    }
    let missing = wanted
        .iter()
        .filter(|name| values.get(name).is_none() && !may_be_absent(declared, name));
    errors.extend(missing.map(|name| FieldError::new(*name, Problem::Missing)));
    if errors.is_empty() {
        Ok(values)
    } else {
        Err(errors)
    }
}

/// Whether a key shows something else where an attribute is absent.
fn may_be_absent(entity: &Entity, name: &str) -> bool {
    let templates = entity.primary().into_iter().flat_map(Key::templates);
    let fields = templates.flat_map(Template::fields);
    let mut shown = fields.filter(|field| field.attributes().any(|known| known.value == name));
    shown.all(|field| field.sources.len() > 1)
}
