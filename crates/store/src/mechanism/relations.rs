//! What two references of a row mean together: no row with itself, a pair once, no cycle.
//!
//! A cycle cannot be excluded by a condition on one item. Two ways make it certain all the same. If the second end has
//! one first end at most, guarded by a claim, the chain above is read guard by guard, and the transaction demands that
//! none of those guards has changed. Else a counter on a row that all such relations share serialises them: it is read
//! first, the rows below are walked by strong reads, and the transaction demands and raises the counter.

use super::numbers;
use crate::address::{Address, Finder};
use crate::change::{Cause, CauseKind, ItemChange, Run, StoredRow};
use crate::draft::{Action, Blame, Demand, Draft, Write};
use crate::error::{Clash, Error};
use crate::field_error::{FieldError, Problem};
use crate::find::finder;
use crate::guard;
use crate::interrupt::Interrupt;
use crate::profile::stored_name;
use crate::reader::Reader;
use crate::record::Record;
use crate::scope::Scope;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Claim, Guard, Part, Relation, Source};
use monotable_model::span::Name;

/// Adds what a relation demands of rows that are new or have other ends, and keeps the halves of old pairs alike.
pub(crate) async fn apply(run: &mut Run<'_>, change: &ItemChange) -> Result<(), Interrupt> {
    for row in &change.rows {
        let (old, new) = (row.old.as_ref(), row.new.as_ref());
        let Some(entity) = new.or(old.map(|old| &old.record)).map(|row| row.entity) else {
            continue;
        };
        let scope = run.reader.scope;
        let Some(relation) = &scope.entity(entity).relation else {
            continue;
        };
        let ends = |row: &Record| {
            let end = |name: &Name| row.values.get(&name.value).cloned();
            (end(&relation.from), end(&relation.to))
        };
        match (old, new) {
            (Some(old), Some(new)) if ends(&old.record) == ends(new) => {
                // A move finds both halves of a pair itself.
                if change.kind() == CauseKind::Caller {
                    update_twin(run, relation, old, new).await?;
                }
            }
            (old, Some(new)) => {
                demand(run, relation, old.map(|old| &old.address), new).await?;
            }
            (Some(old), None) if relation.symmetric => {
                let twin = scope.row_address(&mirrored_row(relation, &old.record))?;
                run.draft.add(twin, Action::new(Write::Delete))?;
            }
            (Some(_), None) | (None, None) => {}
        }
    }
    Ok(())
}

/// A pair that old data holds twice is changed twice.
async fn update_twin(
    run: &mut Run<'_>,
    relation: &Relation,
    old: &StoredRow,
    new: &Record,
) -> Result<(), Interrupt> {
    if !relation.symmetric {
        return Ok(());
    }
    let twin = run
        .reader
        .row_address(&mirrored_row(relation, &old.record))?;
    if twin == old.address {
        return Ok(());
    }
    if let Some((record, item)) = run.reader.row(run.draft, &twin).await? {
        let stored = StoredRow {
            address: twin,
            record,
            item,
        };
        let new = mirrored_row(relation, new);
        run.push(ItemChange::new(Cause::Mirrored, Some(stored), Some(new)));
    }
    Ok(())
}

/// Adds what a relation demands of a row.
async fn demand(
    run: &mut Run<'_>,
    relation: &Relation,
    old: Option<&Address>,
    row: &Record,
) -> Result<(), Interrupt> {
    let reader = run.reader;
    let entity = reader.scope.entity(row.entity);
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
        run.draft
            .add(address, Action::check().demand(Demand::Absent, taken))?;
    }
    if !relation.acyclic {
        return Ok(());
    }
    let chain = entity
        .claims
        .iter()
        .find_map(|claim| chain_end(reader.scope, claim, relation));
    let draft = &mut *run.draft;
    match (&relation.serial, chain) {
        (Some((reference, counter)), _) => {
            numbers::raise(&reader, draft, row, reference, counter).await?;
            walk_down(&reader, draft, (row, old), relation, from, to).await
        }
        (None, Some((claim, holder))) => {
            walk_up(&reader, draft, row, relation, claim, &holder).await
        }
        (None, None) => walk_down(&reader, draft, (row, old), relation, from, to).await,
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
    (row, old): (&Record, Option<&Address>),
    relation: &Relation,
    from: AttributeValue,
    to: AttributeValue,
) -> Result<(), Interrupt> {
    let mut seen = vec![to.clone()];
    let mut level = vec![to];
    while !level.is_empty() {
        let below = ends_below(reader, draft, (row, old), relation, &level).await?;
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
    (row, old): (&Record, Option<&Address>),
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
        // The row itself, as it was, is not in its own way.
        let others = items.iter().filter(|item| {
            old.is_none() || reader.addressing().locate_item(table, item).as_ref() != old
        });
        let rows = others.filter_map(|item| reader.decode(table, item));
        let same = rows.filter(|found| {
            let first = found.values.get(&relation.from.value);
            found.entity == row.entity && first.is_some_and(|first| level.contains(first))
        });
        ends.extend(same.filter_map(|found| found.values.get(&relation.to.value).cloned()));
    }
    Ok(ends)
}
