//! What an operation is going to write: one action for each item, with what must hold of it.
//!
//! Several declarations may touch one item: a person's create checks that its tree exists, counts it there and takes a
//! number from it. DynamoDB takes one action for an item in a transaction, so actions on one item are merged as they are
//! added. Each demand remembers which declaration made it, and that is what a failing condition is reported as.

mod action;
mod archived;
mod commit;
mod demand;
mod expression;
mod weight;

pub(crate) use action::{Action, Edit, Write};
pub(crate) use archived::Archived;
pub(crate) use commit::request_changed_item;
pub(crate) use demand::{Blame, Demand};

use crate::address::Address;
use crate::error::Error;
use crate::interrupt::Interrupt;
use monotable_item::{EncodedItem, Item, limits};
use monotable_model::model::TableId;
use std::collections::{BTreeMap, BTreeSet};

/// The writes of an operation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    /// In boxes: a node of the map has room for eleven, and most drafts have one or two.
    actions: BTreeMap<Address, Box<PlacedAction>>,
    /// How many rows at the beginning are what operations are about.
    first: usize,
    /// How many actions were added: each comes after those before it.
    added: usize,
    /// Unique values that are taken: after all that are released, so that rows can exchange theirs.
    late_claims: Vec<(Address, Action)>,
    /// Items that follow from the first row, whatever they were: they may be written before it, in other transactions.
    following: BTreeSet<Address>,
    /// The rows in it that archives keep.
    pub(crate) archived: Vec<Archived>,
    /// What was put in transactions before it. A dry run does not find it in the table.
    assumed: BTreeMap<Address, Item>,
}

/// An action, and where it stands among the others.
#[derive(Clone, Debug)]
struct PlacedAction {
    place: Place,
    action: Action,
}

/// Where an action stands: rows that operations are about come first, and each kind in the order in which it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    First(usize),
    Later(usize),
}

impl Draft {
    /// Adds an action that comes after all others.
    pub(crate) fn claim_late(&mut self, address: Address, action: Action) {
        self.late_claims.push((address, action));
    }

    /// Takes for granted what another draft puts before this one is sent, and what that one took for granted.
    pub(crate) fn assume(&mut self, earlier: &Self) {
        for (address, action) in &earlier.actions {
            if let Write::Put(item) = &action.action.write {
                self.assumed.insert(address.clone(), item.clone());
            }
        }
        let assumed = earlier.assumed.iter();
        self.assumed
            .extend(assumed.map(|(address, item)| (address.clone(), item.clone())));
    }

    /// What was put here before this draft.
    pub(crate) fn assumed(&self, address: &Address) -> Option<&Item> {
        self.assumed.get(address)
    }

    /// Puts everything in its place.
    pub(crate) fn add_late_claims(&mut self) -> Result<(), Interrupt> {
        for (address, action) in std::mem::take(&mut self.late_claims) {
            self.add(address, action)?;
        }
        Ok(())
    }

    /// Adds an action, merged with what is there for the same item.
    pub(crate) fn add(&mut self, address: Address, action: Action) -> Result<(), Interrupt> {
        // What is checked of an item that is taken later is checked of what it will be.
        let later = self
            .late_claims
            .iter()
            .find(|(late_claims, _)| *late_claims == address);
        if let (Some((_, later)), Write::Check) = (later, &action.write)
            && let Write::Put(item) = &later.write
        {
            let broken = action
                .demands
                .into_iter()
                .find(|(demand, _)| !demand.holds(Some(item)));
            return broken.map_or(Ok(()), |(_, blame)| Err(blame.into()));
        }
        let place = Place::Later(self.added);
        self.merge(address, action, place)
    }

    /// Merges an action with what is there for the same item; if nothing is, it takes this place.
    fn merge(&mut self, address: Address, action: Action, place: Place) -> Result<(), Interrupt> {
        let placed = match self.actions.remove(&address) {
            Some(before) => PlacedAction {
                place: before.place,
                action: before.action.then(action)?,
            },
            None => {
                self.added += 1;
                PlacedAction { place, action }
            }
        };
        self.actions.insert(address, Box::new(placed));
        Ok(())
    }

    /// Adds an action on an item that follows from the row that the operation is about.
    pub(crate) fn add_follower(
        &mut self,
        address: Address,
        action: Action,
    ) -> Result<(), Interrupt> {
        self.following.insert(address.clone());
        self.add(address, action)
    }

    /// What follows from the one row that this is about, in chunks, and the rest, if that can be a transaction. Each chunk
    /// demands of the row what the rest does: whoever comes in between is noticed, and the same call begins anew.
    pub(crate) fn split_followers(&self) -> Result<Option<(Vec<Self>, Self)>, Interrupt> {
        let row = self.in_order().into_iter().next();
        let Some((row, action)) = row.filter(|_| self.first == 1) else {
            return Ok(None);
        };
        let check = Action {
            write: Write::Check,
            demands: action.demands.clone(),
        };
        let mut start = Self::default();
        start.add(row.clone(), check)?;
        let mut rest = self.clone();
        let mut chunks = vec![start.clone()];
        for address in &self.following {
            let Some(placed) = rest.actions.remove(address) else {
                continue;
            };
            let mut piece = Self::default();
            piece.add(address.clone(), placed.action)?;
            if !chunks.last().is_some_and(|chunk| chunk.fits_with(&piece)) {
                chunks.push(start.clone());
            }
            if let Some(chunk) = chunks.last_mut() {
                chunk.join(piece)?;
            }
        }
        let helps = rest.len() < self.len() && rest.fits();
        Ok(helps.then_some((chunks, rest)))
    }

