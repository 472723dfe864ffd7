//! What two references of a row mean together: no row with itself, a pair once, no cycle.
//!
//! A cycle cannot be excluded by a condition on one item. Two ways make it certain all the same. If the second end has
//! one first end at most, guarded by a claim, the chain above is read guard by guard, and the transaction demands that
//! none of those guards has changed. Else a counter on a row that all such relations share serialises them: it is read
//! first, the rows below are walked by strong reads, and the transaction demands and raises the counter.

use crate::address::Finder;
use crate::draft::{Action, Blame, Demand, Draft, Edit, Write};
use crate::error::{Clash, Error};
use crate::field_error::{FieldError, Problem};
use crate::find::finder;
use crate::guard;
use crate::interrupt::Interrupt;
use crate::profile::stored_name;
use crate::reader::Reader;
use crate::record::Record;
use crate::record::reference_values;
use crate::scope::Scope;
use monotable_item::{AttributeValue, Item, Number};
use monotable_model::model::{Claim, Guard, Part, Relation, Source};
use monotable_model::span::Name;

/// Adds what a relation demands of a new row.
pub(super) async fn demand(
    reader: &Reader<'_>,
    draft: &mut Draft,
    row: &Record,
) -> Result<(), Interrupt> {
    let entity = reader.entity(row.entity);
    let Some(relation) = &entity.relation else {
        return Ok(());
    };
    let end = |name: &Name| row.values.get(&name.value).cloned();
    let (Some(from), Some(to)) = (end(&relation.from), end(&relation.to)) else {
        return Ok(());
    };
    if from == to {
        let wanted = format!("another than `{}`", relation.from.value);
        let error = FieldError::new(&relation.to.value, Problem::Wrong { wanted });
        return Err(reader.refused(row.entity, vec![error]).into());
    }
    if relation.symmetric {
        let address = reader.row_address(&mirrored_row(relation, row))?;
        let taken = Error::conflict(reader.name(row.entity), Clash::Mirrored);
        draft.add(address, Action::check().demand(Demand::Absent, taken))?;
    }
    if !relation.acyclic {
        return Ok(());
    }
    let chain = entity
        .claims
        .iter()
        .find_map(|claim| chain_end(reader, claim, relation));
    match (&relation.serial, chain) {
        (Some((reference, counter)), _) => {
            serialise(reader, draft, row, reference, counter).await?;
            walk_down(reader, draft, row, relation, from, to).await
        }
        (None, Some((claim, holder))) => {
            walk_up(reader, draft, row, relation, claim, &holder).await
        }
        (None, None) => walk_down(reader, draft, row, relation, from, to).await,
    }
}

/// The row with its ends the other way round.
pub(crate) fn mirrored_row(relation: &Relation, row: &Record) -> Record {
    let mut mirrored = row.clone();
    let from = mirrored.values.remove(&relation.from.value);
    let to = mirrored.values.remove(&relation.to.value);
    for (name, value) in [(&relation.to, from), (&relation.from, to)] {
        if let Some(value) = value {
            mirrored.values.insert(name.value.clone(), value);
        }
    }
    mirrored
}

fn cycle(scope: &Scope, row: &Record) -> Error {
    Error::conflict(scope.name(row.entity), Clash::Cycle)
}

/// The claim that gives a second end one first end, and the attribute of its guard that holds that first end.
fn chain_end<'m>(
    scope: &Scope,
    claim: &'m Claim,
    relation: &Relation,
) -> Option<(&'m Claim, String)> {
    let Guard::Entity { set, .. } = &claim.guard else {
        return None;
    };
    if claim.guard.claimed(scope.model()) != [relation.to.value.as_str()] {
        return None;
    }
    let holder = set.iter().find(|assignment| {
        let template = assignment.value.template();
        template.is_some_and(|template| match template.parts.as_slice() {
            [Part::Field(field)] => field.sources.iter().any(|source| match source {
                Source::Path { names, .. } => {
                    names.len() == 1
                        && names
                            .first()
                            .is_some_and(|name| name.value == relation.from.value)
                }
                Source::Literal(_) | Source::Nothing(_) => false,
            }),
            _ => false,
        })
    })?;
    Some((claim, holder.name.value.clone()))
}

