//! Rows that follow from a row: written, changed and deleted with it.

use super::claims::assigned_value;
use crate::draft::{Action, Draft, Write};
use crate::record::{self, Conditions, Record};
use crate::session::{Session, Stop};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Derive, Each};

/// The rows that follow from a row.
pub(crate) fn rows(session: &Session, row: &Record) -> Result<Vec<Record>, Stop> {
    let mut all = Vec::new();
    let derives = session.model().derives.iter();
    for derive in derives.filter(|derive| derive.of == row.entity) {
        let conditions = Conditions::new(session.model(), &row.values, &session.around);
        let holds = |when| conditions.holds(session.entity(row.entity), when) == Some(true);
        if derive.when.as_ref().is_none_or(holds) {
            all.extend(of(session, row, derive)?);
        }
    }
    Ok(all)
}

fn of(session: &Session, row: &Record, derive: &Derive) -> Result<Vec<Record>, Stop> {
    let target = session.entity(derive.entity);
    let mut made = Vec::new();
    for elements in combinations(&row.values, &derive.each) {
        // Elements are known under their names, beside the attributes of the row.
        let mut known = row.values.clone();
        for (name, value) in elements {
            known.insert(name, value);
        }
        let mut values = Item::new();
        for attribute in &target.attributes {
            let name = &attribute.name.value;
            let assigned = derive
                .set
                .iter()
                .find(|assignment| assignment.name.value == *name);
            let value = match assigned {
                Some(assignment) => assigned_value(session, &known, &assignment.value),
                None if record::is_set_by_the_store(attribute) => None,
                None => row.values.get(name).cloned(),
            };
            if let Some(value) = value {
                values.insert(name.clone(), value);
            }
        }
        let record = record::create(session.compiled(), derive.entity, values, &session.around);
        made.push(record.map_err(|errors| session.refused(derive.entity, errors))?);
    }
    Ok(made)
}

/// Every choice of one element from each list.
fn combinations(values: &Item, each: &[Each]) -> Vec<Vec<(String, AttributeValue)>> {
    let mut all = vec![Vec::new()];
    for each in each {
        let mut elements: Vec<AttributeValue> = Vec::new();
        for list in &each.lists {
            let mut path = list.iter();
            let first = path.next().and_then(|name| values.get(&name.value));
            let found = path.fold(first, |value, name| match value {
                Some(AttributeValue::M(map)) => map.get(&name.value),
                _ => None,
            });
            if let Some(AttributeValue::L(list)) = found {
                elements.extend(list.iter().cloned());
            }
        }
        let chosen = all.into_iter().flat_map(|before: Vec<_>| {
            elements.iter().map(move |element| {
                let mut choice = before.clone();
                choice.push((each.variable.value.clone(), element.clone()));
                choice
            })
        });
        all = chosen.collect();
    }
    all
}

/// Adds what a write does to the rows that follow from a row.
pub(crate) fn follow(
    session: &Session,
    draft: &mut Draft,
    old: Option<&Record>,
    new: Option<&Record>,
) -> Result<(), Stop> {
    let before = old
        .map(|row| rows(session, row))
        .transpose()?
        .unwrap_or_default();
    let after = new
        .map(|row| rows(session, row))
        .transpose()?
        .unwrap_or_default();
    let place = |row: &Record| session.row_place(row);
    let mut kept = Vec::new();
    for row in after {
        let place = place(&row)?;
        kept.push(place.clone());
        if before.contains(&row) {
            continue;
        }
        let item = session.encode(&row)?;
        draft.add(place, Action::new(Write::Put(item)))?;
    }
    for row in before {
        let place = place(&row)?;
        if !kept.contains(&place) {
            draft.add(place, Action::new(Write::Delete))?;
        }
    }
    Ok(())
}
