//! A row as the item that is stored, with all its keys.

use super::presence::Conditions;
use super::{Circumstances, Record};
use crate::address::{Addressing, KeyTexts};
use crate::field_error::{FieldError, Problem};
use crate::secret;
use monotable_item::{AttributeValue, Item, limits};
use monotable_model::compiled::CompiledModel;
use monotable_model::model::{KeyPlace, Model};

/// The item of a row. An index whose key cannot be made, because something is absent or its condition does not hold, is
/// left out; a primary key that cannot be made is an error.
pub fn encode(
    model: &CompiledModel,
    record: &Record,
    circumstances: &Circumstances,
) -> Result<Item, Vec<FieldError>> {
    let entity = model.model().entity(record.entity);
    let mut item = Item::new();
    for (name, value) in record.values.iter() {
        let attribute = entity.attribute(name);
        if attribute.is_some_and(|attribute| attribute.key_only) {
            continue;
        }
        let stored = attribute.map_or(name, |attribute| &attribute.stored);
        let digest = attribute.and_then(|attribute| entity.digest_of(attribute));
        let digest = digest.and_then(|mask| secret::digest(value, mask));
        item.insert(stored.clone(), digest.unwrap_or_else(|| value.clone()));
    }
    for discriminator in &entity.is {
        item.insert(
            discriminator.attribute.value.clone(),
            discriminator.written.as_str(),
        );
    }
    let conditions = Conditions::new(model.model(), &record.values, circumstances);
    let addressing = Addressing::new(model, circumstances);
    let mut errors = Vec::new();
    let keys = model
        .entity(record.entity)
        .map(|entity| entity.keys.as_slice())
        .unwrap_or_default();
    for key in keys.iter().filter(|key| !key.implied) {
        let stands = key
            .when
            .as_ref()
            .is_none_or(|when| conditions.holds(entity, when) == Some(true));
        if !stands {
            continue;
        }
        match addressing.render_key(key, &record.values) {
            Ok(KeyTexts { partition, sort }) => {
                item.insert(key.hash_attribute.clone(), partition);
                if let (Some(attribute), Some(sort)) = (&key.range_attribute, sort) {
                    item.insert(attribute.clone(), sort);
                }
            }
            // What is absent keeps a row out of an index.
            Err(problem) if problem.is_absence() && key.place != KeyPlace::Primary => {}
            Err(problem) => errors.push(problem.into()),
        }
    }
    if errors.is_empty() {
        errors.extend(too_long(model.model(), record, &item));
    }
    if errors.is_empty() {
        Ok(item)
    } else {
        Err(errors)
    }
}

/// Attributes that an index is on for their own sake, and that DynamoDB would refuse there.
fn too_long(model: &Model, record: &Record, item: &Item) -> Option<FieldError> {
    let table = model.table(model.entity(record.entity).table);
    let ranges = table
        .indexes
        .iter()
        .filter_map(|index| index.range.as_ref());
    let hashes = table.indexes.iter().map(|index| &index.hash);
    let ranges = ranges.map(|name| (name, limits::MAX_SORT_KEY_BYTES));
    let hashes = hashes.map(|name| (name, limits::MAX_PARTITION_KEY_BYTES));
    ranges.chain(hashes).find_map(|(name, most)| {
        let bytes = match item.get(&name.value) {
            Some(AttributeValue::S(text)) => text.len(),
            _ => return None,
        };
        (bytes > most).then(|| {
            let why = format!("it would have {bytes} bytes; DynamoDB allows {most} in an index");
            FieldError::new(&name.value, Problem::Key { why })
        })
    })
}
