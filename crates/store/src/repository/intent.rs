//! Intents: what leads to the snapshot of a commit that never finished.

use super::instance::RepositoryInstance;
use super::log;
use crate::address::Address;
use crate::draft::{Action, Demand, Draft, Edit, Write};
use crate::error::{Clash, Error, ErrorKind};
use crate::profile::role;
use crate::record::{self, Record};
use crate::session::{Interrupt, PartitionRange, Session, answered};
use monotable_api::{BatchWriteItemInput, DeleteRequest, PutRequest, Request, WriteRequest};
use monotable_item::{AttributeValue, EncodedItem, Item, ItemBuilder, limits};
use monotable_model::compiled::Instant;
use monotable_model::model::{Role, TableId};
use serde::Serialize;
use std::time::Duration;

/// The attribute of an intent that holds the partition of its snapshot.
const PARTITION: &str = "partition";
/// The attribute of an intent that holds the name of its repository.
const REPOSITORY: &str = "repository";

/// What a sweep found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SweepReport {
    /// Commits that never finished: their intents are gone.
    pub intents: u64,
    /// Rows of their snapshots that were deleted.
    pub rows: u64,
    /// Intents that are not old enough.
    pub left: u64,
}

/// An intent and the snapshot that it leads to.
#[derive(Clone, Debug)]
pub(super) struct Intent {
    pub(super) address: Address,
    record: Record,
    snapshot: PartitionRange,
}

impl Intent {
    /// The intent of a commit that makes this revision.
    pub(super) fn of(instance: &RepositoryInstance<'_>, revision: &str) -> Result<Self, Error> {
        let session = instance.session;
        let snapshot = instance.partition(revision)?;
        let entity = instance.declared.intent;
        let known = instance
            .values_at(revision)
            .with(REPOSITORY, instance.declared.name.value.as_str())
            .with(PARTITION, snapshot.hash.as_str());
        let mut values = Item::new();
        for (name, value) in known {
            if session.entity(entity).attribute(&name).is_some() {
                values.insert(name, value);
            }
        }
        let record = record::create(session.compiled(), entity, values, &session.around)
            .map_err(|errors| session.refused(entity, errors))?;
        let address = session.row_address(&record)?;
        Ok(Self {
            address,
            record,
            snapshot,
        })
    }

    /// The intent that a row is.
    fn read(instance: &RepositoryInstance<'_>, address: Address, record: Record) -> Option<Self> {
        let session = instance.session;
        let values = &record.values;
        let snapshot = match values.get(PARTITION) {
            Some(AttributeValue::S(hash)) => {
                let first = instance.declared.entities.first()?;
                PartitionRange {
                    table: session.entity(*first).table,
                    index: None,
                    hash: hash.clone(),
                    prefix: String::new(),
                }
            }
            _ => {
                let whole = RepositoryInstance::named_by(session, instance.declared, values)?;
                let Some(AttributeValue::S(revision)) = values.get(instance.revision_name()) else {
                    return None;
                };
                whole.partition(revision).ok()?
            }
        };
        Some(Self {
            address,
            record,
            snapshot,
        })
    }

    /// Adds the row to a draft.
    pub(super) fn begin(&self, session: &Session, draft: &mut Draft) -> Result<(), Interrupt> {
        let key = self.address.to_string();
        let clash = Error::conflict(session.name(self.record.entity), Clash::Key { key });
        let put = Action::new(Write::Put(session.encode(&self.record)?));
        draft.add(self.address.clone(), put.demand(Demand::Absent, clash))
    }

    /// Adds its end to the draft of a commit: it must be there, and nobody may have claimed it.
    pub(super) fn end(&self, session: &Session, draft: &mut Draft) -> Result<(), Interrupt> {
        use crate::draft::Blame;
        let mut delete = Action::new(Write::Delete);
        // In a rehearsal it was never put.
        if !session.rehearses {
            delete = delete.demand(Demand::Present, Blame::Changed);
            if let Some(mark) = mark(session, &self.record) {
                delete = delete.demand(Demand::is(mark, None), Blame::Changed);
            }
        }
        draft.add(self.address.clone(), delete)
    }

    /// Claims the intent, deletes the snapshot and then the intent. None: it is not there, so its commit has ended.
    pub(super) async fn discard(&self, session: &Session) -> Result<Option<u64>, Interrupt> {
        if !self.claim(session).await? {
            return Ok(None);
        }
        let rows = self.clear(session).await?;
        let mut draft = Draft::default();
        draft.add(self.address.clone(), Action::new(Write::Delete))?;
        session.commit(&mut draft).await?;
        Ok(Some(rows))
    }

    /// Deletes the rows of the snapshot.
    pub(super) async fn clear(&self, session: &Session) -> Result<u64, Interrupt> {
        let rows = std::slice::from_ref(&self.snapshot);
        let items = session.all_encoded(rows).await?;
        let items: Vec<_> = items.into_iter().flatten().collect();
        delete_all(session, self.snapshot.table, &items).await?;
        Ok(items.len() as u64)
    }

    /// Makes sure that its commit cannot finish any more. Someone who claimed it before and died is helped out.
    async fn claim(&self, session: &Session) -> Result<bool, Interrupt> {
        let mut edit = Edit::default();
        let entity = session.entity(self.record.entity);
        if let Some(attribute) = role(entity, Role::Deleting) {
            let now = record::time(&attribute.kind, &session.around, 0);
            if let Some(now) = now {
                edit.set.insert(attribute.stored.clone(), now);
            }
        }
        let gone = Error::not_found(&entity.name.value, self.address.to_string());
        let claim = Action::new(Write::Update(edit)).demand(Demand::Present, gone);
        let mut draft = Draft::default();
        draft.add(self.address.clone(), claim)?;
        match session.commit(&mut draft).await {
            Ok(()) => Ok(true),
            Err(Interrupt::Fail(error)) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(stop) => Err(stop),
        }
    }

