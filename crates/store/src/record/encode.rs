//! A row as the item that is stored, with all its keys.

use super::complete::source;
use super::presence::Conditions;
use super::{Circumstances, Record};
use crate::field_error::{FieldError, Problem};
use crate::{reserved, secret};
use monotable_item::{AttributeValue, Item, limits};
use monotable_model::compiled::{
    CompiledKey, CompiledModel, KeyTemplate, RenderProblem, Shown, SourcePath,
};
use monotable_model::model::{EntityId, KeyPlace, Model};

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
        match rendered(model.model(), &record.values, key, circumstances) {
            Ok(parts) => parts.into_iter().for_each(|(attribute, text)| {
                item.insert(attribute, text);
            }),
            Err(Unrendered::Absent) => {}
            Err(Unrendered::Refused(error)) => errors.push(error),
        }
    }
    if errors.is_empty() {
        errors.extend(too_long(model.model(), record, &item));
    }
    match errors.is_empty() {
        true => Ok(item),
        false => Err(errors),
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
        let why = format!("it would have {bytes} bytes; DynamoDB allows {most} in an index");
        (bytes > most).then(|| FieldError::new(&name.value, Problem::Key { why }))
    })
}

/// The primary key of a row with these values: partition and sort key.
pub(crate) fn primary_key(
    model: &CompiledModel,
    entity: EntityId,
    values: &Item,
    circumstances: &Circumstances,
) -> Result<(String, Option<String>), FieldError> {
    let keys = model.entity(entity).map(|entity| entity.keys.as_slice());
    let primary = keys
        .unwrap_or_default()
        .iter()
        .find(|key| key.place == KeyPlace::Primary);
    let Some(key) = primary else {
        let name = &model.model().entity(entity).name.value;
        return Err(FieldError::new(name, Problem::Unknown));
    };
    match rendered(model.model(), values, key, circumstances) {
        Ok(parts) => {
            let mut texts = parts.into_iter().map(|(_, text)| text);
            Ok((texts.next().unwrap_or_default(), texts.next()))
        }
        Err(Unrendered::Refused(error)) => Err(error),
        Err(Unrendered::Absent) => Err(FieldError::new(&key.hash_attribute, Problem::Missing)),
    }
}

/// The partition key of rows with these values, of which the sort key may not be known.
pub(crate) fn partition_key(
    model: &CompiledModel,
    entity: EntityId,
    values: &Item,
    circumstances: &Circumstances,
) -> Result<String, FieldError> {
    let keys = model.entity(entity).map(|entity| entity.keys.as_slice());
    let mut keys = keys.unwrap_or_default().iter();
    let Some(key) = keys.find(|key| key.place == KeyPlace::Primary) else {
        let name = &model.model().entity(entity).name.value;
        return Err(FieldError::new(name, Problem::Unknown));
    };
    let prefix = match key.global {
        true => String::new(),
        false => tenant_prefix(model.model(), circumstances),
    };
    match text(model.model(), values, key, &key.hash, circumstances) {
        Ok(text) => {
            let whole = prefix + &text;
            reserved::refusal(&text, &whole).map_or(Ok(whole), Err)
        }
        Err(Unrendered::Refused(error)) => Err(error),
        Err(Unrendered::Absent) => Err(FieldError::new(&key.hash_attribute, Problem::Missing)),
    }
}

/// Why a key is not there.
enum Unrendered {
    /// Something it shows is absent: the row is not in that index.
    Absent,
    Refused(FieldError),
}

fn rendered(
    model: &Model,
    values: &Item,
    key: &CompiledKey,
    circumstances: &Circumstances,
) -> Result<Vec<(String, String)>, Unrendered> {
    let prefix = match key.global {
        true => String::new(),
        false => tenant_prefix(model, circumstances),
    };
    let hash = text(model, values, key, &key.hash, circumstances)?;
    // One string for both keys is rendered once.
    let range = match &key.range {
        Some(range) if range.template().text == key.hash.template().text => Some(hash.clone()),
        Some(range) => Some(text(model, values, key, range, circumstances)?),
        None => None,
    };
    let whole = prefix + &hash;
    if key.place == KeyPlace::Primary
        && let Some(error) = reserved::refusal(&hash, &whole)
    {
        return Err(Unrendered::Refused(error));
    }
    let mut parts = vec![(key.hash_attribute.clone(), whole)];
    if let (Some(attribute), Some(range)) = (&key.range_attribute, range) {
        parts.push((attribute.clone(), range));
    }
    let most = [limits::MAX_PARTITION_KEY_BYTES, limits::MAX_SORT_KEY_BYTES];
    for ((attribute, text), most) in parts.iter().zip(most) {
        let why = match text.len() {
            0 => "it would be empty".to_owned(),
            bytes if bytes > most => format!("it would have {bytes} bytes; DynamoDB allows {most}"),
            _ => continue,
        };
        return Err(Unrendered::Refused(FieldError::new(
            attribute,
            Problem::Key { why },
        )));
    }
    Ok(parts)
}

fn text(
    model: &Model,
    values: &Item,
    key: &CompiledKey,
    template: &KeyTemplate,
    circumstances: &Circumstances,
) -> Result<String, Unrendered> {
    let value = |path: &SourcePath<'_>| source(model, values, path, circumstances);
    template.render(value).map_err(|problem| match problem {
        RenderProblem::Absent { .. } if key.place != KeyPlace::Primary => Unrendered::Absent,
        RenderProblem::Absent { field } => {
            Unrendered::Refused(FieldError::new(field, Problem::Missing))
        }
        RenderProblem::Format { field, problem } => Unrendered::Refused(FieldError::new(
            field,
            Problem::Key {
                why: problem.to_string(),
            },
        )),
    })
}

/// What stands before the partition keys of the tenant; nothing for the one without a prefix.
pub(crate) fn tenant_prefix(model: &Model, circumstances: &Circumstances) -> String {
    let (Some(tenant), Some(id)) = (&model.tenant, &circumstances.tenant) else {
        return String::new();
    };
    if tenant.bare.as_ref() == Some(id) {
        return String::new();
    }
    // The prefix shows the tenant's id and literals only, which the model's resolver has made sure of.
    let prefix = KeyTemplate::unbound(&tenant.prefix);
    prefix
        .render(|_| Some(Shown::One(id.clone())))
        .unwrap_or_default()
}
