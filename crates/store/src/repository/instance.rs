//! One repository: the model's declaration, with the key of one head.

use super::intent::REPOSITORY;
use crate::address::Address;
use crate::address::Finder;
use crate::address::PartitionRange;
use crate::error::{Clash, Error};
use crate::field_error::{FieldError, Problem};
use crate::find::{finder, primary_finders};
use crate::interrupt::Interrupt;
use crate::mention::Mention;
use crate::profile::role;
use crate::reader::Reader;
use crate::record::Record;
use crate::rights::Gate;
use crate::scope::Scope;
use crate::value;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{EntityId, Repository, Role, TableId};

/// A repository of the model for one owner, day, or whatever its head's key names.
#[derive(Clone, Debug)]
pub(super) struct RepositoryInstance<'s> {
    pub(super) reader: &'s Reader<'s>,
    pub(super) declared: &'s Repository,
    /// The attributes of the head's key.
    pub(super) key: Item,
}

/// A head that was read.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub(super) record: Record,
    pub(super) item: Item,
    /// The revision that it names.
    pub(super) revision: String,
}

impl<'s> RepositoryInstance<'s> {
    pub(super) fn new(reader: &'s Reader<'s>, name: &str, key: &Item) -> Result<Self, Error> {
        let instance = Self::partial(reader, name, key)?;
        let head = instance.declared.head;
        let wanted = reader.entity(head).key_attributes();
        let missing: Vec<_> = wanted
            .into_iter()
            .filter(|name| key.get(name).is_none())
            .map(|name| FieldError::new(name, Problem::Missing))
            .collect();
        if missing.is_empty() {
            Ok(instance)
        } else {
            Err(reader.refused(head, missing))
        }
    }

    /// A repository of which the caller need not name the whole key, as a sweep of many of them.
    pub(super) fn partial(reader: &'s Reader<'s>, name: &str, key: &Item) -> Result<Self, Error> {
        let repositories = &reader.model().repositories;
        let declared = repositories.iter().find(|known| known.name.value == name);
        let Some(declared) = declared else {
            let known: Vec<_> = repositories
                .iter()
                .map(|known| known.name.value.as_str())
                .collect();
            return Err(Error::usage(format!(
                "the model has no repository `{name}`; it has {}",
                known.join(", ")
            )));
        };
        let key = accept_key(reader, declared.head, key)?;
        Ok(Self {
            reader,
            declared,
            key,
        })
    }

    /// The repository that a row of another one names by its attributes; none if they are not all there.
    pub(super) fn named_by(
        reader: &'s Reader<'s>,
        declared: &'s Repository,
        values: &Item,
    ) -> Option<Self> {
        let mut key = Item::new();
        for name in reader.entity(declared.head).key_attributes() {
            key.insert(name, values.get(name)?.clone());
        }
        Some(Self {
            reader,
            declared,
            key,
        })
    }

    /// The repository that stored values name, if they are all there and each is of its kind.
    pub(super) fn accepted_from(
        reader: &'s Reader<'s>,
        declared: &'s Repository,
        values: &Item,
    ) -> Option<Self> {
        let named = Self::named_by(reader, declared, values)?;
        let key = accept_key(reader, declared.head, &named.key).ok()?;
        Some(Self { key, ..named })
    }

