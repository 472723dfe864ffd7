//! A change of a row, and what it makes of the stored item.
//!
//! A partial update never touches keys by itself: the row is changed as a whole, encoded again, and the difference of
//! the two items is what is written. So every key that depends on a changed value is right, and index keys that no
//! longer stand are removed.

use super::refusal::{MOST_REFUSED, refuse_name, refuse_value};
use super::{Circumstances, Record, complete, encode, hashing, presence, tombstone};
use crate::field_error::{FieldError, Problem};
use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::CompiledModel;
use monotable_model::model::{Attribute, Entity, Kind, Role};

/// What a caller changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// New values; null removes.
    pub set: Item,
    /// Attributes that go.
    pub unset: Vec<String>,
    /// Numbers that are added to numbers.
    pub add: Item,
    /// Values that are put at the end of lists.
    pub append: Item,
}

/// What a change makes of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The row afterwards.
    pub record: Record,
    /// Attributes of the item that are set.
    pub set: Item,
    /// Attributes of the item that are removed, also keys of indexes that it leaves.
    pub remove: Vec<String>,
    /// The primary key changes: the row is deleted and put, in one transaction.
    pub moves: bool,
}

/// Changes a row, or reports everything that is wrong with the change.
pub fn change(
    model: &CompiledModel,
    old: &Record,
    change: &Change,
    circumstances: &Circumstances,
) -> Result<Changed, Vec<FieldError>> {
    let record = changed(model, old, change, circumstances)?;
    let before = encode(model, old, circumstances)?;
    let after = encode(model, &record, circumstances)?;
    Ok(difference(model, record, &before, &after))
}

/// The row after a change.
pub(crate) fn changed(
    model: &CompiledModel,
    old: &Record,
    change: &Change,
    circumstances: &Circumstances,
) -> Result<Record, Vec<FieldError>> {
    let entity = model.model().entity(old.entity);
    let mut errors = Vec::new();
    let mut record = old.clone();
    let mut change = change.clone();
    hashing::hash_given(entity, &mut change.set, circumstances, &mut errors);
    for (name, value) in find_wanted(old, &change, &mut errors) {
        let is_declared = entity.attribute(&name).is_some();
        if !is_declared && complete::is_of_the_store(model.model(), entity, &name) {
            errors.push(FieldError::new(&name, Problem::NotGiven));
            continue;
        }
        apply(entity, &mut record, &name, value, &mut errors);
    }
    tombstone::clear(entity, &old.values, &mut record, &change.set);
    touch(entity, &mut record, circumstances);
    complete::add_defaults(entity, &mut record, &change.unset);
    complete::compute(model.model(), &mut record, circumstances);
    for error in presence::check(model.model(), &record, circumstances) {
        if !errors
            .iter()
            .any(|known| known.attribute == error.attribute)
        {
            errors.push(error);
        }
    }
    if errors.is_empty() {
        Ok(record)
    } else {
        Err(errors)
    }
}

/// Each changed attribute with its new value; none removes it.
fn find_wanted(
    old: &Record,
    change: &Change,
    errors: &mut Vec<FieldError>,
) -> Vec<(String, Option<AttributeValue>)> {
    let mut wanted = Vec::new();
    for (name, value) in change.set.iter() {
        let removed = *value == AttributeValue::Null;
        wanted.push((name.clone(), (!removed).then(|| value.clone())));
    }
    wanted.extend(change.unset.iter().map(|name| (name.clone(), None)));
    for (name, added) in change.add.iter() {
        match sum(old.values.get(name), added) {
            Some(sum) => wanted.push((name.clone(), Some(sum))),
            None => errors.push(wrong(name, "a number to add to a number")),
        }
    }
    for (name, value) in change.append.iter() {
        match appended(old.values.get(name), value) {
            Some(list) => wanted.push((name.clone(), Some(list))),
            None => errors.push(wrong(name, "a list to append to")),
        }
    }
    wanted
}

