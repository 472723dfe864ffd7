//! Rows that came to a row while it moved, or that an index shows late: they go along after it.

use super::{Moving, move_values, write_changes};
use crate::address::Address;
use crate::change::{Cause, ItemChange, StoredRow};
use crate::draft::{Action, Blame, Demand, Draft};
use crate::find::being_moved;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record::Record;
use crate::rights::Gate;
use crate::scope::Scope;
use crate::writer;
use monotable_model::model::EntityId;
use std::collections::BTreeMap;

/// How often rows are looked for that are left. Whoever competes for the same rows makes it begin anew, so it is far more often
/// than anybody should need.
const LOOKS: u32 = 100;

impl Moving<'_> {
    /// Carries along what still has the old values, until nothing is seen so many times.
    pub(super) async fn carry_late(
        &self,
        reader: &Reader<'_>,
        (row, moved): (&Record, &Record),
        mut quiet: u32,
    ) -> Result<(), Interrupt> {
        if self.carries.is_empty() {
            return Ok(());
        }
        for look in 0..LOOKS {
            if quiet == 0 {
                return Ok(());
            }
            let late = self.find_carried(reader, row).await?;
            if late.rows.is_empty() {
                quiet -= 1;
                continue;
            }
            match self.carry_after(reader, (row, moved), late.rows).await {
                Ok(()) => {}
                // Others were there too; what is left is seen by the next look.
                Err(Interrupt::Restart | Interrupt::RestartAvoiding(_)) => {
                    reader.steps.wait(look.min(8)).await;
                }
                Err(stop) => return Err(stop),
            }
        }
        Err(being_moved(reader, row.entity, &self.declared.name.value).into())
    }

    /// Carries rows along to where the row stands now.
    async fn carry_after(
        &self,
        reader: &Reader<'_>,
        (row, moved): (&Record, &Record),
        late: Vec<StoredRow>,
    ) -> Result<(), Interrupt> {
        let (from, to) = (reader.row_address(row)?, reader.row_address(moved)?);
        if find_standing(reader, moved.entity, &to).await?.is_none() {
            return Err(being_moved(reader, row.entity, &self.declared.name.value).into());
        }
        let mut changes = Vec::new();
        for stored in late {
            let cause = Cause::Carried(self.declared.name.value.clone());
            let new = move_values(reader, &stored.record, self.set)?;
            changes.push(ItemChange::new(cause, Some(stored), Some(new)).of_whole_rows());
        }
        let units = write_changes(reader, changes, BTreeMap::from([(from, to.clone())])).await?;
        let mut check = Action::check().demand(Demand::Present, Blame::Changed);
        if let Some(mark) = &reader.profile(moved.entity).deleting {
            check = check.demand(Demand::is(mark, None), Blame::Changed);
        }
        let mut each = Draft::default();
        each.add(to, check)?;
        writer::commit_in_chunks_with(reader, &each, units).await
    }

    /// A row that is not there may have been moved by a call that ended before it had looked again: what was left behind
    /// then goes along now.
    pub(super) async fn finish(
        &self,
        reader: &Reader<'_>,
        address: &Address,
    ) -> Result<(), Interrupt> {
        let of = self.declared.of;
        if !reader.mode.writes() || self.carries.is_empty() || !has_unique_id(reader, of) {
            return Ok(());
        }
        let key = address.key(reader.model());
        let row = reader.decode(address.table(), &key);
        let Some(row) = row.filter(|row| row.entity == of) else {
            return Ok(());
        };
        let moved = move_values(reader, &row, self.set);
        let to = moved.ok().and_then(|moved| reader.row_address(&moved).ok());
        let Some(to) = to.filter(|to| to != address) else {
            return Ok(());
        };
        let is_there = reader.get(address, true).await?.is_some();
        let now = find_standing(reader, of, &to).await?;
        let Some(now) = now.filter(|_| !is_there) else {
            return Ok(());
        };
        let mut before = now.clone();
        for (name, _) in self.set.iter() {
            if let Some(value) = row.values.get(name) {
                before.values.insert(name.clone(), value.clone());
            }
        }
        // Nobody was asked about these rows yet: a caller who may not change one of them leaves them to others.
        if reader.asks_rights() {
            let left = self.find_carried(reader, &before).await?;
            let mut gate = Gate::new(reader);
            match self.admit_carried(reader, &mut gate, left.rows).await {
                Ok(_) => {}
                Err(Interrupt::Fail(_)) => return Ok(()),
                Err(stop) => return Err(stop),
            }
        }
        self.carry_late(reader, (&before, &now), 1).await
    }
}

/// The row of an entity at a place, if nothing has begun on it.
async fn find_standing(
    reader: &Reader<'_>,
    entity: EntityId,
    address: &Address,
) -> Result<Option<Record>, Interrupt> {
    let found = reader.row(&Draft::default(), address).await?;
    let mark = reader.profile(entity).deleting.as_ref();
    let found = found.filter(|(row, item)| {
        row.entity == entity && mark.is_none_or(|mark| item.get(mark).is_none())
    });
    Ok(found.map(|(row, _)| row))
}

/// Whether no two rows of an entity have the same id, wherever they stand: what refers to one refers to no other.
fn has_unique_id(scope: &Scope, entity: EntityId) -> bool {
    let declared = scope.entity(entity);
    let Some(id) = &declared.id else {
        return false;
    };
    let mut claims = declared.claims.iter();
    claims.any(|claim| claim.guard.claimed(scope.model()) == [id.as_str()])
}
