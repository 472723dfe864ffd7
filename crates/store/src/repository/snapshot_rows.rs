//! The rows of a snapshot: as they were read, and as they are to be written.
//!
//! A commit writes every row of a snapshot, and most of them are what they were. So rows stay encoded until something
//! asks for them: which entity a row is of is told by its sort key, and a row that is named by its whole sort key is
//! found among the others, which are in that order. Only what changes, and what depends on it, is decoded.

mod identity;
mod items;
mod recognition;
mod snapshot_row;

pub(super) use snapshot_row::{SnapshotRow, State};

pub(super) use identity::{Identity, identity, identity_names};

use super::instance::RepositoryInstance;
use crate::interrupt::Interrupt;
use crate::record::{self, Record};
use crate::scope::Scope;
use identity::is_told_by_key;
use monotable_item::{AttributeValue, EncodedItem, Item, Number, ValueView};
use monotable_model::model::EntityId;
use recognition::recognise_entity;
use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

/// The rows of an entity by what they are called.
#[derive(Debug, Default)]
struct Index {
    by_identity: HashMap<String, usize>,
    by_id: HashMap<String, usize>,
}

/// The rows of a snapshot.
#[derive(Debug)]
pub(super) struct SnapshotRows<'s> {
    scope: &'s Scope,
    /// What every row has: the key of the head, and the revision.
    common: Item,
    /// Those that were read come first, in the order of their sort keys.
    members: Vec<SnapshotRow>,
    read: usize,
    /// Rows that the model does not know: they are carried along.
    unknown_items: Vec<EncodedItem>,
    /// New rows.
    new: Index,
    /// Rows that were read, for entities whose sort keys do not tell enough.
    indexes: Vec<(EntityId, OnceLock<Index>)>,
    /// Everything counts as changed, whatever it was before.
    is_rechecked: bool,
}

impl<'s> SnapshotRows<'s> {
    /// A snapshot without rows.
    pub(super) fn empty(instance: &RepositoryInstance<'s>, revision: &str) -> Self {
        let entities = instance.declared.entities.iter();
        Self {
            scope: instance.reader,
            common: instance.values_at(revision),
            members: Vec::new(),
            read: 0,
            unknown_items: Vec::new(),
            new: Index::default(),
            indexes: entities.map(|id| (*id, OnceLock::new())).collect(),
            is_rechecked: false,
        }
    }

    /// Reads the snapshot of a revision.
    pub(super) async fn read(
        instance: &RepositoryInstance<'s>,
        revision: &str,
    ) -> Result<Self, Interrupt> {
        let rows = instance.partition(revision)?;
        let items = instance.reader.all_encoded(&[rows]).await?;
        let items = items.into_iter().flatten().collect();
        Ok(Self::from_items(instance, revision, items))
    }

    /// Makes sense of the items of a snapshot, which are in the order of their sort keys.
    pub(super) fn from_items(
        instance: &RepositoryInstance<'s>,
        revision: &str,
        items: Vec<EncodedItem>,
    ) -> Self {
        let mut contents = Self::empty(instance, revision);
        contents.members.reserve(items.len());
        for item in items {
            match recognise_entity(instance.reader, instance.declared, &item) {
                Some((entity, old_layout)) => {
                    contents
                        .members
                        .push(SnapshotRow::read(entity, item, old_layout));
                }
                None => contents.unknown_items.push(item),
            }
        }
        contents.read = contents.members.len();
        contents
    }

    /// How many rows there are or were.
    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    pub(super) fn member(&self, position: usize) -> Option<&SnapshotRow> {
        self.members.get(position)
    }

    pub(super) fn member_mut(&mut self, position: usize) -> Option<&mut SnapshotRow> {
        self.members.get_mut(position)
    }

