//! A row as the item that is stored, with all its keys.

use super::presence::Conditions;
use super::{Circumstances, Record};
use crate::address::Addressing;
use crate::field_error::{FieldError, Problem};
use crate::secret;
use monotable_item::{AttributeValue, Item, limits};
use monotable_model::compiled::CompiledModel;
use monotable_model::model::{KeyPlace, Model};
use monotable_model::span::Name;

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
            Ok(texts) => {
                for (name, text) in texts.into_written(key) {
                    item.insert(name, text);
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

/// Attributes that an index is on for their own sake, and that DynamoDB would refuse there. It holds the attributes of each
/// part of a key together against its limit.
fn too_long(model: &Model, record: &Record, item: &Item) -> Option<FieldError> {
    let table = model.table(model.entity(record.entity).table);
    let places = (0..table.indexes.len()).map(KeyPlace::Index);
    places.into_iter().find_map(|place| {
        let sort = table.sort_attributes(place);
        let sort = find_too_long(item, sort, limits::MAX_SORT_KEY_BYTES);
        sort.or_else(|| {
            let partition = table.partition_attributes(place);
            find_too_long(item, partition, limits::MAX_PARTITION_KEY_BYTES)
        })
    })
}

fn find_too_long<'n>(
    item: &Item,
    names: impl Iterator<Item = &'n Name>,
    most: usize,
) -> Option<FieldError> {
    let mut first = None;
    let mut bytes = 0;
    for name in names {
        if let Some(AttributeValue::S(text)) = item.get(&name.value) {
            first = first.or(Some(name));
            bytes += text.len();
        }
    }
    let name = first.filter(|_| bytes > most)?;
    let why = format!("it would have {bytes} bytes; DynamoDB allows {most} in an index");
    Some(FieldError::new(&name.value, Problem::Key { why }))
}
