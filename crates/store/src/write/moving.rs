//! Moves: attributes of a key change, and rows that share them change with them.
//!
//! Rows that go along are put under their new keys and deleted under the old ones, in one transaction if it fits. Else
//! the row is marked with the move and its values, and they go in chunks, the row itself last: until it has moved, the same
//! call finds what is left and goes on, and nothing new comes to the row.
//!
//! Rows may come to a row that is not marked while it moves, and an index may show some of them late. So they are read
//! strongly where keys lead to them, else the row is marked first and looked at until an index shows nothing more; and after the
//! move it is looked again for what has the old values, which goes along then.

mod carried;
mod late;

use super::marking::{mark_move, refuse_other_mark, unmark};
use super::relocation::move_collection;
use super::update;
use crate::address::Address;
use crate::allowed::Allowed;
use crate::change::{Cause, ItemChange, Run, StoredRow, find_direction};
use crate::draft::{Action, Blame, Demand, Draft};
use crate::error::{Error, ErrorKind};
use crate::find::stored_place_of_key;
use crate::interrupt::Interrupt;
use crate::mark;
use crate::pipeline;
use crate::profile::role;
use crate::reader::Reader;
use crate::record::{self, Record};
use crate::rights::{Gate, Question, Right};
use crate::scope::Scope;
use crate::token;
use crate::value;
use crate::writer;
use monotable_item::Item;
use monotable_model::model::{AccessId, Move, MoveKind, OnDelete, Role};
use std::collections::BTreeMap;

/// A move of the model that gives a row new values.
struct Moving<'m> {
    declared: &'m Move,
    /// The patterns whose rows go along.
    carries: &'m [AccessId],
    /// The new values.
    set: &'m Item,
}

/// How far a move has come.
struct Progress {
    /// The row has the mark of this move.
    is_marked: bool,
    /// How many chunks this call has written.
    written: usize,
}

/// Moves a row as the model declares.
pub(crate) async fn move_row(
    reader: &Reader<'_>,
    name: &str,
    key: &Item,
    set: &Item,
) -> Result<Allowed<Record>, Interrupt> {
    let moves = &reader.model().moves;
    for declared in moves {
        if let Some(other) = find_direction(declared, name) {
            if let Some((given, _)) = set.iter().next() {
                let message = format!("`{name}` takes a key alone, and no `{given}`");
                return Err(Error::usage(message).into());
            }
            return move_collection(reader, declared, &other, key).await;
        }
    }
    let moving = Moving::find(reader, name, set)?;
    let of = moving.declared.of;
    let nothing = Draft::default();
    let address = stored_place_of_key(reader, &nothing, of, key).await?;
    let (row, item) = match update::existing(reader, &nothing, of, &address).await {
        Ok(found) => found,
        Err(stop) => {
            moving.finish(reader, &address).await?;
            return Err(stop);
        }
    };
    let mut gate = Gate::new(reader);
    let mention = || reader.mention(of, &address);
    gate.begin(&nothing, Right::Update, &row, mention).await?;
    let mut progress = Progress {
        is_marked: refuse_other_mark(reader, (of, &address), &item, name, set)?,
        written: 0,
    };
    let moved = move_values(reader, &row, set)?;
    let question = Question::update(&row, &moved);
    let permit = gate.admit(&nothing, question, mention).await?;
    let stored = StoredRow {
        address,
        record: row,
        item,
    };
    let moves = moving.carry_out(reader, &mut gate, (&stored, &moved), &mut progress);
    match moves.await {
        Ok(()) => Ok(permit.answer(reader, moved)),
        Err(stop) => {
            if progress.is_marked && progress.written == 0 && is_refusal(&stop) {
                moving.give_up(reader, (&stored, &moved)).await?;
            }
            Err(stop)
        }
    }
}

/// What a move that broke off may have left behind goes along, if the row itself has moved.
pub(crate) async fn finish_move(
    reader: &Reader<'_>,
    name: &str,
    key: &Item,
    set: &Item,
) -> Result<(), Interrupt> {
    let Ok(moving) = Moving::find(reader, name, set) else {
        return Ok(());
    };
    let address = stored_place_of_key(reader, &Draft::default(), moving.declared.of, key).await?;
    moving.finish(reader, &address).await
}

