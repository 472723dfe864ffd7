//! Moves of a whole collection: a row becomes a row of another entity, and what it owns goes with it.
//!
//! The row is marked first, so that nothing new comes to what it owns. Then every owned item is put under its new key and
//! deleted under the old one, both in one transaction, as many items at a time as fit, and the row itself last. A move
//! that breaks off leaves a smaller instance of the same task: the same call ends it. Items keep every attribute, also
//! those that the model does not know; only their keys are others, so the way back gives the same bytes.

mod mark;
mod purge;
mod rekey;

use purge::gone;
pub(super) use purge::left_by_moves;

use super::audit::{self, AuditedAction};
use super::collection::{Owned, in_partitions, owned, partitions};
use super::{checks, paths};
use crate::address::Address;
use crate::allowed::Allowed;
use crate::assignment::assigned_value;
use crate::draft::{Action, Blame, Demand, Draft, Write};
use crate::error::{Clash, Error};
use crate::interrupt::Interrupt;
use crate::profile::{role, stored_name};
use crate::reader::Reader;
use crate::record::Record;
use crate::rights::{Gate, Question, Right};
use crate::token;
use crate::writer;
use mark::moving_name;
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
    removes: &'s [EntityId],
}

/// Which way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Away,
    Back,
    Purge,
}

/// How often it looks for rows that are still there.
const ROUNDS: usize = 1_000;

/// Moves a row and what it owns, takes it back, or deletes what was moved.
pub(super) async fn move_collection(
    reader: &Reader<'_>,
    declared: &Move,
    (to, rest, removes): (EntityId, Option<EntityId>, &[EntityId]),
    key: &Item,
    direction: Direction,
) -> Result<Allowed<Record>, Interrupt> {
    let relocation = Relocation {
        reader,
        declared,
        of: declared.of,
        to,
        rest,
        removes,
    };
    match direction {
        Direction::Away | Direction::Back => relocation.run(key, direction).await,
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
        let (mut row, address) = self.root(from, key).await?;
        let moved = self.turn(direction, &row);
        let question = Question {
            right,
            old: Some(&row),
            new: Some(&moved),
        };
        let mention = || reader.mention(from, &address);
        let mut gate = Gate::new(reader);
        let permit = gate.admit(&Draft::default(), question, mention).await?;
        self.mark(from, &address).await?;
        let mut began = false;
        for _ in 0..ROUNDS {
            let Some(item) = reader.get(&address, true).await? else {
                return Err(Error::not_found(reader.name(from), mention()).into());
            };
            let item = item.to_item();
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
            writer::commit_in_chunks(reader, units).await?;
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
        // For the checks of its entity a row that is taken away is deleted. It is marked, so it stays what it is.
        if direction == Direction::Away {
            checks::at_delete(self.reader, row).await?;
        }
        let (moved, last) = self.last(direction, row, address, item).await?;
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
            self.unmark(from, address, item).await?;
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
        let mut trial = last.clone();
        trial.add_late_claims()?;
        let items = self.reader.get_many_or_none(&trial.addresses()).await?;
        let refused = trial.check_against(&items);
        if let Err(Interrupt::Fail(_)) = &refused {
            self.unmark(from, address, item).await?;
        }
        refused
    }

    /// The row that moves.
    async fn root(&self, from: EntityId, key: &Item) -> Result<(Record, Address), Interrupt> {
        let reader = self.reader;
        let address = reader.address(from, key)?;
        let found = reader.row(&Draft::default(), &address).await?;
        let found = found.filter(|(row, _)| row.entity == from);
        let Some((row, _)) = found else {
            let mention = reader.mention(from, &address);
            return Err(Error::not_found(reader.name(from), mention).into());
        };
        Ok((row, address))
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
        if let Some(role) = role(reader.entity(from), Role::Deleting) {
            moved.values.remove(&role.name.value);
            moved.values.remove(&moving_name(&role.stored));
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

    /// The row itself, and what goes or comes with it: the last of the move.
    async fn last(
        &self,
        direction: Direction,
        row: &Record,
        address: &Address,
        item: &Item,
    ) -> Result<(Record, Draft), Interrupt> {
        let reader = self.reader;
        let (from, to) = match direction {
            Direction::Back => (self.to, self.of),
            Direction::Away | Direction::Purge => (self.of, self.to),
        };
        let moved = self.turn(direction, row);
        let mark = reader.profile(from).deleting.as_deref();
        let mut new = self.without_keys(from, item, mark);
        for assignment in &self.declared.set {
            let name = &assignment.name.value;
            let stored = stored_name(reader.entity(self.to), name);
            match (direction, moved.values.get(name)) {
                (Direction::Back, _) => {
                    new.remove(&stored);
                }
                (Direction::Away | Direction::Purge, Some(value)) => {
                    new.insert(stored, value.clone());
                }
                (Direction::Away | Direction::Purge, None) => {}
            }
        }
        let encoded = reader.encode(&moved)?;
        let table = reader.entity(to).table;
        for (name, value) in encoded.iter() {
            let key = reader.compiled().is_key_attribute(table, name);
            if key || new.get(name).is_none() {
                new.insert(name.clone(), value.clone());
            }
        }
        let mut draft = Draft::default();
        draft.add_first(address.clone(), gone(item))?;
        let new_address = reader.row_address(&moved)?;
        let clash = Clash::key(reader.mention(to, &new_address));
        let taken = Error::conflict(reader.name(to), clash);
        let put =
            Action::new(Write::Put(new)).demand(Demand::Absent, Blame::FailUnlessChanged(taken));
        draft.add(new_address, put)?;
        // What is noted is noted of the live row: it goes, or it is there again.
        let (verb, old, new) = match direction {
            Direction::Back => (AuditedAction::Update, None, Some(&moved)),
            Direction::Away | Direction::Purge => (AuditedAction::Delete, Some(row), None),
        };
        audit::note_write(reader, &mut draft, verb, address, old, new)?;
        for removed in self.removes {
            let live = match direction {
                Direction::Back => &moved,
                Direction::Away | Direction::Purge => row,
            };
            self.remove_or_remake(&mut draft, *removed, direction, live)
                .await?;
        }
        token::note_answer(reader, &mut draft, [&moved])?;
        Ok((moved, draft))
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

    /// Rows that go with the move, and are made again on the way back.
    async fn remove_or_remake(
        &self,
        draft: &mut Draft,
        removed: EntityId,
        direction: Direction,
        live: &Record,
    ) -> Result<(), Interrupt> {
        let reader = self.reader;
        let path = reader
            .model()
            .paths
            .iter()
            .find(|path| path.leaf == removed && path.of == self.of);
        let Some(path) = path else {
            let name = reader.name(removed);
            let message =
                format!("nothing makes {name} again on the way back: it is no leaf of a path");
            return Err(Error::usage(message).into());
        };
        match direction {
            Direction::Back => paths::make_leaf(reader, draft, path, live).await,
            Direction::Away | Direction::Purge => {
                paths::remove_leaf(reader, draft, path, live).await
            }
        }
    }

    /// The attributes of an item that are not keys of its entity.
    fn without_keys(&self, entity: EntityId, item: &Item, mark: Option<&str>) -> Item {
        let table = self.reader.entity(entity).table;
        let mut kept = Item::new();
        for (name, value) in item.iter() {
            let key = self.reader.compiled().is_key_attribute(table, name);
            let marks = mark.is_some_and(|mark| name == mark || *name == moving_name(mark));
            if !key && !marks {
                kept.insert(name.clone(), value.clone());
            }
        }
        kept
    }
}
