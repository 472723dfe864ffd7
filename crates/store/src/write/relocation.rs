//! Moves of a whole collection: a row becomes a row of another entity, and what it owns goes with it.
//!
//! The row is marked first, so that nothing new comes to what it owns. Then every owned item is put under its new key and
//! deleted under the old one, both in one transaction, as many items at a time as fit, and the row itself last. A move
//! that breaks off leaves a smaller instance of the same task: the same call ends it. Items keep every attribute, also
//! those that the model does not know; only their keys are others, so the way back gives the same bytes.

mod purge;
mod rekey;

use purge::gone;
pub(super) use purge::left_by_moves;

use super::collection::{Owned, in_partitions, owned, partitions};
use super::create::lost_row;
use super::marking::{check_mark, mark_move, refuse_other_mark, unmark};
use crate::address::Address;
use crate::allowed::Allowed;
use crate::assignment::assigned_value;
use crate::change::{Cause, Direction, ItemChange, MoveToOther, Run, StoredRow};
use crate::draft::{Action, Blame, Demand, Draft, Write};
use crate::error::{Clash, Error};
use crate::find::stored_place_of_key;
use crate::interrupt::Interrupt;
use crate::mark;
use crate::pipeline;
use crate::profile::role;
use crate::read::has_expired;
use crate::reader::Reader;
use crate::record::Record;
use crate::rights::{Gate, Question, Right};
use crate::token;
use crate::writer;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{EntityId, Move, Role};

/// What a move is made of.
struct Relocation<'s> {
    reader: &'s Reader<'s>,
    declared: &'s Move,
    /// The live entity, and the one it becomes.
    of: EntityId,
    to: EntityId,
    /// What the rows become that go with it.
    rest: Option<EntityId>,
}

/// How often it looks for rows that are still there.
const ROUNDS: usize = 1_000;

/// Moves a row and what it owns, takes it back, or deletes what was moved.
pub(super) async fn move_collection(
    reader: &Reader<'_>,
    declared: &Move,
    other: &MoveToOther,
    key: &Item,
) -> Result<Allowed<Record>, Interrupt> {
    let relocation = Relocation {
        reader,
        declared,
        of: declared.of,
        to: other.to,
        rest: other.rest,
    };
    match other.direction {
        Direction::Away | Direction::Back => relocation.run(key, other.direction).await,
        Direction::Purge => relocation.purge(key).await,
    }
}