fn wrong(name: &str, wanted: &str) -> FieldError {
    let wanted = wanted.to_owned();
    FieldError::new(name, Problem::Wrong { wanted })
}

fn sum(old: Option<&AttributeValue>, added: &AttributeValue) -> Option<AttributeValue> {
    match (old, added) {
        (Some(AttributeValue::N(old)), AttributeValue::N(added)) => {
            old.checked_add(*added).ok().map(AttributeValue::N)
        }
        (None, AttributeValue::N(added)) => Some(AttributeValue::N(*added)),
        _ => None,
    }
}

fn appended(old: Option<&AttributeValue>, value: &AttributeValue) -> Option<AttributeValue> {
    let mut list = match old {
        Some(AttributeValue::L(list)) => list.clone(),
        None => Vec::new(),
        Some(_) => return None,
    };
    match value {
        AttributeValue::L(values) => list.extend(values.iter().cloned()),
        value => list.push(value.clone()),
    }
    Some(AttributeValue::L(list))
}

fn apply(
    entity: &Entity,
    record: &mut Record,
    name: &str,
    value: Option<AttributeValue>,
    errors: &mut Vec<FieldError>,
) {
    let attribute = entity
        .attribute(name)
        .or_else(|| entity.family(name).map(|family| &family.attribute));
    let given = value.clone();
    let accepted = match (attribute, value) {
        (None, _) if !entity.open => Err(Problem::Unknown),
        (None, value) => Ok(value),
        (Some(attribute), value) if may_change(entity, attribute) => {
            if attribute.hashed.is_some() {
                // Held against the model before it was hashed.
                Ok(value)
            } else {
                value
                    .map(|value| complete::accepted_value(attribute, value))
                    .transpose()
            }
        }
        (Some(_), value) if value.as_ref() == record.values.get(name) => return,
        (Some(attribute), _) if matches!(attribute.kind, Kind::Never) => Err(Problem::Reserved),
        (Some(_), _) => Err(Problem::Immutable),
    };
    match accepted {
        Ok(Some(value)) => {
            record.values.insert(name.to_owned(), value);
        }
        Ok(None) => {
            record.values.remove(name);
        }
        Err(Problem::Unknown) if errors.len() >= MOST_REFUSED => {}
        Err(Problem::Unknown) => errors.push(refuse_name(entity, name)),
        Err(problem) => {
            let given = given.unwrap_or(AttributeValue::Null);
            errors.push(refuse_value(attribute, name, &given, problem));
        }
    }
}

/// Attributes of the primary key change only if they are movable.
pub(crate) fn may_change(entity: &Entity, attribute: &Attribute) -> bool {
    let in_key = entity
        .key_attributes()
        .contains(&attribute.name.value.as_str());
    let set_by_the_store =
        attribute.role.is_some() || attribute.numbered.is_some() || attribute.version.is_some();
    attribute.may_change()
        && !set_by_the_store
        && (!in_key || attribute.movable)
        && !matches!(attribute.kind, Kind::Never)
}

/// The time of the last write.
pub(crate) fn touch(entity: &Entity, record: &mut Record, circumstances: &Circumstances) {
    for attribute in entity
        .attributes
        .iter()
        .filter(|attribute| attribute.role == Some(Role::Updated))
    {
        if let Some(now) = complete::time(&attribute.kind, circumstances, 0) {
            record.values.insert(attribute.name.value.clone(), now);
        }
    }
}

fn difference(model: &CompiledModel, record: Record, before: &Item, after: &Item) -> Changed {
    let table = model
        .model()
        .table(model.model().entity(record.entity).table);
    let mut set = Item::new();
    for (name, value) in after
        .iter()
        .filter(|(name, value)| before.get(name) != Some(*value))
    {
        set.insert(name.clone(), value.clone());
    }
    let gone = before.iter().filter(|(name, _)| after.get(name).is_none());
    let remove: Vec<_> = gone.map(|(name, _)| name.clone()).collect();
    let moves = set.iter().any(|(name, _)| table.is_key(name));
    Changed {
        record,
        set,
        remove,
        moves,
    }
}
