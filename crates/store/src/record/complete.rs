//! A new row of what a caller gives.

use super::refusal::{MOST_REFUSED, refuse_name, refuse_value};
use super::{Circumstances, Record, hashing, presence};
use crate::circumstances::constant;
use crate::field_error::{FieldError, Problem};
use crate::template;
use crate::{ids, value};
use monotable_item::{AttributeValue, Item, Number};
use monotable_model::compiled::CompiledModel;
use monotable_model::model::{Attribute, Default, Entity, EntityId, Kind, Model, Role, TimeFormat};

/// Makes a row: checks every value, fills in what the store makes, and reports everything that is wrong.
///
/// What needs other rows (numbers of counters, values read through references) is not filled in here.
pub fn create(
    model: &CompiledModel,
    entity: EntityId,
    given: Item,
    circumstances: &Circumstances,
) -> Result<Record, Vec<FieldError>> {
    create_from(model, entity, &given, circumstances)
}

/// Makes a row of values that the caller keeps: an operation that begins anew needs them again.
pub(crate) fn create_from(
    model: &CompiledModel,
    entity: EntityId,
    given: &Item,
    circumstances: &Circumstances,
) -> Result<Record, Vec<FieldError>> {
    let mut errors = Vec::new();
    let mut values = accept(model.model(), entity, given, &mut errors);
    let declared = model.model().entity(entity);
    hashing::hash_given(declared, &mut values, circumstances, &mut errors);
    let mut record = Record { entity, values };
    fill(model.model(), &mut record, circumstances).map_err(|error| vec![error])?;
    compute(model.model(), &mut record, circumstances);
    // One error for each attribute: what was refused is not missing too.
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

/// A row that the store itself makes: no value is refused, and what is not there is filled in. Only ids that cannot be
/// made for want of random bytes are an error.
pub(crate) fn fill_copy(
    model: &Model,
    mut record: Record,
    circumstances: &Circumstances,
) -> Result<Record, FieldError> {
    fill(model, &mut record, circumstances)?;
    compute(model, &mut record, circumstances);
    Ok(record)
}

/// The values that are what the model says.
fn accept(model: &Model, id: EntityId, given: &Item, errors: &mut Vec<FieldError>) -> Item {
    let entity = model.entity(id);
    let mut values = Item::new();
    for (name, given) in given.iter() {
        // Null is absent.
        if *given == AttributeValue::Null {
            continue;
        }
        let attribute = entity
            .attribute(name)
            .or_else(|| entity.family(name).map(|family| &family.attribute));
        let accepted = match attribute {
            Some(attribute) if is_set_by_the_store(attribute) => Err(Problem::NotGiven),
            // Held against the model when it is hashed.
            Some(attribute) if attribute.hashed.is_some() => Ok(given.clone()),
            Some(attribute) => accepted_value(attribute, given.clone()),
            None if entity.open && is_of_the_store(model, entity, name) => Err(Problem::NotGiven),
            None if entity.open => Ok(given.clone()),
            None => Err(Problem::Unknown),
        };
        match accepted {
            Ok(value) => {
                values.insert(name.clone(), value);
            }
            Err(Problem::Unknown) if errors.len() >= MOST_REFUSED => {}
            Err(Problem::Unknown) => errors.push(refuse_name(entity, name)),
            Err(problem) => errors.push(refuse_value(attribute, name, given, problem)),
        }
    }
    values
}

/// Whether an attribute that the entity does not declare is one that the store writes: a key of the table or of one of its
/// indexes, or what tells the entity.
pub(super) fn is_of_the_store(model: &Model, entity: &Entity, name: &str) -> bool {
    let table = model.table(entity.table);
    let mut keys = table.index_attributes();
    let mut kinds = entity.is.iter();
    table.is_key(name)
        || keys.any(|key| key.value == name)
        || kinds.any(|kind| kind.attribute.value == name)
}

/// A value of an attribute as it is stored.
pub(crate) fn accepted_value(
    attribute: &Attribute,
    given: AttributeValue,
) -> Result<AttributeValue, Problem> {
    value::refuse_blank(&attribute.kind, &given)?;
    value::accept(&attribute.kind, given).map(|value| without_repetitions(attribute, value))
}

pub(crate) fn is_set_by_the_store(attribute: &Attribute) -> bool {
    let constant =
        matches!(&attribute.kind, Kind::Enum(words) if words.len() == 1) && attribute.internal;
    attribute.computed.is_some()
        || attribute.role.is_some()
        || attribute.numbered.is_some()
        || attribute.top.is_some()
        || constant
}

fn without_repetitions(attribute: &Attribute, value: AttributeValue) -> AttributeValue {
    match value {
        AttributeValue::L(values) if attribute.distinct => {
            let mut distinct = Vec::with_capacity(values.len());
            for value in values {
                if !distinct.contains(&value) {
                    distinct.push(value);
                }
            }
            AttributeValue::L(distinct)
        }
        value => value,
    }
}

/// Ids, times and defaults of what was not given.
fn fill(
    model: &Model,
    record: &mut Record,
    circumstances: &Circumstances,
) -> Result<(), FieldError> {
    for attribute in &model.entity(record.entity).attributes {
        let name = &attribute.name.value;
        if record.values.get(name).is_some() {
            continue;
        }
        let made = match (attribute.generated, attribute.role) {
            (Some(generator), _) => {
                let random = || circumstances.random();
                let id = ids::generate(generator, circumstances.now_micros, random)
                    .map_err(|_| FieldError::new(name, Problem::NoEntropy))?;
                Some(AttributeValue::S(id))
            }
            (None, Some(Role::Created | Role::Updated)) => time(&attribute.kind, circumstances, 0),
            (None, Some(Role::Deleting)) => None,
            (None, None) => default(model, record, attribute, circumstances),
        };
        if let Some(made) = made {
            record.values.insert(name.clone(), made);
        }
    }
    Ok(())
}

/// What a new row claims of its create and what is not so, such as somebody else as its maker. A program without a caller
/// says it itself: then the templates show nothing.
pub(crate) fn find_forged(
    model: &Model,
    row: &Record,
    circumstances: &Circumstances,
) -> Vec<FieldError> {
    let attributes = model.entity(row.entity).attributes.iter();
    let forged = attributes.filter(|attribute| {
        let wanted = attribute
            .stamped
            .then(|| default(model, row, attribute, circumstances))
            .flatten();
        wanted.is_some_and(|wanted| row.values.get(&attribute.name.value) != Some(&wanted))
    });
    forged
        .map(|attribute| FieldError::new(&attribute.name.value, Problem::NotGiven))
        .collect()
}

fn default(
    model: &Model,
    record: &Record,
    attribute: &Attribute,
    circumstances: &Circumstances,
) -> Option<AttributeValue> {
    match attribute.default.as_ref() {
        Some(Default::Now { plus }) => time(&attribute.kind, circumstances, *plus),
        Some(Default::Template(template)) => {
            let text = template::render(model, &record.values, template, circumstances)?;
            value::read(&attribute.kind, text)
        }
        Some(_) => constant(attribute),
        // The version that the model writes.
        None => attribute
            .version
            .map(|version| AttributeValue::N(Number::from(version))),
    }
}

/// What a row from before an attribute lacks of it: its default, unless it is taken away.
pub(super) fn add_defaults(entity: &Entity, record: &mut Record, unset: &[String]) {
    for attribute in &entity.attributes {
        let name = &attribute.name.value;
        let absent = record.values.get(name).is_none() && !unset.contains(name);
        if absent
            && !attribute.presence.optional
            && attribute.presence.only_if.is_none()
            && let Some(value) = constant(attribute)
        {
            record.values.insert(name.clone(), value);
        }
    }
}

/// The time of the operation, and so many seconds, in the attribute's own form.
pub(crate) fn time(
    kind: &Kind,
    circumstances: &Circumstances,
    plus: u64,
) -> Option<AttributeValue> {
    let seconds = i64::try_from(plus).ok()?;
    let micros = circumstances
        .now_micros
        .checked_add(seconds.checked_mul(1_000_000)?)?;
    let time = monotable_model::compiled::Instant::from_micros(micros)?;
    Some(match kind {
        Kind::Epoch => AttributeValue::N(Number::from(micros.div_euclid(1_000_000))),
        Kind::Date => AttributeValue::S(time.date()),
        Kind::Timestamp(format) => AttributeValue::S(time.show(*format)),
        _ => AttributeValue::S(time.show(TimeFormat::Millis)),
    })
}

/// Values that follow from others. One may follow from another, so they are worked out until nothing changes.
pub(crate) fn compute(model: &Model, record: &mut Record, circumstances: &Circumstances) {
    let entity = model.entity(record.entity);
    for _ in &entity.attributes {
        let mut changed = false;
        for attribute in &entity.attributes {
            let Some(template) = &attribute.computed else {
                continue;
            };
            let text = template::render(model, &record.values, template, circumstances);
            let value = text.and_then(|text| value::read(&attribute.kind, text));
            let name = &attribute.name.value;
            if value.as_ref() != record.values.get(name) {
                match value {
                    Some(value) => record.values.insert(name.clone(), value),
                    None => record.values.remove(name),
                };
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

/// Values that follow from others and that an item does not have, because they are in keys only.
pub(crate) fn add_unwritten(model: &Model, record: &mut Record, circumstances: &Circumstances) {
    for attribute in &model.entity(record.entity).attributes {
        let name = &attribute.name.value;
        if let (Some(template), true, None) = (
            &attribute.computed,
            attribute.key_only,
            record.values.get(name),
        ) && let Some(text) = template::render(model, &record.values, template, circumstances)
            && let Some(value) = value::read(&attribute.kind, text)
        {
            record.values.insert(name.clone(), value);
        }
    }
}