impl Relocation<'_> {
    async fn run(&self, key: &Item, direction: Direction) -> Result<Allowed<Record>, Interrupt> {
        let reader = self.reader;
        let (from, right) = match direction {
            Direction::Back => (self.to, Right::MoveBack),
            Direction::Away | Direction::Purge => (self.of, Right::MoveAway),
        };
        let (mut row, _, address) = self.root(from, key).await?;
        let moved = self.turn(direction, &row);
        let question = Question {
            right,
            old: Some(&row),
            new: Some(&moved),
        };
        let mention = || reader.mention(from, &address);
        let mut gate = Gate::new(reader);
        let permit = gate.admit(&Draft::default(), question, mention).await?;
        let name = &self.declared.name.value;
        let begun = (name.as_str(), &Item::new());
        mark_move(reader, (from, &address), begun, Draft::default()).await?;
        let mut began = false;
        for _ in 0..ROUNDS {
            let Some(item) = reader.get(&address, true).await? else {
                return Err(Error::not_found(reader.name(from), mention()).into());
            };
            let item = item.to_item();
            let is_marked = refuse_other_mark(reader, (from, &address), &item, name, &Item::new())?;
            if !is_marked && reader.mode.writes() && reader.profile(from).deleting.is_some() {
                return Err(Interrupt::Restart);
            }
            // It may have changed between the first read and the mark.
            if let Some(fresh) = reader.decode(address.table(), &item) {
                row = fresh;
            }
            let open = match direction {
                Direction::Back => self.list_moved(&row, &address).await?,
                Direction::Away | Direction::Purge => owned(reader, &row, &address).await?,
            };
            let planned = self.plan(direction, (&row, &item), &address, &open).await;
            let (moved, mut last, units) = match planned {
                Ok(planned) => planned,
                Err(stop) => {
                    return self.give_up(stop, began, (from, &address, &item)).await;
                }
            };
            let mut whole = Draft::default();
            for unit in &units {
                whole.join(unit.clone())?;
            }
            whole.join(last.clone())?;
            if whole.fits() {
                return match writer::commit(reader, &mut whole).await {
                    Ok(()) => Ok(permit.answer(reader, moved)),
                    Err(stop) => self.give_up(stop, began, (from, &address, &item)).await,
                };
            }
            if !began {
                self.check_against(from, &last, &address, &item).await?;
            }
            began = true;
            // A delete may take over: what goes away then is no longer this move's.
            let each = check_mark(reader, (from, &address), &item)?;
            writer::commit_in_chunks_with(reader, &each, units).await?;
            if !reader.mode.writes() {
                writer::commit(reader, &mut last).await?;
                return Ok(permit.answer(reader, moved));
            }
        }
        Err(Error::conflict(reader.name(from), Clash::Contended).into())
    }

    /// What is written for one round: the row last, and before it what it owns.
    async fn plan(
        &self,
        direction: Direction,
        (row, item): (&Record, &Item),
        address: &Address,
        open: &[Owned],
    ) -> Result<(Record, Draft, Vec<Draft>), Interrupt> {
        let moved = self.turn(direction, row);
        let stored = StoredRow {
            address: address.clone(),
            record: row.clone(),
            item: item.clone(),
        };
        let cause = Cause::Moved(direction);
        let change = ItemChange::new(cause, Some(stored), Some(moved)).of_whole_rows();
        // For the checks of its entity a row that is taken away is deleted. It is marked, so it stays what it is.
        if direction == Direction::Away {
            pipeline::judge_removal(self.reader, &change).await?;
        }
        let mut last = Draft::default();
        let mut run = Run::new(*self.reader, &mut last);
        let change = pipeline::apply(&mut run, change).await?;
        let moved = change.into_after().ok_or_else(lost_row)?;
        token::note_answer(self.reader, &mut last, [&moved])?;
        let units = open.iter().map(|owned| self.unit(direction, owned));
        Ok((moved, last, units.collect::<Result<_, _>>()?))
    }

    /// Ends a move that is refused. What was refused before anything moved is as it was.
    async fn give_up<T>(
        &self,
        stop: Interrupt,
        began: bool,
        (from, address, item): (EntityId, &Address, &Item),
    ) -> Result<T, Interrupt> {
        if !began && let Interrupt::Fail(_) = &stop {
            unmark(self.reader, (from, address), item).await?;
        }
        Err(stop)
    }

    /// What would be refused at the end is refused before anything moves.
    async fn check_against(
        &self,
        from: EntityId,
        last: &Draft,
        address: &Address,
        item: &Item,
    ) -> Result<(), Interrupt> {
        let refused = writer::refuse_early(self.reader, [last]).await;
        if let Err(Interrupt::Fail(_)) = &refused {
            unmark(self.reader, (from, address), item).await?;
        }
        refused
    }

    /// The row that moves.
    async fn root(&self, from: EntityId, key: &Item) -> Result<(Record, Item, Address), Interrupt> {
        let reader = self.reader;
        let nothing = Draft::default();
        let address = stored_place_of_key(reader, &nothing, from, key).await?;
        let found = reader.row(&nothing, &address).await?;
        let found = found.filter(|(row, item)| {
            row.entity == from && !has_expired(reader, from, |name| item.get(name).cloned())
        });
        let Some((row, item)) = found else {
            let mention = reader.mention(from, &address);
            return Err(Error::not_found(reader.name(from), mention).into());
        };
        Ok((row, item, address))
    }

    /// The row of the other entity that a row becomes.
    fn turn(&self, direction: Direction, row: &Record) -> Record {
        let reader = self.reader;
        let (from, to) = match direction {
            Direction::Back => (self.to, self.of),
            Direction::Away | Direction::Purge => (self.of, self.to),
        };
        let mut moved = Record {
            entity: to,
            values: row.values.clone(),
        };
        for assignment in &self.declared.set {
            let name = &assignment.name.value;
            match direction {
                Direction::Back => {
                    moved.values.remove(name);
                }
                Direction::Away | Direction::Purge => {
                    if let Some(value) = self.set_value(row, &assignment.value, name) {
                        moved.values.insert(name.clone(), value);
                    }
                }
            }
        }
        for known in &reader.entity(from).is {
            moved.values.remove(&known.attribute.value);
        }
        if let Some(role) = role(reader.entity(from), Role::Deleting) {
            moved.values.remove(&role.name.value);
            moved.values.remove(&mark::move_name(&role.stored));
        }
        moved
    }

    /// What was moved with a row that is taken back.
    async fn list_moved(&self, row: &Record, address: &Address) -> Result<Vec<Owned>, Interrupt> {
        let Some(rest) = self.rest else {
            return Ok(Vec::new());
        };
        let reader = self.reader;
        let live = Record {
            entity: self.of,
            values: row.values.clone(),
        };
        let mut away = Vec::new();
        for rows in partitions(reader, &live)? {
            away.extend(self.partition_away(rest, rows)?);
        }
        in_partitions(reader, &away, address).await
    }

    /// One owned item under its new key, and no longer under its old one.
    fn unit(&self, direction: Direction, owned: &Owned) -> Result<Draft, Interrupt> {
        let reader = self.reader;
        let Some(rest) = self.rest else {
            return Err(
                Error::usage("the move does not say what becomes of the rows it owns").into(),
            );
        };
        let moved = match direction {
            Direction::Back => self.back(rest, &owned.item),
            Direction::Away | Direction::Purge => self.away(rest, owned),
        };
        let moved = moved.and_then(|item| {
            let table = reader.entity(rest).table;
            Some((reader.addressing().locate_item(table, &item)?, item))
        });
        let Some((address, item)) = moved else {
            let message = format!("{} cannot be moved: its key does not fit", owned.address);
            return Err(Error::integrity(message).into());
        };
        let mut draft = Draft::default();
        draft.add(owned.address.clone(), gone(&owned.item))?;
        let clash = Clash::key(reader.mention_for_program(&address));
        let taken = Error::conflict(reader.name(rest), clash);
        let put = Action::new(Write::Put(item));
        draft.add(
            address,
            put.demand(Demand::Absent, Blame::FailUnlessChanged(taken)),
        )?;
        Ok(draft)
    }

    /// A value that the move sets, in the form of its attribute.
    fn set_value(
        &self,
        row: &Record,
        value: &monotable_model::model::Assigned,
        name: &str,
    ) -> Option<AttributeValue> {
        let value = assigned_value(self.reader, &row.values, value)?;
        let attribute = self.reader.entity(self.to).attribute(name)?;
        crate::value::accept(&attribute.kind, value).ok()
    }
}
