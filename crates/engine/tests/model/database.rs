//! The model: tables are sorted maps of plain items, and an index is worked out anew for every read.

use crate::concrete::{Change, Concrete, ItemWrite, Key, Transaction};
use crate::operation::{Returned, TableChange};
use crate::outcome::{Described, Failure, Outcome};
use crate::path::{Path, project};
use crate::schema::{IndexSchema, Schema, schema};
use crate::update;
use crate::value::{KeyPart, Kind, is_empty, kind_of};
use monotable_item::Item;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub struct Database {
    pub tables: BTreeMap<&'static str, Table>,
    pub tokens: BTreeMap<String, Claim>,
    pub sent: BTreeMap<String, Transaction>,
    /// Seconds.
    pub now: u64,
}

/// What a token was used for, and until when it counts.
#[derive(Clone, Debug)]
pub struct Claim {
    pub request: String,
    pub until: u64,
}

#[derive(Clone, Debug)]
pub struct Table {
    pub schema: Schema,
    pub items: BTreeMap<Vec<KeyPart>, Item>,
    protected: bool,
    provisioned: Option<u64>,
}

/// What came of a write: the item before and after.
pub struct Effect {
    pub old: Option<Item>,
    pub new: Option<Item>,
}

impl Database {
    /// The schema of a table; for a table that is not there, any.
    pub fn schema(&self, table: &str) -> Schema {
        self.tables
            .get(table)
            .map_or_else(|| schema(1), |table| table.schema.clone())
    }

    pub fn last_sent(&self, token: &str) -> Option<Transaction> {
        self.sent.get(token).cloned()
    }

    pub fn table(&self, name: &str) -> Result<&Table, Failure> {
        self.tables.get(name).ok_or_else(Failure::not_found)
    }

    /// Carries out an operation.
    pub fn run(&mut self, operation: &Concrete) -> Outcome {
        self.attempt(operation).unwrap_or_else(Outcome::Failed)
    }

    fn attempt(&mut self, operation: &Concrete) -> Result<Outcome, Failure> {
        match operation {
            Concrete::CreateTable(name, schema) => self.create(name, schema),
            Concrete::DeleteTable(name) => self.delete(name),
            Concrete::UpdateTable(name, change) => self.change(name, *change),
            Concrete::DescribeTable(name) => Ok(Outcome::Described(self.table(name)?.describe())),
            Concrete::ListTables(after, limit) => Ok(self.list(*after, *limit)),
            Concrete::Get(key, projection, _) => self
                .get(key, projection.as_deref())
                .map(Outcome::Attributes),
            Concrete::Write(write, returned, old_on_failure) => {
                self.write(write, *returned, *old_on_failure)
            }
            Concrete::Query(read, partition) => self.query(read, partition),
            Concrete::Scan(read, _) => self.scan(read),
            Concrete::BatchGet(keys, projection) => self.batch_get(keys, projection.as_deref()),
            Concrete::BatchWrite(writes) => self.batch_write(writes),
            Concrete::TransactGet(gets) => self.transact_get(gets),
            Concrete::TransactWrite(transaction) => self.transact_write(transaction),
            Concrete::PassTime(seconds) => {
                self.now += u64::from(*seconds);
                Ok(Outcome::Done)
            }
            Concrete::Reopen => Ok(Outcome::Done),
        }
    }

    fn create(&mut self, name: &'static str, schema: &Schema) -> Result<Outcome, Failure> {
        if self.tables.contains_key(name) {
            return Err(Failure {
                code: "ResourceInUseException",
                ..Failure::default()
            });
        }
        let table = Table {
            schema: schema.clone(),
            items: BTreeMap::new(),
            protected: false,
            provisioned: None,
        };
        self.tables.insert(name, table);
        Ok(Outcome::Done)
    }

    fn delete(&mut self, name: &str) -> Result<Outcome, Failure> {
        if self.table(name)?.protected {
            return Err(Failure::invalid());
        }
        self.tables.remove(name);
        Ok(Outcome::Done)
    }

    fn change(&mut self, name: &str, change: TableChange) -> Result<Outcome, Failure> {
        let table = self.tables.get_mut(name).ok_or_else(Failure::not_found)?;
        match change {
            TableChange::Protect(protected) => table.protected = protected,
            TableChange::PayByUse => table.provisioned = None,
            TableChange::Provision(units) => table.provisioned = Some(units.into()),
        }
        Ok(Outcome::Done)
    }

    fn list(&self, after: Option<&str>, limit: Option<u8>) -> Outcome {
        let names = self.tables.keys().map(|name| (*name).to_owned());
        let names = names.filter(|name| after.is_none_or(|after| name.as_str() > after));
        let mut names: Vec<String> = names.collect();
        let limit = limit.map_or(100, usize::from);
        let more = names.len() > limit;
        names.truncate(limit);
        let last = names.last().filter(|_| more).cloned();
        Outcome::Names(names, last)
    }

    fn get(&self, key: &Key, projection: Option<&[Path]>) -> Result<Option<Item>, Failure> {
        let table = self.table(key.table)?;
        let place = table.check_key(&key.key)?;
        Ok(table
            .items
            .get(&place)
            .map(|item| projected(item, projection)))
    }