impl<'m> Moving<'m> {
    /// The move of this name, if it gives such values.
    fn find(scope: &'m Scope, name: &str, set: &'m Item) -> Result<Self, Error> {
        let moves = &scope.model().moves;
        let declared = moves.iter().find(|declared| declared.name.value == name);
        let Some(declared) = declared else {
            let known: Vec<_> = moves
                .iter()
                .map(|known| known.name.value.as_str())
                .collect();
            let known = known.join(", ");
            let message = format!("the model has no move `{name}`; it has {known}");
            return Err(Error::usage(message));
        };
        let MoveKind::Changes { changes, carries } = &declared.kind else {
            return Err(Error::usage(format!("`{name}` turns rows into others")));
        };
        let known: Vec<_> = changes.iter().map(|known| known.value.as_str()).collect();
        if set.is_empty() {
            let known = known.join("`, `");
            let message = format!("the move needs a new value of `{known}`");
            return Err(Error::usage(message));
        }
        for (name, _) in set.iter() {
            if !known.contains(&name.as_str()) {
                let known = known.join("`, `");
                let message = format!("the move changes `{known}`, not `{name}`");
                return Err(Error::usage(message));
            }
        }
        Ok(Self {
            declared,
            carries,
            set,
        })
    }

    /// Moves the row with what goes along.
    async fn carry_out(
        &self,
        reader: &Reader<'_>,
        gate: &mut Gate<'_>,
        (stored, moved): (&StoredRow, &Record),
        progress: &mut Progress,
    ) -> Result<(), Interrupt> {
        let row = &stored.record;
        let place = (self.declared.of, &stored.address);
        let marks = reader.mode.writes() && reader.profile(row.entity).deleting.is_some();
        let mut carried = self.find_carried(reader, row).await?;
        if carried.is_uncertain && marks && progress.is_marked {
            carried = self.settle(reader, row, carried).await?;
        }
        let is_uncertain = carried.is_uncertain;
        let mut units = self.admit_carried(reader, gate, carried.rows).await?;
        let name = &self.declared.name.value;
        let cause = Cause::Rekeyed(name.clone());
        let own = ItemChange::new(cause, Some(stored.clone()), Some(moved.clone()));
        units.push(own.of_whole_rows());
        let mut units = write_changes(reader, units, BTreeMap::new()).await?;
        let mut own = units.pop().unwrap_or_default();
        if !progress.is_marked {
            own.join(self.demand_owners(reader, row)?)?;
        }
        let mut whole = Draft::default();
        for unit in units.iter().chain([&own]) {
            whole.join(unit.clone())?;
        }
        token::note_answer(reader, &mut whole, [moved])?;
        // An index shows what it shows: only after the mark it is known that nothing new comes.
        let marks_first = is_uncertain && marks && !progress.is_marked;
        if whole.fits() && !marks_first {
            writer::commit(reader, &mut whole).await?;
            if reader.mode.writes() {
                let looks = u32::from(!progress.is_marked) + u32::from(is_uncertain);
                self.carry_late(reader, (row, moved), looks).await?;
            }
            return Ok(());
        }
        if !progress.is_marked {
            writer::refuse_early(reader, units.iter().chain([&own])).await?;
            mark_move(
                reader,
                place,
                (name, self.set),
                self.demand_owners(reader, row)?,
            )
            .await?;
            progress.is_marked = marks;
        }
        if marks_first {
            return Err(Interrupt::Restart);
        }
        // Nothing else may have begun on the row since.
        let mut each = Draft::default();
        if reader.mode.writes()
            && let Some(mark) = &reader.profile(row.entity).deleting
        {
            let begun = Demand::is(mark::move_name(mark), Some(name.as_str().into()));
            let check = Action::check().demand(begun, Blame::Changed);
            each.add(stored.address.clone(), check)?;
        }
        let written = &mut progress.written;
        writer::commit_counting_chunks(reader, &each, units, written).await?;
        if !reader.mode.writes() {
            return writer::commit(reader, &mut own).await;
        }
        // What an index showed late, or others wrote meanwhile, goes in the next round; the row itself in the last.
        Err(Interrupt::Restart)
    }

