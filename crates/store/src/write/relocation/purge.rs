//! Moved rows that go for good.

use super::super::collection::{Owned, owned};
use super::super::marking::{check_mark, mark_delete};
use super::Relocation;
use crate::address::Address;
use crate::allowed::Allowed;
use crate::change::{Cause, Direction, ItemChange, Run, StoredRow};
use crate::draft::{Action, Blame, Demand, Draft, Write};
use crate::interrupt::Interrupt;
use crate::pipeline;
use crate::reader::Reader;
use crate::record::Record;
use crate::rights::{Gate, Question};
use crate::token;
use crate::writer;
use monotable_item::Item;
use monotable_model::model::MoveKind;

impl Relocation<'_> {
    /// Deletes what was moved, for good.
    pub(super) async fn purge(&self, key: &Item) -> Result<Allowed<Record>, Interrupt> {
        let reader = self.reader;
        let (row, mut item, address) = self.root(self.to, key).await?;
        let mention = || reader.mention(self.to, &address);
        let mut gate = Gate::new(reader);
        let question = Question::delete(&row);
        let permit = gate.admit(&Draft::default(), question, mention).await?;
        self.admit_referrers(&row).await?;
        mark_delete(reader, (self.to, &address), &mut item).await?;
        let mut open: Vec<Draft> = Vec::new();
        let live = Record {
            entity: self.of,
            values: row.values.clone(),
        };
        let live_place = reader.row_address(&live)?;
        let alive = reader.get(&live_place, true).await?.is_some();
        // A restore that broke off has left rows on both sides.
        let mut both = self.list_moved(&row, &address).await?;
        if !alive {
            both.extend(owned(reader, &live, &live_place).await?);
        }
        for owned in both {
            let mut draft = Draft::default();
            draft.add(owned.address, Action::new(Write::Delete))?;
            if !alive {
                // A row that is made anew meanwhile has rows of its own.
                let absent = Action::check().demand(Demand::Absent, Blame::Changed);
                draft.add(live_place.clone(), absent)?;
            }
            open.push(draft);
        }
        let each = check_mark(reader, (self.to, &address), &item)?;
        writer::commit_in_chunks_with(reader, &each, open).await?;
        if !alive && reader.mode.writes() {
            // What refers to the row that was moved goes with it, as it would have gone with the live one.
            let removal =
                super::super::delete::Removal::new((live.clone(), live_place.key(reader.model())));
            super::super::delete::delete_late_referrers(reader, vec![removal], false).await?;
        }
        let stored = StoredRow {
            address: address.clone(),
            record: row.clone(),
            item,
        };
        let mut last = Draft::default();
        let change = ItemChange::new(Cause::Moved(Direction::Purge), Some(stored), None);
        pipeline::apply(&mut Run::new(*reader, &mut last), change).await?;
        token::note_answer(reader, &mut last, [&row])?;
        writer::commit(reader, &mut last).await?;
        Ok(permit.answer(reader, row))
    }

    /// Refuses a purge if the caller may not delete what refers to the row that was moved and goes with it.
    async fn admit_referrers(&self, row: &Record) -> Result<(), Interrupt> {
        let reader = self.reader;
        if !reader.asks_rights() {
            return Ok(());
        }
        let live = Record {
            entity: self.of,
            values: row.values.clone(),
        };
        let address = reader.row_address(&live)?;
        if reader.get(&address, true).await?.is_some() {
            return Ok(());
        }
        let removal = super::super::delete::Removal::new((live, address.key(reader.model())));
        super::super::delete::admit_removal_of(reader, vec![removal]).await
    }
}

/// What moves of a row that broke off have left under the keys of moved rows.
pub(in crate::write) async fn left_by_moves(
    reader: &Reader<'_>,
    row: &Record,
    address: &Address,
) -> Result<Vec<Owned>, Interrupt> {
    let mut all = Vec::new();
    for declared in reader.model().moves.iter() {
        let MoveKind::To { to, rest, .. } = &declared.kind else {
            continue;
        };
        if declared.of != row.entity {
            continue;
        }
        let relocation = Relocation {
            reader,
            declared,
            of: declared.of,
            to: *to,
            rest: *rest,
        };
        // Rows of a document in the bin are that one's.
        let mut moved = row.clone();
        moved.entity = *to;
        for assignment in &declared.set {
            moved.values.remove(&assignment.name.value);
        }
        let away = reader.row_address(&moved)?;
        if reader.get(&away, true).await?.is_none() {
            all.extend(relocation.list_moved(row, address).await?);
        }
    }
    Ok(all)
}

/// An item that goes, if it is still what was read.
pub(super) fn gone(item: &Item) -> Action {
    let mut delete = Action::new(Write::Delete).demand(Demand::Present, Blame::Changed);
    for (name, value) in item.iter() {
        delete = delete.demand(Demand::is(name, Some(value.clone())), Blame::Changed);
    }
    delete
}