/// Reads the chain above the first end, guard by guard, and demands that it stays.
async fn walk_up(
    reader: &Reader<'_>,
    draft: &mut Draft,
    row: &Record,
    relation: &Relation,
    claim: &Claim,
    holder: &str,
) -> Result<(), Interrupt> {
    let to = row.values.get(&relation.to.value);
    let mut current = row.values.get(&relation.from.value).cloned();
    for _ in 0..relation.depth {
        let Some(id) = current else {
            return Ok(());
        };
        // The guard of a relation that ends here; its own first end does not matter for the key.
        let mut above = row.clone();
        above.values.insert(relation.to.value.clone(), id.clone());
        let Some(guard) = guard::guard(reader, &above, claim)? else {
            return Ok(());
        };
        let item = reader.stored(draft, &guard.address).await?;
        let found = item.and_then(|item| reader.decode(guard.address.table(), &item));
        let Some(found) = found else {
            let check = Action::check().demand(Demand::Absent, Blame::Changed);
            draft.add(guard.address, check)?;
            return Ok(());
        };
        let parent = found.values.get(holder).cloned();
        let stored = stored_name(reader.entity(found.entity), holder);
        let check = Action::check().demand(Demand::is(stored, parent.clone()), Blame::Changed);
        draft.add(guard.address, check)?;
        if parent.as_ref() == to {
            return Err(cycle(reader, row).into());
        }
        current = parent;
    }
    let depth = relation.depth;
    Err(Error::conflict(reader.name(row.entity), Clash::TooDeep { depth }).into())
}

/// Walks the relation down from the second end; meeting the first end is a cycle.
async fn walk_down(
    reader: &Reader<'_>,
    draft: &Draft,
    row: &Record,
    relation: &Relation,
    from: AttributeValue,
    to: AttributeValue,
) -> Result<(), Interrupt> {
    let mut seen = vec![to.clone()];
    let mut level = vec![to];
    while !level.is_empty() {
        let below = ends_below(reader, draft, row, relation, &level).await?;
        level = Vec::new();
        for end in below {
            if end == from {
                return Err(cycle(reader, row).into());
            }
            if !seen.contains(&end) {
                seen.push(end.clone());
                level.push(end);
            }
        }
    }
    Ok(())
}

/// The second ends of all rows whose first end is one of these.
async fn ends_below(
    reader: &Reader<'_>,
    draft: &Draft,
    row: &Record,
    relation: &Relation,
    level: &[AttributeValue],
) -> Result<Vec<AttributeValue>, Interrupt> {
    let mut asked = Vec::new();
    for id in level {
        let mut known: Item = row.values.clone();
        known.remove(&relation.to.value);
        known.insert(relation.from.value.clone(), id.clone());
        if let Some(Finder::Range(rows)) = finder(reader, row.entity, &known, &relation.from.value)
        {
            asked.push(rows);
        }
    }
    let table = reader.entity(row.entity).table;
    let mut ends = Vec::new();
    // Relations of the same transaction count too.
    let own = draft.puts(table).cloned().collect();
    let stored = reader.all(&asked).await?;
    for items in stored.into_iter().chain(std::iter::once(own)) {
        let rows = items.iter().filter_map(|item| reader.decode(table, item));
        let same = rows.filter(|found| {
            let first = found.values.get(&relation.from.value);
            found.entity == row.entity && first.is_some_and(|first| level.contains(first))
        });
        ends.extend(same.filter_map(|found| found.values.get(&relation.to.value).cloned()));
    }
    Ok(ends)
}

/// Demands that the counter of the shared row is what it is, and raises it.
async fn serialise(
    reader: &Reader<'_>,
    draft: &mut Draft,
    row: &Record,
    reference: &Name,
    counter: &Name,
) -> Result<(), Interrupt> {
    raise(reader, draft, row, reference, counter)
        .await
        .map(drop)
}

/// Takes the next number of a counter on the row that a reference names.
pub(super) async fn raise(
    reader: &Reader<'_>,
    draft: &mut Draft,
    row: &Record,
    reference: &Name,
    counter: &Name,
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
        return Err(Error::not_found(&declared.name.value, key).into());
    };
    let stored = stored_name(declared, &counter.value);
    let before = item.get(&stored).cloned();
    let number = match &before {
        Some(AttributeValue::N(number)) => *number,
        _ => Number::from(0),
    };
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
