//! Numbers: a row takes the next one of a counter on the row that it refers to.

pub(crate) mod verify;

mod unadopted;

use crate::change::{ItemChange, Run};
use crate::draft::{Action, Blame, Demand, Draft, Edit, Write};
use crate::interrupt::Interrupt;
use crate::profile::stored_name;
use crate::reader::Reader;
use crate::record::{self, Record, reference_values};
use crate::scope::Scope;
use crate::store_item::is_adopted;
use monotable_item::{AttributeValue, Item, Number};
use monotable_model::span::Name;

/// Whether a change is of rows that have numbers.
pub(crate) fn concern(scope: &Scope, change: &ItemChange) -> bool {
    change.new_rows().next().is_some_and(|row| {
        let mut attributes = scope.entity(row.entity).attributes.iter();
        attributes.any(|attribute| attribute.numbered.is_some())
    })
}

/// Gives rows their numbers: new ones, rows that refer elsewhere now, and rows from before there were numbers.
pub(crate) async fn complete(run: &mut Run<'_>, change: &mut ItemChange) -> Result<(), Interrupt> {
    let Some(entity) = change.new_rows().next().map(|row| row.entity) else {
        return Ok(());
    };
    let reader = run.reader;
    let attributes = reader.scope.entity(entity).attributes.iter();
    for attribute in attributes {
        let Some((reference, counter)) = &attribute.numbered else {
            continue;
        };
        let name = &attribute.name.value;
        for row in &mut change.rows {
            let Some(new) = &mut row.new else { continue };
            let stays = row.old.as_ref().is_some_and(|old| {
                let at = |row: &Record| row.values.get(&reference.value).cloned();
                old.record.values.get(name).is_some() && at(&old.record) == at(new)
            });
            if stays {
                continue;
            }
            let highest = if is_adopted(&reader).await? {
                Number::from(0)
            } else {
                Box::pin(unadopted::highest_number(run, new, reference, name)).await?
            };
            let above = (counter, highest);
            if let Some(number) = raise(&reader, run.draft, new, reference, above).await? {
                new.values.insert(name.clone(), number);
                record::compute(reader.model(), new, &reader.circumstances);
            }
        }
    }
    Ok(())
}

/// Takes the next number of a counter on the row that a reference names. No number below `taken` is free, whatever the
/// counter says.
pub(crate) async fn raise(
    reader: &Reader<'_>,
    draft: &mut Draft,
    row: &Record,
    reference: &Name,
    (counter, taken): (&Name, Number),
) -> Result<Option<Number>, Interrupt> {
    let entity = reader.entity(row.entity);
    let attribute = entity.attribute(&reference.value);
    let Some((attribute, target)) =
        attribute.and_then(|attribute| Some((attribute, attribute.reference.as_ref()?.target)))
    else {
        return Ok(None);
    };
    let id = reference_values(attribute, row).into_iter().next();
    let Some(address) = id.and_then(|id| reader.target_address(row, target, &id)) else {
        return Ok(None);
    };
    let declared = reader.entity(target);
    let Some(item) = reader.stored(draft, &address).await? else {
        let key = reader.mention_by(attribute, &address);
        return Err(reader.no_referred(row.entity, attribute, key).into());
    };
    let stored = stored_name(declared, &counter.value);
    let before = item.get(&stored).cloned();
    let number = match &before {
        Some(AttributeValue::N(number)) => *number,
        _ => Number::from(0),
    };
    let number = number.max(taken);
    let next = number.checked_add(Number::from(1)).unwrap_or(number);
    let edit = Edit {
        set: Item::new().with(stored.clone(), next),
        ..Edit::default()
    };
    let action =
        Action::new(Write::Update(edit)).demand(Demand::is(stored, before), Blame::Changed);
    draft.add(address, action)?;
    Ok(Some(next))
}
