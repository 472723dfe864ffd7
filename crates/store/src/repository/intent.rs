//! Intents: what leads to the snapshot of a commit that never finished.

use super::batch::delete_all;
use super::instance::RepositoryInstance;
use super::log;
use super::stored_key::{parse_partition, parse_primary_key};
use crate::address::Address;
use crate::address::PartitionRange;
use crate::draft::{Action, Demand, Draft, Edit, Write};
use crate::error::{Clash, Error, ErrorKind};
use crate::interrupt::Interrupt;
use crate::operation::{KeepReason, KeptRevision};
use crate::profile::role;
use crate::reader::Reader;
use crate::record::{self, Record};
use crate::scope::Scope;
use crate::writer;
use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::Instant;
use monotable_model::model::{EntityId, Role};

/// The attribute of an intent that may hold the partition key of its snapshot, as a text for people. It is compared, and
/// never followed.
const PARTITION: &str = "partition";
/// The attribute of an intent that holds the name of its repository.
pub(super) const REPOSITORY: &str = "repository";

/// An intent that was read, with the commit that it stands for.
#[derive(Clone, Debug)]
pub(super) struct StoredIntent<'s> {
    pub(super) intent: Intent,
    pub(super) instance: RepositoryInstance<'s>,
    pub(super) revision: String,
}

/// An intent and the snapshot that it leads to.
#[derive(Clone, Debug)]
pub(super) struct Intent {
    pub(super) address: Address,
    record: Record,
    pub(super) snapshot: PartitionRange,
}

impl Intent {
    /// The intent of a commit that makes this revision.
    pub(super) fn new(instance: &RepositoryInstance<'_>, revision: &str) -> Result<Self, Error> {
        let reader = instance.reader;
        let snapshot = instance.partition(revision)?;
        let entity = instance.declared.intent;
        let known = instance
            .values_at(revision)
            .with(REPOSITORY, instance.declared.name.value.as_str())
            .with(PARTITION, snapshot.partition.key_text());
        let mut values = Item::new();
        for (name, value) in known {
            if reader.entity(entity).attribute(&name).is_some() {
                values.insert(name, value);
            }
        }
        let record = record::create(reader.compiled(), entity, values, &reader.circumstances)
            .map_err(|errors| reader.refused(entity, errors))?;
        let address = reader.row_address(&record)?;
        Ok(Self {
            address,
            record,
            snapshot,
        })
    }