    /// The name of the attribute that holds the revision.
    pub(super) fn revision_name(&self) -> &'s str {
        &self.declared.revision.value
    }

    /// The head's reference to the log.
    pub(super) fn pointer(&self) -> &'s str {
        &self.declared.pointer.value
    }

    /// The log's reference to the revision before.
    pub(super) fn parent_name(&self) -> Option<&'s str> {
        let parent = self.declared.parent.as_ref();
        parent.map(|name| name.value.as_str())
    }

    /// The log's attribute that says how many rows a snapshot has.
    pub(super) fn count_name(&self) -> Option<&'s str> {
        let count = self.declared.count.as_ref();
        count.map(|name| name.value.as_str())
    }

    /// The log's time of a revision.
    pub(super) fn time_name(&self) -> Option<&'s str> {
        let log = self.reader.entity(self.declared.log);
        role(log, Role::Created).map(|attribute| attribute.name.value.as_str())
    }

    /// What every row of a revision's snapshot has.
    pub(super) fn values_at(&self, revision: &str) -> Item {
        self.key.clone().with(self.revision_name(), revision)
    }

    pub(super) fn head_place(&self) -> Result<Address, Error> {
        self.reader.address(self.declared.head, &self.key)
    }

    /// The head as it is; none before the first commit.
    pub(super) async fn head(&self) -> Result<Option<Head>, Interrupt> {
        let address = self.head_place()?;
        let item = self.reader.get(&address, true).await?;
        Ok(match item {
            Some(item) => Some(self.read_head(item.to_item())?),
            None => None,
        })
    }

    /// Where the head may stand: under the key that is written, and under those of other layouts.
    pub(super) fn head_places(&self) -> Vec<Address> {
        let ways = self.ways_to(self.declared.head, &self.key);
        let mut addresses: Vec<Address> = Vec::new();
        for way in ways {
            if let Finder::Key(address) = way
                && !addresses.contains(&address)
            {
                addresses.push(address);
            }
        }
        addresses
    }

    pub(super) fn read_head(&self, item: Item) -> Result<Head, Error> {
        self.read_head_of(self.reader.entity(self.declared.head).table, item)
    }

    pub(super) fn read_head_of(&self, table: TableId, item: Item) -> Result<Head, Error> {
        let entity = self.declared.head;
        let record = self.reader.decode(table, &item);
        let record = record.filter(|record| record.entity == entity);
        let name = self.reader.name(entity);
        let broken = || Error::integrity(format!("{name} names no revision"));
        let record = record.ok_or_else(broken)?;
        match record.values.get(self.pointer()) {
            Some(AttributeValue::S(revision)) => Ok(Head {
                revision: revision.clone(),
                record,
                item,
            }),
            _ => Err(broken()),
        }
    }

    /// The head, which must be there.
    pub(super) async fn existing_head(&self) -> Result<Head, Interrupt> {
        match self.head().await? {
            Some(head) => Ok(head),
            None => {
                let address = self.head_place()?;
                let name = self.reader.name(self.declared.head);
                Err(
                    Error::not_found(name, self.reader.mention(self.declared.head, &address))
                        .into(),
                )
            }
        }
    }

    /// The head, which must be there for the caller.
    pub(super) async fn visible_head(&self) -> Result<Head, Interrupt> {
        let head = self.existing_head().await?;
        self.refuse_hidden(Some(&head)).await?;
        Ok(head)
    }

    /// Refuses a head that the caller may not see: for it there is none.
    pub(super) async fn refuse_hidden(&self, head: Option<&Head>) -> Result<(), Interrupt> {
        let Some(head) = head else {
            return Ok(());
        };
        if Gate::new(self.reader).sees([&head.record]).await? == [true] {
            return Ok(());
        }
        let mention = self.reader.mention(self.declared.head, &self.head_place()?);
        let name = self.reader.name(self.declared.head);
        Err(Error::not_found(name, mention).into())
    }

    /// The partition of a revision's snapshot.
    pub(super) fn partition(&self, revision: &str) -> Result<PartitionRange, Error> {
        let entity = self.first_entity()?;
        let values = self.values_at(revision);
        let partition = self.reader.addressing().locate_partition(entity, &values);
        let partition = partition.map_err(|problem| self.reader.refuse_key(entity, problem))?;
        Ok(partition.whole())
    }

    fn first_entity(&self) -> Result<EntityId, Error> {
        let first = self.declared.entities.first().copied();
        first.ok_or_else(|| Error::usage("the repository has no entities"))
    }

    /// The rows of the log.
    pub(super) fn log_rows(&self) -> Result<PartitionRange, Error> {
        self.rows_of(self.declared.log, &self.key)
    }

    /// Where rows of the log may stand: under the key that is written, and under those of other layouts.
    pub(super) fn log_ranges(&self) -> Result<Vec<PartitionRange>, Error> {
        let mut ranges = vec![self.log_rows()?];
        for way in self.ways_to(self.declared.log, &self.key) {
            if let Finder::Range(rows) = way
                && !ranges.contains(&rows)
            {
                ranges.push(rows);
            }
        }
        Ok(ranges)
    }

    fn ways_to(&self, entity: EntityId, known: &Item) -> Vec<Finder> {
        primary_finders(self.reader, entity, known)
    }

    /// Where the intent of a revision stands; none if a revision of that name can have none.
    pub(super) fn intent_place(&self, revision: &str) -> Option<Address> {
        let name = self.declared.name.value.as_str();
        let values = self.values_at(revision).with(REPOSITORY, name);
        let intent = self.declared.intent;
        self.reader.addressing().locate_row(intent, &values).ok()
    }

    /// The intents of this repository; of others with the same owner too, if intents do not tell.
    pub(super) fn intent_rows(&self) -> Result<PartitionRange, Error> {
        let known = self
            .key
            .clone()
            .with(REPOSITORY, self.declared.name.value.as_str());
        self.rows_of(self.declared.intent, &known)
    }

    fn rows_of(&self, entity: EntityId, known: &Item) -> Result<PartitionRange, Error> {
        match finder(self.reader, entity, known, "") {
            Some(Finder::Range(rows)) => Ok(rows),
            Some(Finder::Key(_)) | None => Err(Error::usage(format!(
                "rows of {} are not found by the key of {}",
                self.reader.name(entity),
                self.reader.name(self.declared.head)
            ))),
        }
    }

    /// What is said when the head is not what a caller thinks.
    pub(super) fn head_moved(&self, head: Option<&Head>) -> Interrupt {
        let head = head.map(|head| head.revision.clone());
        Error::conflict(&self.declared.name.value, Clash::Head { head }).into()
    }

    /// What is said of a revision that is not in the log.
    pub(super) fn unknown(&self, revision: &str) -> Interrupt {
        let name = self.reader.name(self.declared.log);
        Error::not_found(name, Mention::new(revision)).into()
    }
}

/// The attributes of a key, each of its kind.
fn accept_key(scope: &Scope, head: EntityId, given: &Item) -> Result<Item, Error> {
    let entity = scope.entity(head);
    let wanted = entity.key_attributes();
    let mut key = Item::new();
    let mut errors = Vec::new();
    for (name, given) in given.iter() {
        let attribute = entity
            .attribute(name)
            .filter(|_| wanted.contains(&name.as_str()));
        let accepted = match attribute {
            Some(attribute) => value::accept(&attribute.kind, given.clone()),
            None => Err(Problem::Unknown),
        };
        match accepted {
            Ok(value) => {
                key.insert(name.clone(), value);
            }
            Err(problem) => errors.push(FieldError::new(name, problem)),
        }
    }
    if errors.is_empty() {
        Ok(key)
    } else {
        Err(scope.refused(head, errors))
    }
}
