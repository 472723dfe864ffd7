//! What two references of a row mean together: no row with itself, a pair once, no cycle.
//!
//! A cycle cannot be excluded by a condition on one item. Two ways make it certain all the same. If the second end has
//! one first end at most, guarded by a claim, the chain above is read guard by guard, and the transaction demands that
//! none of those guards has changed. Else a counter on a row that all such relations share serialises them: it is read
//! first, the rows below are walked by strong reads, and the transaction demands and raises the counter.

pub(crate) mod verify;

mod walk;

use super::numbers;
use crate::address::Address;
use crate::change::{Cause, CauseKind, ItemChange, Run, StoredRow};
use crate::declaration::Declaration;
use crate::draft::{Action, Demand, Write};
use crate::error::{Clash, Error};
use crate::field_error::{FieldError, Problem};
use crate::interrupt::Interrupt;
use crate::record::Record;
use crate::scope::Scope;
use monotable_item::Number;
use monotable_model::model::{Claim, Guard, Part, Relation, Source};
use monotable_model::span::Name;
use walk::{Side, Walk};

/// Whether rows of a change are relations.
pub(crate) fn concern(scope: &Scope, change: &ItemChange) -> bool {
    let mut rows = change.new_rows().chain(change.old_rows());
    rows.any(|row| scope.entity(row.entity).relation.is_some())
}

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
        let error = error.by(Declaration::of_relation(entity));
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
    if let Some((reference, counter)) = &relation.serial {
        let above = (counter, Number::from(0));
        numbers::raise(&reader, draft, row, reference, above).await?;
    }
    let walk = Walk {
        reader: &reader,
        relation,
        row,
        old,
    };
    let above = match chain.filter(|_| relation.serial.is_none()) {
        Some((claim, holder)) => Some(walk.climb_guards(draft, claim, &holder).await?),
        None => None,
    };
    // The chain of guards above excludes cycles; else the rows below do.
    if above.is_none() || relation.depth < usize::MAX {
        let below = walk.height(draft, Side::Below, &to, &from).await?;
        let above = match above {
            Some(above) => above,
            None if relation.depth < usize::MAX => {
                walk.height(draft, Side::Above, &from, &to).await?
            }
            None => 0,
        };
        if above.saturating_add(below) >= relation.depth {
            return Err(walk.too_deep().into());
        }
    }
    Ok(())
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