    /// The intent that a row is.
    ///
    /// The owner is what the row's own primary key says, and the partition is computed. So whoever can write an intent
    /// leads a sweep to their own snapshots at most.
    pub(super) fn read<'s>(
        repository: &RepositoryInstance<'s>,
        address: Address,
        record: Record,
    ) -> Result<StoredIntent<'s>, KeptRevision> {
        let (reader, declared) = (repository.reader, repository.declared);
        let mut values = record.values.clone();
        let in_key = parse_primary_key(reader, record.entity, &address).unwrap_or_default();
        for (name, value) in in_key.iter() {
            values.insert(name.clone(), value.clone());
        }
        let revision = match values.get(repository.revision_name()) {
            Some(AttributeValue::S(revision)) => Some(revision.clone()),
            _ => None,
        };
        let kept = |why: String| KeptRevision {
            owner: owner_of(reader, declared.head, &in_key),
            revision: revision.clone(),
            reason: KeepReason::Contradiction(format!("the intent {address} {why}")),
        };
        let said = reader.row_address(&Record {
            entity: record.entity,
            values: values.clone(),
        });
        let key_says_all = reader
            .entity(record.entity)
            .key_attributes()
            .into_iter()
            .all(|name| in_key.get(name).is_some());
        if !key_says_all && said.ok().as_ref() != Some(&address) {
            return Err(kept("does not stand under the key that it says".to_owned()));
        }
        let text = match record.values.get(PARTITION) {
            Some(AttributeValue::S(text)) => Some(text.as_str()),
            _ => None,
        };
        if let Some(text) = text {
            add_from_text(repository, text, &mut values).map_err(kept)?;
        }
        let (Some(instance), Some(revision)) = (
            RepositoryInstance::accepted_from(reader, declared, &values),
            revision.clone(),
        ) else {
            let why = "does not hold the attributes of its snapshot's key".to_owned();
            return Err(kept(why));
        };
        let snapshot = match instance.partition(&revision) {
            Ok(snapshot) => snapshot,
            Err(error) => return Err(kept(format!("leads to no snapshot: {error}"))),
        };
        let computed = snapshot.partition.key_text();
        if let Some(text) = text.filter(|text| *text != computed) {
            let why = format!("names the partition {text}, and its key says {computed}");
            return Err(kept(why));
        }
        Ok(StoredIntent {
            intent: Self {
                address,
                record,
                snapshot,
            },
            instance,
            revision,
        })
    }

    /// Adds the row to a draft.
    pub(super) fn begin(&self, scope: &Scope, draft: &mut Draft) -> Result<(), Interrupt> {
        let clash = Clash::key(scope.mention_for_program(&self.address));
        let clash = Error::conflict(scope.name(self.record.entity), clash);
        let put = Action::new(Write::Put(scope.encode(&self.record)?));
        draft.add(self.address.clone(), put.demand(Demand::Absent, clash))
    }

    /// Adds its end to the draft of a commit: it must be there, and nobody may have claimed it.
    pub(super) fn end(&self, scope: &Scope, draft: &mut Draft) -> Result<(), Interrupt> {
        use crate::draft::Blame;
        let mut delete = Action::new(Write::Delete);
        // In a rehearsal it was never put.
        if !scope.mode.checks_conditions() {
            delete = delete.demand(Demand::Present, Blame::Changed);
            if let Some(mark) = mark(scope, &self.record) {
                delete = delete.demand(Demand::is(mark, None), Blame::Changed);
            }
        }
        draft.add(self.address.clone(), delete)
    }

    /// Claims the intent of a commit that this call has begun, deletes the snapshot and then the intent. None: it is not
    /// there, so its commit has ended.
    pub(super) async fn discard(&self, reader: &Reader<'_>) -> Result<Option<u64>, Interrupt> {
        if !self.claim(reader).await? {
            return Ok(None);
        }
        let rows = self.clear(reader).await?;
        self.delete(reader).await?;
        Ok(Some(rows))
    }

    /// Deletes the intent itself.
    pub(super) async fn delete(&self, reader: &Reader<'_>) -> Result<(), Interrupt> {
        let mut draft = Draft::default();
        draft.add(self.address.clone(), Action::new(Write::Delete))?;
        writer::commit(reader, &mut draft).await
    }

    /// How many rows the snapshot has.
    pub(super) async fn count(&self, reader: &Reader<'_>) -> Result<u64, Interrupt> {
        let rows = std::slice::from_ref(&self.snapshot);
        let items = reader.all_encoded(rows).await?;
        Ok(items.iter().map(Vec::len).sum::<usize>() as u64)
    }

    /// Deletes the rows of the snapshot.
    pub(super) async fn clear(&self, reader: &Reader<'_>) -> Result<u64, Interrupt> {
        let rows = std::slice::from_ref(&self.snapshot);
        let items = reader.all_encoded(rows).await?;
        let items: Vec<_> = items.into_iter().flatten().collect();
        delete_all(reader, self.snapshot.table(), &items).await?;
        Ok(items.len() as u64)
    }

    /// Makes sure that its commit cannot finish any more. Someone who claimed it before and died is helped out.
    pub(super) async fn claim(&self, reader: &Reader<'_>) -> Result<bool, Interrupt> {
        let mut edit = Edit::default();
        let entity = reader.entity(self.record.entity);
        if let Some(attribute) = role(entity, Role::Deleting) {
            let now = record::time(&attribute.kind, &reader.circumstances, 0);
            if let Some(now) = now {
                edit.set.insert(attribute.stored.clone(), now);
            }
        }
        let gone = Error::not_found(
            &entity.name.value,
            reader.mention_for_program(&self.address),
        );
        let claim = Action::new(Write::Update(edit)).demand(Demand::Present, gone);
        let mut draft = Draft::default();
        draft.add(self.address.clone(), claim)?;
        match writer::commit(reader, &mut draft).await {
            Ok(()) => Ok(true),
            Err(Interrupt::Fail(error)) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(stop) => Err(stop),
        }
    }

    /// When its commit began, in microseconds; none if neither the row nor the id of the revision tells it.
    pub(super) fn began(&self, stored: &RepositoryInstance<'_>, revision: &str) -> Option<i64> {
        let entity = stored.reader.entity(self.record.entity);
        let created = role(entity, Role::Created);
        let said = created.and_then(|role| self.record.values.get(&role.name.value));
        let said = match said {
            Some(AttributeValue::S(text)) => Instant::parse(text).ok(),
            _ => None,
        };
        said.map(|began| began.to_micros())
            .or_else(|| log::made_at(stored, revision))
    }

    /// Whether a sweep has claimed it, so that its commit can no longer be made.
    pub(super) fn is_claimed(&self, scope: &Scope) -> bool {
        let deleting = role(scope.entity(self.record.entity), Role::Deleting);
        deleting.is_some_and(|role| self.record.values.get(&role.name.value).is_some())
    }
}

fn mark(scope: &Scope, record: &Record) -> Option<String> {
    scope.profile(record.entity).deleting.clone()
}

/// The attributes of a head's key among these values.
pub(super) fn owner_of(scope: &Scope, head: EntityId, values: &Item) -> Item {
    let mut owner = Item::new();
    for name in scope.entity(head).key_attributes() {
        if let Some(value) = values.get(name) {
            owner.insert(name, value.clone());
        }
    }
    owner
}

/// Intents from before hold less than the snapshot's key shows, and a text with the whole partition key. It is read by the
/// snapshot's template, and must not contradict what is known already.
fn add_from_text(
    repository: &RepositoryInstance<'_>,
    text: &str,
    values: &mut Item,
) -> Result<(), String> {
    let first = repository.declared.entities.first();
    let parsed = first.and_then(|entity| parse_partition(repository.reader, *entity, text));
    let Some(parsed) = parsed else {
        return Err(format!(
            "names the partition {text}, which is no snapshot of `{}`",
            repository.declared.name.value
        ));
    };
    for (name, value) in parsed.iter() {
        match values.get(name) {
            Some(known) if known != value => {
                return Err(format!(
                    "names the partition {text}, whose `{name}` is not that of the intent"
                ));
            }
            Some(_) => {}
            None => {
                values.insert(name.clone(), value.clone());
            }
        }
    }
    Ok(())
}
