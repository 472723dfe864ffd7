//! What a caller changes, applied to the rows of a snapshot.

use super::instance::RepositoryInstance;
use super::snapshot_rows::{
    Identity, SnapshotRow, SnapshotRows, State, identity, identity_names, place_number,
};
use crate::assignment::assigned_value;
use crate::error::{Clash, Error};
use crate::field_error::{FieldError, Problem};
use crate::mention::Mention;
use crate::operation::{AnyOperation, Attach, Create, Delete, Detach, Put, Update};
use crate::record::{self, Change, Record};
use crate::write::replacement;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Attribute, Entity, EntityId};
use std::collections::BTreeMap;

/// A set of changes under way.
pub(super) struct ChangeSet<'a, 's> {
    pub(super) instance: &'a RepositoryInstance<'s>,
    pub(super) revision: &'a str,
    pub(super) contents: &'a mut SnapshotRows<'s>,
}

/// The place in an order that an entity's rows have.
pub(super) fn position(entity: &Entity) -> Option<&Attribute> {
    let mut attributes = entity.attributes.iter();
    attributes.find(|attribute| attribute.position.is_some())
}

/// The place of a row in its order.
fn position_of(entity: &Entity, record: &Record) -> Option<u64> {
    let attribute = position(entity)?;
    place_number(record.values.get(&attribute.name.value))
}

