//! Unique values: the rows that guard them, written and removed with their owner.

pub(crate) mod verify;

mod unguarded;

use crate::change::{CauseKind, ItemChange, Run};
use crate::change_log::{Fate, NotedChange};
use crate::draft::{Action, Blame, Demand, Write};
use crate::error::{Clash, Error};
use crate::guard::{self, GuardRow};
use crate::interrupt::Interrupt;
use crate::record::Record;
use crate::scope::Scope;
use crate::store_item::is_adopted;
use monotable_item::AttributeValue;
use monotable_model::model::{EntityId, MoveKind};

fn blame_unique(scope: &Scope, entity: EntityId, claim: &str) -> Blame {
    let claim = claim.to_owned();
    Error::conflict(scope.name(entity), Clash::Unique { claim }).into()
}

/// Adds what a change does to the guards of an item: those it had are released, those it has are taken.
pub(crate) async fn apply(run: &mut Run<'_>, change: &ItemChange) -> Result<(), Interrupt> {
    let scope = run.reader.scope;
    let Some(entity) = change.new_rows().chain(change.old_rows()).next() else {
        return Ok(());
    };
    let entity = entity.entity;
    let old = if change.kind() == CauseKind::Purged {
        // A row in the bin has kept the guards of what it was.
        let live = change.old_rows().filter_map(|row| live_form(scope, row));
        let guards = live.flat_map(|live| guard::stored_guards(scope, &live));
        without_repetition(guards)
    } else {
        let rows = change.old_rows();
        without_repetition(rows.flat_map(|row| guard::stored_guards(scope, row)))
    };
    let mut new = Vec::new();
    for row in change.new_rows() {
        new.extend(guard::guards(scope, row)?);
    }
    let new = without_repetition(new);
    for guard in &old {
        let kept = new.iter().find(|new| new.address == guard.address);
        if !kept.is_some_and(|kept| same_guard(kept, guard)) {
            note_guard(scope, entity, guard, Fate::Deleted);
            release(run, guard)?;
        }
    }
    for guard in new {
        let kept = old.iter().find(|old| old.address == guard.address);
        if kept.is_some_and(|old| same_guard(old, &guard)) {
            continue;
        }
        if !is_adopted(&run.reader).await? {
            Box::pin(unguarded::refuse_holders(run, change, &guard)).await?;
        }
        note_guard(scope, entity, &guard, Fate::Created);
        take(run, entity, guard, &old);
    }
    demand_empty_bin(run, change)
}

/// Notes that a guard comes or goes, if somebody wants to know.
fn note_guard(scope: &Scope, entity: EntityId, guard: &GuardRow, fate: Fate) {
    let Some(log) = &scope.changes else { return };
    let entity = scope.name(entity).to_owned();
    let noted = NotedChange {
        declaration: Some(format!("entity.{entity}.unique.{}", guard.claim)),
        entity,
        cause: "guard",
        before: None,
        after: None,
        fate,
    };
    log.note(guard.address.clone(), noted);
}

/// Adds a guard, and demands that none of its old forms is there.
fn take(run: &mut Run<'_>, entity: EntityId, guard: GuardRow, old: &[GuardRow]) {
    let scope = run.reader.scope;
    for address in &guard.also {
        let is_own = |old: &GuardRow| old.also.contains(address) || old.address == *address;
        if !old.iter().any(is_own) {
            let blame = blame_unique(scope, entity, &guard.claim);
            let check = Action::check().demand(Demand::Absent, blame);
            run.draft.claim_late(address.clone(), check);
        }
    }
    let blame = blame_unique(scope, entity, &guard.claim);
    let put = Action::new(Write::Put(guard.item)).demand(Demand::Absent, blame);
    run.draft.claim_late(guard.address, put);
}

/// The guards of several rows. What they have in common they have once.
fn without_repetition(guards: impl IntoIterator<Item = GuardRow>) -> Vec<GuardRow> {
    let mut all: Vec<GuardRow> = Vec::new();
    for guard in guards {
        if all.iter().all(|known| known.address != guard.address) {
            all.push(guard);
        }
    }
    all
}

/// A guard that a stored row holds.
pub(crate) struct HeldGuard {
    /// The entity whose value it guards: of a row in the bin, that of the row it was.
    pub(crate) entity: EntityId,
    pub(crate) guard: GuardRow,
}

/// The guards that a stored row holds: its own, and, in the bin, those of the row it was, which it can be again.
pub(crate) fn guards_held(scope: &Scope, row: &Record) -> Vec<HeldGuard> {
    let live = live_form(scope, row);
    let mut held = Vec::new();
    for form in std::iter::once(row).chain(&live) {
        let entity = form.entity;
        let guards = guard::stored_guards(scope, form).into_iter();
        held.extend(guards.map(|guard| HeldGuard { entity, guard }));
    }
    held
}

/// The row that a row of the bin was, and can be again.
pub(crate) fn live_form(scope: &Scope, row: &Record) -> Option<Record> {
    let mut moves = scope.model().moves.iter();
    let declared = moves
        .find(|declared| matches!(declared.kind, MoveKind::To { to, .. } if to == row.entity))?;
    let mut values = row.values.clone();
    for assignment in &declared.set {
        values.remove(&assignment.name.value);
    }
    Some(Record {
        entity: declared.of,
        values,
    })
}

/// A row in the bin keeps its place: nobody makes another one of its key, because it can be taken back.
fn demand_empty_bin(run: &mut Run<'_>, change: &ItemChange) -> Result<(), Interrupt> {
    let scope = run.reader.scope;
    let is_new = change.before().is_none();
    for row in change.new_rows().filter(|_| is_new) {
        for declared in &scope.model().moves {
            let MoveKind::To { to, .. } = declared.kind else {
                continue;
            };
            if declared.of != row.entity || scope.entity(to).table != scope.entity(row.entity).table
            {
                continue;
            }
            let binned = Record {
                entity: to,
                values: row.values.clone(),
            };
            let Ok(address) = scope.row_address(&binned) else {
                continue;
            };
            let clash = Clash::key(scope.mention(row.entity, &scope.row_address(row)?));
            let taken = Error::conflict(scope.name(row.entity), clash);
            let check = Action::check().demand(Demand::Absent, taken);
            run.draft.add(address, check)?;
        }
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

fn release(run: &mut Run<'_>, guard: &GuardRow) -> Result<(), Interrupt> {
    // A row from before there were guards has none; one that is another's stays.
    for address in std::iter::once(&guard.address).chain(&guard.also) {
        if run.reader.attempt.avoids(address) {
            continue;
        }
        let delete = Action::new(Write::Delete).demand(
            Demand::NoneOr(guard.owner.clone()),
            Blame::Avoid(address.clone()),
        );
        run.draft.add(address.clone(), delete)?;
    }
    Ok(())
}