    /// The row of a member.
    pub(super) fn record<'m>(&self, member: &'m SnapshotRow) -> &'m Record {
        member.record.get_or_init(|| self.before(member))
    }

    /// The row as it was read; of a new one nothing.
    pub(super) fn before(&self, member: &SnapshotRow) -> Record {
        let (scope, entity) = (self.scope, member.entity);
        let decoded = member
            .stored
            .as_ref()
            .map(|item| record::decode_among(scope.compiled(), entity, &self.common, item.view()));
        let mut record = decoded.unwrap_or_else(|| Record {
            entity,
            values: Item::new(),
        });
        record::upgrade(scope.model(), &mut record, &scope.circumstances);
        record
    }

    /// The attributes that a changed row does not have as it had them.
    pub(super) fn changed_names(&self, member: &SnapshotRow) -> BTreeSet<String> {
        let (before, after) = (self.before(member), self.record(member));
        let names = before.values.iter().chain(after.values.iter());
        let names = names.map(|(name, _)| name);
        let differ = names
            .filter(|name| self.is_rechecked || before.values.get(name) != after.values.get(name));
        differ.cloned().collect()
    }

    /// Gives a row another shape.
    pub(super) fn replace(&mut self, position: usize, record: Record, state: State) {
        let Some(member) = self.members.get_mut(position) else {
            return;
        };
        member.record = OnceLock::from(record);
        if member.state != State::Changed {
            member.state = state;
        }
    }

    /// Adds a row.
    pub(super) fn add(&mut self, member: SnapshotRow) {
        let position = self.members.len();
        let entity = self.scope.entity(member.entity);
        let record = self.record(&member);
        let (_, identity) = identity(entity, record);
        let id = entity.id.as_ref().and_then(|id| text(&record.values, id));
        self.new
            .by_identity
            .insert(index_name(member.entity, &identity), position);
        if let Some(id) = id {
            self.new
                .by_id
                .insert(index_name(member.entity, &id), position);
        }
        self.members.push(member);
    }

    /// The row with the identity of these values.
    pub(super) fn find(&self, wanted: &Record) -> Option<usize> {
        let entity = self.scope.entity(wanted.entity);
        let (_, identity) = identity(entity, wanted);
        let new = self
            .new
            .by_identity
            .get(&index_name(wanted.entity, &identity));
        let position = match new {
            Some(new) => Some(*new),
            None if is_told_by_key(entity) => self.at_key(wanted),
            None => {
                let index = self.index(wanted.entity)?;
                index.by_identity.get(&identity).copied()
            }
        };
        position.filter(|position| self.is_there(*position))
    }

    /// The row that a reference with this value names.
    pub(super) fn referred(&self, target: EntityId, id: &AttributeValue) -> Option<&SnapshotRow> {
        let entity = self.scope.entity(target);
        let name = entity.id.as_ref()?;
        let shown = value_text(id)?;
        let position = match self.new.by_id.get(&index_name(target, &shown)) {
            Some(new) => Some(*new),
            None if is_told_by_key(entity) && identity_names(entity) == [name.as_str()] => {
                let values = self.common.clone().with(name.as_str(), id.clone());
                let entity = target;
                self.at_key(&Record { entity, values })
            }
            None => self.index(target)?.by_id.get(&shown).copied(),
        };
        let position = position.filter(|position| self.is_there(*position))?;
        self.members.get(position)
    }

    fn is_there(&self, position: usize) -> bool {
        self.members
            .get(position)
            .is_some_and(SnapshotRow::is_there)
    }

    /// The row that was read with the sort key of these values.
    fn at_key(&self, wanted: &Record) -> Option<usize> {
        let mut values = wanted.values.clone();
        for (name, value) in self.common.iter() {
            values.insert(name.clone(), value.clone());
        }
        let scope = self.scope;
        let address = scope.addressing().locate_row(wanted.entity, &values).ok()?;
        let range = address.sort_key()?;
        let read = self.members.get(..self.read)?;
        let table = scope.model().table(scope.entity(wanted.entity).table);
        let name = &table.range.as_ref()?.value;
        let found = read.binary_search_by(|member| {
            let stored = member.stored.as_ref().map(|item| item.view().get(name));
            match stored.flatten() {
                Some(ValueView::S(sort)) => sort.as_bytes().cmp(range.as_bytes()),
                _ => std::cmp::Ordering::Less,
            }
        });
        found.ok()
    }

    /// The rows of an entity that were read, by what they are called.
    fn index(&self, of: EntityId) -> Option<&Index> {
        let (_, index) = self.indexes.iter().find(|(id, _)| *id == of)?;
        Some(index.get_or_init(|| {
            let entity = self.scope.entity(of);
            let mut index = Index::default();
            let read = self.members.iter().take(self.read).enumerate();
            for (position, member) in read.filter(|(_, member)| member.entity == of) {
                let record = self.record(member);
                index
                    .by_identity
                    .insert(identity(entity, record).1, position);
                if let Some(id) = entity.id.as_ref().and_then(|id| text(&record.values, id)) {
                    index.by_id.insert(id, position);
                }
            }
            index
        }))
    }

    /// The rows of an entity.
    pub(super) fn rows(&self, entity: EntityId) -> impl Iterator<Item = &SnapshotRow> {
        self.there().filter(move |member| member.entity == entity)
    }

    /// All rows, also those that are left out.
    pub(super) fn members(&self) -> impl Iterator<Item = &SnapshotRow> {
        self.members.iter()
    }

    /// The rows that are there.
    pub(super) fn there(&self) -> impl Iterator<Item = &SnapshotRow> {
        self.members.iter().filter(|member| member.is_there())
    }

    /// The rows that are there and that a change has made or changed.
    pub(super) fn changed(&self) -> impl Iterator<Item = &SnapshotRow> {
        self.members.iter().filter(|member| member.is_changed())
    }

    /// Whether a row of an entity is new, changed, moved or left out.
    pub(super) fn differs(&self, entity: EntityId) -> bool {
        self.members
            .iter()
            .any(|member| member.entity == entity && member.state != State::Kept)
    }

    /// Whether a row of an entity is left out, or has one of these attributes changed: what refers to it may no longer
    /// be right.
    pub(super) fn unsettles(&self, entity: EntityId, names: &BTreeSet<String>) -> bool {
        let mut rows = self.members.iter();
        rows.any(|member| {
            member.entity == entity
                && match member.state {
                    State::Removed => true,
                    State::Changed if !member.is_new() => {
                        !self.changed_names(member).is_disjoint(names)
                    }
                    State::Changed | State::Kept | State::Moved => false,
                }
        })
    }

    /// Everything is looked at as if it were new.
    pub(super) fn recheck_all(&mut self) {
        self.is_rechecked = true;
        for member in &mut self.members {
            member.state = State::Changed;
        }
    }

    /// Everything is written as the model has it today.
    pub(super) fn refresh(&mut self) {
        for member in &mut self.members {
            member.state = State::Moved;
        }
    }
}

/// A name of a row among those of all entities.
fn index_name(entity: EntityId, name: &str) -> String {
    format!("{}\0{name}", entity.index())
}

/// The text of an attribute.
pub(super) fn text(values: &Item, name: &str) -> Option<String> {
    value_text(values.get(name)?)
}

pub(super) fn value_text(value: &AttributeValue) -> Option<String> {
    match value {
        AttributeValue::S(text) => Some(text.clone()),
        AttributeValue::N(number) => Some(number.to_string()),
        AttributeValue::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// A place in an order as a number.
pub(super) fn place_number(value: Option<&AttributeValue>) -> Option<u64> {
    match value {
        Some(AttributeValue::N(number)) => number.to_string().parse().ok(),
        _ => None,
    }
}

/// A number as a place in an order.
pub(super) fn place_value(address: usize) -> AttributeValue {
    AttributeValue::N(Number::from(address as u64))
}