    /// Adds the action on the row that the operation is about, before what was added for it.
    pub(crate) fn add_first(&mut self, address: Address, action: Action) -> Result<(), Interrupt> {
        let is_taken_later = self.late_claims.iter().any(|(late, _)| *late == address);
        if is_taken_later || self.actions.contains_key(&address) {
            return self.add(address, action);
        }
        self.merge(address, action, Place::First(self.first))?;
        self.first += 1;
        Ok(())
    }

    /// Adds everything of another draft.
    pub(crate) fn join(&mut self, other: Self) -> Result<(), Interrupt> {
        let Self {
            actions,
            late_claims,
            following,
            archived,
            assumed,
            ..
        } = other;
        self.assumed.extend(assumed);
        self.following.extend(following);
        self.archived.extend(archived);
        self.late_claims.extend(late_claims);
        let mut actions: Vec<_> = actions.into_iter().collect();
        actions.sort_by_key(|(_, placed)| placed.place);
        for (address, placed) in actions {
            self.add(address, placed.action)?;
        }
        Ok(())
    }

    /// What an item will be, given what it is. None: nothing here writes it.
    pub(crate) fn after(&self, address: &Address, stored: Option<&Item>) -> Option<Option<Item>> {
        let action = self.find_action(address)?;
        match &action.write {
            Write::Check => None,
            _ => Some(action.write.applied(stored)),
        }
    }

    /// What is done to an item in the end.
    fn find_action(&self, address: &Address) -> Option<&Action> {
        let later = self.late_claims.iter().rev().find(|(late_claims, action)| {
            late_claims == address && !matches!(action.write, Write::Check)
        });
        later
            .map(|(_, action)| action)
            .or_else(|| self.actions.get(address).map(|placed| &placed.action))
    }

    /// The items that are put into a table.
    pub(crate) fn puts(&self, table: TableId) -> impl Iterator<Item = &Item> {
        self.actions
            .iter()
            .filter_map(move |(address, placed)| match &placed.action.write {
                Write::Put(item) if address.table() == table => Some(item),
                _ => None,
            })
    }

    /// Whether an item is written without regard to what it was.
    pub(crate) fn decides(&self, address: &Address) -> bool {
        let action = self.find_action(address);
        action.is_some_and(|action| matches!(action.write, Write::Put(_) | Write::Delete))
    }

    /// Whether an item goes.
    pub(crate) fn deletes(&self, address: &Address) -> bool {
        let action = self.find_action(address);
        action.is_some_and(|action| matches!(action.write, Write::Delete))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.actions.is_empty() && self.late_claims.is_empty()
    }

    /// The most actions that it can become.
    pub(crate) fn len(&self) -> usize {
        self.actions.len() + self.late_claims.len()
    }

    /// Whether it can be one transaction.
    pub(crate) fn fits(&self) -> bool {
        self.fits_with(&Self::default())
    }

    /// Whether it can be one transaction together with another.
    pub(crate) fn fits_with(&self, other: &Self) -> bool {
        let most = limits::MAX_TRANSACTION_BYTES;
        self.len() + other.len() <= limits::MAX_TRANSACTION_ACTIONS
            && (self.bound_bytes() + other.bound_bytes() <= most
                || self.bytes() + other.bytes() <= most)
    }

    /// As many bytes as the items in it have at the most. That is cheaper to know than how many they have.
    fn bound_bytes(&self) -> usize {
        let sizes = self
            .actions
            .values()
            .map(|placed| match &placed.action.write {
                Write::Put(item) => weight::bound_size(item),
                Write::Update(edit) => weight::bound_size(&edit.set),
                Write::Delete | Write::Check => 0,
            });
        sizes.sum()
    }

    /// The bytes of the items in it, as far as they are known.
    fn bytes(&self) -> usize {
        let sizes = self
            .actions
            .values()
            .map(|placed| match &placed.action.write {
                Write::Put(item) => EncodedItem::from(item).size(),
                Write::Update(edit) => EncodedItem::from(&edit.set).size(),
                Write::Delete | Write::Check => 0,
            });
        sizes.sum()
    }

    /// Whether it is written as a transaction: a write of one item is a request of its own.
    pub(crate) fn is_transaction(&self) -> bool {
        let mut actions = self.actions.values();
        match (actions.next(), actions.next()) {
            (Some(only), None) => matches!(only.action.write, Write::Check),
            _ => true,
        }
    }

    /// The items it is about, in order.
    pub(crate) fn addresses(&self) -> Vec<Address> {
        let actions = self.in_order().into_iter();
        actions.map(|(address, _)| address.clone()).collect()
    }

    /// Holds every demand against what is stored, as the service would.
    pub(crate) fn check_against(&self, items: &[Option<Item>]) -> Result<(), Interrupt> {
        let mut blames = Vec::new();
        for ((_, action), item) in self.in_order().into_iter().zip(items) {
            if action
                .demands
                .iter()
                .any(|(demand, _)| !demand.holds(item.as_ref()))
            {
                blames.push(action.blame(item.as_ref()));
            }
        }
        Blame::worst(&blames).map_or(Ok(()), |blame| Err(blame.clone().into()))
    }

    /// The actions in order.
    fn in_order(&self) -> Vec<(&Address, &Action)> {
        let mut actions: Vec<_> = self.actions.iter().collect();
        actions.sort_by_key(|(_, placed)| placed.place);
        let actions = actions.into_iter();
        actions
            .map(|(address, placed)| (address, &placed.action))
            .collect()
    }

    /// Why this cannot be one transaction.
    pub(crate) fn too_large(&self) -> Error {
        Error::usage(format!(
            "this needs {} actions ({} bytes) in one transaction; DynamoDB takes {} ({} bytes)",
            self.len(),
            self.bytes(),
            limits::MAX_TRANSACTION_ACTIONS,
            limits::MAX_TRANSACTION_BYTES
        ))
    }
}