    /// Whether its commit began before a time, or a sweep has claimed it already.
    fn is_stale(&self, session: &Session, before: i64) -> bool {
        let entity = session.entity(self.record.entity);
        let value = |of| role(entity, of).and_then(|role| self.record.values.get(&role.name.value));
        let began = match value(Role::Created) {
            Some(AttributeValue::S(text)) => Instant::parse(text).ok(),
            _ => None,
        };
        value(Role::Deleting).is_some() || began.is_none_or(|began| began.to_micros() <= before)
    }
}

fn mark(session: &Session, record: &Record) -> Option<String> {
    session.profile(record.entity).deleting.clone()
}

/// Deletes the snapshots of commits that began so long ago and never finished.
pub(super) async fn sweep(
    instance: &RepositoryInstance<'_>,
    older_than: Duration,
) -> Result<SweepReport, Interrupt> {
    let session = instance.session;
    let rows = instance.intent_rows()?;
    let table = rows.table;
    let age = i64::try_from(older_than.as_micros()).unwrap_or(i64::MAX);
    let before = session.around.now_micros.saturating_sub(age);
    let mut swept = SweepReport::default();
    for item in session.all(&[rows]).await?.into_iter().flatten() {
        let Some(intent) = ours(instance, table, &item) else {
            continue;
        };
        if !intent.is_stale(session, before) {
            swept.left += 1;
            continue;
        }
        if let Some(rows) = intent.discard(session).await? {
            swept.intents += 1;
            swept.rows += rows;
        }
    }
    Ok(swept)
}

/// Deletes the rows of a revision that is neither in the log nor under way: without its intent its commit can never finish.
/// That takes a commit that was swept, went on writing and died, or a program without intents.
pub(crate) async fn sweep_orphan(
    session: &Session,
    name: &str,
    row: &Item,
    older_than: Duration,
) -> Result<u64, Interrupt> {
    let whole = RepositoryInstance::partial(session, name, &Item::new())?;
    let Some(instance) = RepositoryInstance::named_by(session, whole.declared, row) else {
        return Ok(0);
    };
    let Some(AttributeValue::S(revision)) = row.get(instance.revision_name()) else {
        return Ok(0);
    };
    let age = i64::try_from(older_than.as_micros()).unwrap_or(i64::MAX);
    let before = session.around.now_micros.saturating_sub(age);
    let made = log::made_at(&instance, revision);
    if made.is_some_and(|made| made > before) {
        return Ok(0);
    }
    let intent = Intent::of(&instance, revision)?;
    if session.get(&intent.address, true).await?.is_some() {
        return Ok(0);
    }
    // The log is asked last: a commit that has just finished has no intent any more.
    match log::find(&instance, revision).await? {
        Some(_) => Ok(0),
        None => intent.clear(session).await,
    }
}

/// The item as an intent of this repository.
fn ours(instance: &RepositoryInstance<'_>, table: TableId, item: &Item) -> Option<Intent> {
    let session = instance.session;
    let record = session.decode(table, item)?;
    let name = &instance.declared.name.value;
    let other = match record.values.get(REPOSITORY) {
        Some(AttributeValue::S(repository)) => repository != name,
        _ => false,
    };
    if record.entity != instance.declared.intent || other {
        return None;
    }
    let address = Address::of_item(session.model(), table, item)?;
    Intent::read(instance, address, record)
}

/// Writes items, 25 in a request, side by side.
pub(super) async fn put_all(
    session: &Session,
    table: TableId,
    items: Vec<EncodedItem>,
) -> Result<(), Interrupt> {
    let writes = items.into_iter().map(|item| WriteRequest {
        put_request: Some(PutRequest {
            item: Some(item.into()),
        }),
        ..WriteRequest::default()
    });
    send(session, table, writes.collect()).await
}

/// Deletes items in the same way.
pub(super) async fn delete_all(
    session: &Session,
    table: TableId,
    items: &[EncodedItem],
) -> Result<(), Interrupt> {
    let writes = items.iter().map(|item| WriteRequest {
        delete_request: Some(DeleteRequest {
            key: Some(key_of(session, table, item).into()),
        }),
        ..WriteRequest::default()
    });
    send(session, table, writes.collect()).await
}

fn key_of(session: &Session, table: TableId, item: &EncodedItem) -> EncodedItem {
    let table = session.model().table(table);
    let mut key = ItemBuilder::new();
    for name in std::iter::once(&table.hash).chain(&table.range) {
        if let Some(value) = item.view().get(&name.value) {
            key.push(&name.value, value);
        }
    }
    key.finish()
}

async fn send(
    session: &Session,
    table: TableId,
    mut writes: Vec<WriteRequest>,
) -> Result<(), Interrupt> {
    let name = &session.model().table(table).physical;
    let mut requests = Vec::new();
    while !writes.is_empty() {
        let rest = writes.split_off(writes.len().min(limits::MAX_BATCH_WRITE));
        let input = BatchWriteItemInput::default().and(name.clone(), writes);
        requests.push(Request::BatchWriteItem(input));
        writes = rest;
    }
    for answer in session.steps.send(requests).await {
        answered(answer)?;
    }
    Ok(())
}