    /// The changes of rows that go along, if the caller may change them so.
    async fn admit_carried(
        &self,
        reader: &Reader<'_>,
        gate: &mut Gate<'_>,
        rows: Vec<StoredRow>,
    ) -> Result<Vec<ItemChange>, Interrupt> {
        let mut moved = Vec::new();
        for stored in &rows {
            moved.push(move_values(reader, &stored.record, self.set)?);
        }
        let questions = rows.iter().zip(&moved);
        let questions = questions.map(|(old, new)| Question::update(&old.record, new));
        gate.admit_all(&Draft::default(), &questions.collect::<Vec<_>>())
            .await?;
        let cause = || Cause::Carried(self.declared.name.value.clone());
        let changes = rows.into_iter().zip(moved);
        let changes = changes
            .map(|(old, new)| ItemChange::new(cause(), Some(old), Some(new)).of_whole_rows());
        Ok(changes.collect())
    }

    /// Demands that no delete has begun which takes the row along: it may have deleted a part of what belongs to it.
    fn demand_owners(&self, scope: &Scope, row: &Record) -> Result<Draft, Interrupt> {
        let mut draft = Draft::default();
        let entity = scope.entity(row.entity);
        for (name, _) in self.set.iter() {
            let reference = entity.attribute(name).and_then(|it| it.reference.as_ref());
            let reference = reference.filter(|it| it.on_delete == OnDelete::Cascade);
            let Some((reference, id)) = reference.zip(row.values.get(name)) else {
                continue;
            };
            let owner = scope.target_address(row, reference.target, id);
            let mark = scope.profile(reference.target).deleting.as_ref();
            if let Some((owner, mark)) = owner.zip(mark) {
                let mention = scope.mention(reference.target, &owner);
                let going = Error::being_deleted(scope.name(reference.target), mention);
                let check = Action::check().demand(Demand::is(mark, None), going);
                draft.add(owner, check)?;
            }
        }
        Ok(draft)
    }

    /// Takes the mark off a row whose move is refused, if nothing has gone along: then all is as it was.
    async fn give_up(
        &self,
        reader: &Reader<'_>,
        (stored, moved): (&StoredRow, &Record),
    ) -> Result<(), Interrupt> {
        let Some(item) = reader.get(&stored.address, true).await? else {
            return Ok(());
        };
        if self.find_carried(reader, moved).await?.gone.is_empty() {
            let place = (self.declared.of, &stored.address);
            unmark(reader, place, &item.to_item()).await?;
        }
        Ok(())
    }
}

/// Whether nothing was written: of what the service did not answer that is not known.
fn is_refusal(stop: &Interrupt) -> bool {
    match stop {
        Interrupt::Fail(error) => !matches!(error.kind(), ErrorKind::Retryable | ErrorKind::Fatal),
        Interrupt::Restart | Interrupt::RestartAvoiding(_) => false,
    }
}

/// Each change in a draft of its own; `moved` says where rows stand that have moved before.
async fn write_changes(
    reader: &Reader<'_>,
    changes: Vec<ItemChange>,
    mut moved: BTreeMap<Address, Address>,
) -> Result<Vec<Draft>, Interrupt> {
    for change in &changes {
        if let (Some(old), Some(new)) = (change.first_old(), change.after()) {
            moved.insert(old.address.clone(), reader.row_address(new)?);
        }
    }
    let mut units = Vec::new();
    for change in changes {
        let mut unit = Draft::default();
        let mut run = Run::new(*reader, &mut unit);
        run.moved.clone_from(&moved);
        pipeline::apply(&mut run, change).await?;
        units.push(unit);
    }
    Ok(units)
}

/// A row with the new values of its key.
fn move_values(scope: &Scope, row: &Record, set: &Item) -> Result<Record, Error> {
    let entity = scope.entity(row.entity);
    let mut moved = row.clone();
    if let Some(mark) = role(entity, Role::Deleting) {
        moved.values.remove(&mark.name.value);
    }
    let mut errors = Vec::new();
    for (name, value) in set.iter() {
        let Some(attribute) = entity.attribute(name) else {
            continue;
        };
        match value::accept(&attribute.kind, value.clone()) {
            Ok(value) => {
                moved.values.insert(name.clone(), value);
            }
            Err(problem) => {
                errors.push(record::refuse_value(Some(attribute), name, value, problem));
            }
        }
    }
    record::touch(entity, &mut moved, &scope.circumstances);
    record::compute(scope.model(), &mut moved, &scope.circumstances);
    if errors.is_empty() {
        Ok(moved)
    } else {
        Err(scope.refused(row.entity, errors))
    }
}
