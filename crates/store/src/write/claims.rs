//! Unique values: the rows that guard them, written and removed with their owner.

use crate::draft::{Action, Blame, Demand, Draft, Write};
use crate::error::{Clash, Error};
use crate::guard::GuardRow;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::scope::Scope;
use monotable_item::AttributeValue;
use monotable_model::model::EntityId;

fn blame_unique(scope: &Scope, entity: EntityId, claim: &str) -> Blame {
    let claim = claim.to_owned();
    Error::conflict(scope.name(entity), Clash::Unique { claim }).into()
}

/// Adds what a write does to the guards of a row: those it had are released, those it has are taken.
pub(crate) fn swap(
    reader: &Reader<'_>,
    draft: &mut Draft,
    entity: EntityId,
    old: Vec<GuardRow>,
    new: Vec<GuardRow>,
) -> Result<(), Interrupt> {
    for guard in &old {
        let kept = new.iter().find(|new| new.address == guard.address);
        match kept {
            Some(kept) if same_guard(kept, guard) => {}
            _ => release(reader, draft, guard)?,
        }
    }
    for guard in new {
        let kept = old.iter().find(|old| old.address == guard.address);
        if kept.is_some_and(|old| same_guard(old, &guard)) {
            continue;
        }
        for address in &guard.also {
            if old
                .iter()
                .any(|old| old.also.contains(address) || old.address == *address)
            {
                continue;
            }
            let check =
                Action::check().demand(Demand::Absent, blame_unique(reader, entity, &guard.claim));
            draft.claim_late(address.clone(), check);
        }
        let put = Action::new(Write::Put(guard.item))
            .demand(Demand::Absent, blame_unique(reader, entity, &guard.claim));
        draft.claim_late(guard.address, put);
    }
    Ok(())
}

/// Two guards that differ in times only are the same.
fn same_guard(one: &GuardRow, other: &GuardRow) -> bool {
    // What tells the owner is its id and what the guard keeps of it.
    let ids = |demands: &[Demand]| -> Vec<(String, Option<AttributeValue>)> {
        let ids = demands.iter().filter_map(|demand| match demand {
            Demand::Is { attribute, value } => Some((attribute.clone(), value.clone())),
            _ => None,
        });
        ids.collect()
    };
    one.claim == other.claim && one.kept == other.kept && ids(&one.owner) == ids(&other.owner)
}

fn release(reader: &Reader<'_>, draft: &mut Draft, guard: &GuardRow) -> Result<(), Interrupt> {
    // A row from before there were guards has none; one that is another's stays.
    for address in std::iter::once(&guard.address).chain(&guard.also) {
        if reader.attempt.avoids(address) {
            continue;
        }
        let delete = Action::new(Write::Delete).demand(
            Demand::NoneOr(guard.owner.clone()),
            Blame::Avoid(address.clone()),
        );
        draft.add(address.clone(), delete)?;
    }
    Ok(())
}