    fn write(
        &mut self,
        write: &ItemWrite,
        returned: Returned,
        old_on_failure: bool,
    ) -> Result<Outcome, Failure> {
        let is_update = matches!(write.change, Change::Update(_));
        if !is_update && !matches!(returned, Returned::None | Returned::AllOld) {
            return Err(Failure::invalid_because(
                "ReturnValues can only be ALL_OLD or NONE",
            ));
        }
        let table = self.table(write.table)?;
        let place = table.prepare(write)?;
        let effect = table.evaluate(write, &place).map_err(|mut failure| {
            failure.item = failure.item.filter(|_| old_on_failure);
            failure
        })?;
        let attributes = returned_of(write, returned, &effect);
        self.store(write.table, place, effect.new);
        Ok(Outcome::Attributes(attributes))
    }

    pub fn store(&mut self, table: &str, place: Vec<KeyPart>, item: Option<Item>) {
        let Some(table) = self.tables.get_mut(table) else {
            return;
        };
        match item {
            Some(item) => table.items.insert(place, item),
            None => table.items.remove(&place),
        };
    }
}

pub fn projected(item: &Item, projection: Option<&[Path]>) -> Item {
    projection.map_or_else(|| item.clone(), |paths| project(paths, item))
}

fn returned_of(write: &ItemWrite, returned: Returned, effect: &Effect) -> Option<Item> {
    let touched = |item: &Option<Item>| {
        let Change::Update(actions) = &write.change else {
            return None;
        };
        let paths: Vec<Path> = actions.iter().map(|action| action.path().clone()).collect();
        let attributes = project(&paths, item.as_ref()?);
        (!attributes.is_empty()).then_some(attributes)
    };
    match returned {
        Returned::None => None,
        Returned::AllOld => effect.old.clone(),
        Returned::AllNew => effect.new.clone(),
        Returned::UpdatedOld => touched(&effect.old),
        Returned::UpdatedNew => touched(&effect.new),
    }
}

impl Table {
    fn describe(&self) -> Described {
        Described {
            keys: self
                .schema
                .keys()
                .map(|(name, _)| name.to_owned())
                .collect(),
            indexes: self
                .schema
                .indexes
                .iter()
                .map(|index| index.name.to_owned())
                .collect(),
            protected: self.protected,
            provisioned: self.provisioned,
        }
    }

    /// The place of a key that a request names an item by.
    pub fn check_key(&self, key: &Item) -> Result<Vec<KeyPart>, Failure> {
        if key.len() == self.schema.keys().count() {
            key_parts(self.schema.keys(), key).ok_or_else(Failure::invalid)
        } else {
            Err(Failure::invalid())
        }
    }

    /// Checks a write before anything is read.
    pub fn prepare(&self, write: &ItemWrite) -> Result<Vec<KeyPart>, Failure> {
        match &write.change {
            Change::Put => {
                let place = key_parts(self.schema.keys(), &write.subject);
                self.check_index_keys(&write.subject)?;
                place.ok_or_else(Failure::invalid)
            }
            Change::Update(actions) => {
                let place = self.check_key(&write.subject)?;
                if self.updates_key(write) || self.writes_wrong_type(actions) {
                    Err(Failure::invalid())
                } else {
                    Ok(place)
                }
            }
            Change::Delete | Change::Check => self.check_key(&write.subject),
        }
    }

    pub fn updates_key(&self, write: &ItemWrite) -> bool {
        let Change::Update(actions) = &write.change else {
            return false;
        };
        let mut keys = self.schema.keys();
        keys.any(|(name, _)| actions.iter().any(|action| action.path().attribute == name))
    }

    /// Whether an update writes something to a key of an index that cannot be of its type, whatever the
    /// item is.
    fn writes_wrong_type(&self, actions: &[update::Action]) -> bool {
        let mut keys = self.schema.indexes.iter().flat_map(IndexSchema::keys);
        keys.any(|(name, kind)| {
            let mut actions = actions.iter();
            actions.any(|action| action.path().is_whole(name) && action.is_never(kind))
        })
    }

    fn check_index_keys(&self, item: &Item) -> Result<(), Failure> {
        let mut keys = self.schema.indexes.iter().flat_map(IndexSchema::keys);
        let fits = keys.all(|(name, kind)| match item.get(name) {
            None => true,
            Some(value) => kind_of(value) == Some(kind) && !is_empty(value),
        });
        if fits {
            Ok(())
        } else {
            Err(Failure::invalid())
        }
    }

    /// What a prepared write does to the stored item. A failed condition always has the item.
    pub fn evaluate(&self, write: &ItemWrite, place: &[KeyPart]) -> Result<Effect, Failure> {
        let old = self.items.get(place).cloned();
        let nothing = Item::new();
        let before = old.as_ref().unwrap_or(&nothing);
        if write
            .condition
            .as_ref()
            .is_some_and(|test| !test.holds(before))
        {
            return Err(Failure::condition(old));
        }
        let new = match &write.change {
            Change::Put => Some(write.subject.clone()),
            Change::Delete => None,
            Change::Check => old.clone(),
            Change::Update(actions) => {
                let new = update::apply(actions, old.as_ref(), &write.subject);
                // Which of several mistakes is reported is not this test's matter.
                let new = new.map_err(|message| match actions.len() {
                    1 => Failure::invalid_because(message),
                    _ => Failure::invalid(),
                })?;
                if let Some(new) = &new {
                    self.check_index_keys(new)?;
                }
                new
            }
        };
        Ok(Effect { old, new })
    }
}

/// The key of an item, if all of it is there and can be a key.
pub fn key_parts(
    keys: impl Iterator<Item = (&'static str, Kind)>,
    item: &Item,
) -> Option<Vec<KeyPart>> {
    let part = |(name, kind): (&str, Kind)| {
        let value = item.get(name)?;
        (kind_of(value) == Some(kind) && !is_empty(value))
            .then(|| KeyPart::of(value))
            .flatten()
    };
    keys.map(part).collect()
}