impl ChangeSet<'_, '_> {
    /// Applies changes one after the other, and gives back what is refused of them: everything that is wrong with a
    /// commit is said at once.
    pub(super) fn apply(&mut self, changes: &[AnyOperation]) -> Result<Vec<Error>, Error> {
        let mut refused = Vec::new();
        for change in changes {
            match self.change(change) {
                Ok(()) => {}
                Err(error) if error.is_validation() => {
                    self.stand_in(change);
                    refused.push(error);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(refused)
    }

    /// Others may refer to a row that is refused: that is not wrong with them.
    fn stand_in(&mut self, change: &AnyOperation) {
        let (AnyOperation::Create(Create { entity, values })
        | AnyOperation::Attach(Attach { entity, values })
        | AnyOperation::Put(Put { entity, values })) = change
        else {
            return;
        };
        if let Ok(entity) = self.entity(entity) {
            let values = values.clone();
            let member = SnapshotRow::refused(Record { entity, values });
            self.contents.add(member);
        }
    }

    fn change(&mut self, change: &AnyOperation) -> Result<(), Error> {
        match change {
            AnyOperation::Create(Create { entity, values })
            | AnyOperation::Attach(Attach { entity, values }) => {
                let made = self.make_row(entity, values)?;
                self.insert(made)
            }
            AnyOperation::Put(Put { entity, values }) => self.put(entity, values),
            AnyOperation::Update(Update {
                entity,
                key,
                change,
            }) => self.update(entity, key, change),
            AnyOperation::Delete(Delete { entity, key })
            | AnyOperation::Detach(Detach { entity, key }) => self.delete(entity, key),
            _ => Err(Error::usage(
                "a commit is made of creates, puts, updates and deletes",
            )),
        }
    }

    fn entity(&self, name: &str) -> Result<EntityId, Error> {
        let reader = self.instance.reader;
        let id = reader.entity_named(name)?;
        if self.instance.declared.entities.contains(&id) {
            Ok(id)
        } else {
            let repository = &self.instance.declared.name.value;
            Err(Error::usage(format!(
                "{name} is not in the repository `{repository}`"
            )))
        }
    }

    /// The row that is made of what a caller gives, with its place in the order if that is given.
    fn make_row(&self, name: &str, given: &Item) -> Result<(Record, Option<u64>), Error> {
        let reader = self.instance.reader;
        let entity = self.entity(name)?;
        let mut values = self.with_partition(entity, given)?;
        // Defaults may be what another row of the snapshot says.
        let referred = self.referred(entity, &values);
        let asked = self.take_position(entity, &mut values)?;
        let circumstances = reader.circumstances.with_referred(referred);
        let record = record::create(reader.compiled(), entity, values, &circumstances)
            .map_err(|errors| self.refused(entity, given, errors))?;
        let forged = record::find_forged(reader.model(), &record, &circumstances);
        if !forged.is_empty() {
            return Err(self.refused(entity, given, forged));
        }
        Ok((record, asked))
    }

    /// What is given with the attributes of the snapshot's partition; others than those are refused.
    fn with_partition(&self, entity: EntityId, given: &Item) -> Result<Item, Error> {
        let own = self.instance.values_at(self.revision);
        let mut values = given.clone();
        let mut errors = Vec::new();
        for (name, value) in own.iter() {
            let Some(attribute) = self.instance.reader.entity(entity).attribute(name) else {
                continue;
            };
            let problem = match given.get(name) {
                Some(_) if name == self.instance.revision_name() => Some(Problem::NotGiven),
                Some(given) if given != value => Some(Problem::Wrong {
                    wanted: format!("that of the repository, a {}", attribute.kind),
                }),
                _ => None,
            };
            errors.extend(problem.map(|problem| FieldError::new(name, problem)));
            values.insert(name.clone(), value.clone());
        }
        if errors.is_empty() {
            Ok(values)
        } else {
            Err(self.refused(entity, given, errors))
        }
    }

    /// The place in the order that is asked for, taken out of what is given.
    fn take_position(&self, entity: EntityId, values: &mut Item) -> Result<Option<u64>, Error> {
        let declared = self.instance.reader.entity(entity);
        let Some(attribute) = position(declared) else {
            return Ok(None);
        };
        let name = &attribute.name.value;
        let Some(given) = values
            .get(name)
            .filter(|given| **given != AttributeValue::Null)
        else {
            return Ok(None);
        };
        let wrong = || {
            let wanted = attribute.kind.to_string();
            let error = FieldError::new(name, Problem::Wrong { wanted });
            self.refused(entity, values, vec![error])
        };
        let fits = crate::value::accept(&attribute.kind, given.clone()).is_ok();
        let address = place_number(Some(given))
            .filter(|_| fits)
            .ok_or_else(wrong)?;
        values.remove(name);
        Ok(Some(address))
    }

    /// The rows that references name, as far as they are in the snapshot by now.
    fn referred(&self, entity: EntityId, values: &Item) -> BTreeMap<String, Item> {
        let record = Record {
            entity,
            values: values.clone(),
        };
        referred_rows(self.instance, self.contents, &record)
    }

    fn insert(&mut self, (record, asked): (Record, Option<u64>)) -> Result<(), Error> {
        let reader = self.instance.reader;
        if self.contents.find(&record).is_some() {
            let key = identity_text(&identity(reader.entity(record.entity), &record));
            let name = reader.name(record.entity);
            return Err(Error::conflict(name, Clash::key(Mention::new(key))));
        }
        self.contents.add(SnapshotRow::new(record, asked));
        Ok(())
    }

    fn put(&mut self, name: &str, given: &Item) -> Result<(), Error> {
        let reader = self.instance.reader;
        let (record, asked) = self.make_row(name, given)?;
        let Some(position) = self.contents.find(&record) else {
            return self.insert((record, asked));
        };
        let Some(old) = self.row(position) else {
            return Ok(());
        };
        let mut change = replacement(reader, &old, &record, given);
        self.without_place(old.entity, &mut change);
        self.rewrite(position, &old, &change, asked)
    }

    /// Places are given apart from the other attributes.
    fn without_place(&self, entity: EntityId, change: &mut Change) {
        if let Some(attribute) = position(self.instance.reader.entity(entity)) {
            change.set.remove(&attribute.name.value);
            change.unset.retain(|name| *name != attribute.name.value);
        }
    }

    fn update(&mut self, name: &str, key: &Item, change: &Change) -> Result<(), Error> {
        let entity = self.entity(name)?;
        let position = self.existing(entity, key, &change.set)?;
        let Some(old) = self.row(position) else {
            return Ok(());
        };
        let mut change = change.clone();
        let asked = self.take_position(entity, &mut change.set)?;
        self.rewrite(position, &old, &change, asked)
    }

    fn rewrite(
        &mut self,
        position: usize,
        old: &Record,
        change: &Change,
        asked: Option<u64>,
    ) -> Result<(), Error> {
        let reader = self.instance.reader;
        let circumstances = reader
            .circumstances
            .with_referred(self.referred(old.entity, &old.values));
        let changed = record::changed(reader.compiled(), old, change, &circumstances)
            .map_err(|errors| self.refused(old.entity, &old.values, errors))?;
        self.contents.replace(position, changed, State::Changed);
        if let Some(member) = self.contents.member_mut(position) {
            member.asked = asked.or(member.asked);
        }
        Ok(())
    }

    fn delete(&mut self, name: &str, key: &Item) -> Result<(), Error> {
        let reader = self.instance.reader;
        let entity = self.entity(name)?;
        let position = self.existing(entity, key, &Item::new())?;
        let tombstone = &reader.entity(entity).tombstone;
        if tombstone.is_empty() {
            if let Some(member) = self.contents.member_mut(position) {
                member.state = State::Removed;
            }
            return Ok(());
        }
        let Some(mut record) = self.row(position) else {
            return Ok(());
        };
        for assignment in tombstone {
            if let Some(value) = assigned_value(reader, &record.values, &assignment.value) {
                record.values.insert(assignment.name.value.clone(), value);
            }
        }
        record::touch(reader.entity(entity), &mut record, &reader.circumstances);
        self.contents.replace(position, record, State::Changed);
        Ok(())
    }

    fn row(&self, position: usize) -> Option<Record> {
        let member = self.contents.member(position)?;
        Some(self.contents.record(member).clone())
    }

    /// The row that a caller names by attributes of its key. One with a tombstone is there only for a change of that.
    fn existing(&self, entity: EntityId, key: &Item, set: &Item) -> Result<usize, Error> {
        let reader = self.instance.reader;
        let declared = reader.entity(entity);
        let mut values = self.with_partition(entity, key)?;
        let address = self.take_position(entity, &mut values)?;
        let missing: Vec<_> = identity_names(declared)
            .into_iter()
            .filter(|name| values.get(name).is_none())
            .map(|name| FieldError::new(name, Problem::Missing))
            .collect();
        if !missing.is_empty() {
            return Err(self.refused(entity, key, missing));
        }
        let unknown: Vec<_> = key
            .iter()
            .filter(|(name, _)| declared.attribute(name).is_none())
            .map(|(name, _)| FieldError::new(name, Problem::Unknown))
            .collect();
        if !unknown.is_empty() {
            return Err(self.refused(entity, key, unknown));
        }
        let wanted = Record { entity, values };
        let found = self.contents.find(&wanted).filter(|position| {
            let member = self.contents.member(*position);
            member.is_some_and(|member| {
                let record = self.contents.record(member);
                let revived = declared
                    .tombstone
                    .iter()
                    .any(|assignment| set.get(&assignment.name.value).is_some());
                let at = position_of(declared, record);
                let elsewhere = address.is_some() && at != address;
                (revived || !crate::read::has_tombstone(reader, record)) && !elsewhere
            })
        });
        found.ok_or_else(|| {
            let key = identity_text(&identity(declared, &wanted));
            Error::not_found(&declared.name.value, Mention::new(key))
        })
    }

    fn refused(&self, entity: EntityId, values: &Item, errors: Vec<FieldError>) -> Error {
        let record = Record {
            entity,
            values: values.clone(),
        };
        name_row(self.instance, &record, errors)
    }
}

/// Errors of one row, with what it is called.
pub(super) fn name_row(
    instance: &RepositoryInstance<'_>,
    record: &Record,
    errors: Vec<FieldError>,
) -> Error {
    let reader = instance.reader;
    let row = identity_text(&identity(reader.entity(record.entity), record));
    let errors = errors.into_iter().map(|error| error.in_row(&row)).collect();
    reader.refused(record.entity, errors)
}

/// The rows that references of a row name, by the references' names.
pub(super) fn referred_rows(
    instance: &RepositoryInstance<'_>,
    contents: &SnapshotRows<'_>,
    record: &Record,
) -> BTreeMap<String, Item> {
    let mut rows = BTreeMap::new();
    let entity = instance.reader.entity(record.entity);
    for (attribute, reference) in crate::profile::references(entity) {
        let id = record.values.get(&attribute.name.value);
        if let Some(member) = id.and_then(|id| contents.referred(reference.target, id)) {
            let values = contents.record(member).values.clone();
            rows.insert(attribute.name.value.clone(), values);
        }
    }
    rows
}

/// An identity as people read it.
pub(super) fn identity_text(identity: &Identity) -> String {
    let parts: Vec<_> = identity.1.split_terminator('\0').collect();
    parts.join(" ")
}
