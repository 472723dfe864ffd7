//! Rows of other repositories, as their heads have them.

use super::instance::RepositoryInstance;
use super::snapshot_rows::SnapshotRows;
use crate::address::Address;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record::Record;
use crate::scope::Scope;
use monotable_item::AttributeValue;
use monotable_model::model::{EntityId, Repository};
use std::collections::BTreeMap;

/// A row that is named from outside its repository.
pub(super) struct Named<'r> {
    /// The row that names it.
    pub(super) by: &'r Record,
    pub(super) target: EntityId,
    pub(super) id: AttributeValue,
}

/// A snapshot that is about to become the head's.
pub(super) struct Upcoming<'a, 's> {
    pub(super) instance: &'a RepositoryInstance<'s>,
    pub(super) contents: &'a SnapshotRows<'s>,
}

/// The repository whose snapshots have rows of an entity.
pub(super) fn home(scope: &Scope, entity: EntityId) -> Option<&Repository> {
    let mut repositories = scope.model().repositories.iter();
    repositories.find(|repository| repository.entities.contains(&entity))
}

/// The rows that are named, each in the snapshot of its repository's head, or of the commit that will be the head.
pub(super) async fn rows<'s>(
    reader: &'s Reader<'s>,
    named: &[Named<'_>],
    upcoming: &[Upcoming<'_, 's>],
) -> Result<Vec<Option<Record>>, Interrupt> {
    let mut found: Vec<Option<Record>> = named.iter().map(|_| None).collect();
    let mut asked: Vec<(usize, RepositoryInstance<'s>, Address)> = Vec::new();
    for (position, named) in named.iter().enumerate() {
        let instance = home(reader, named.target)
            .and_then(|home| RepositoryInstance::named_by(reader, home, &named.by.values));
        let Some(instance) = instance else {
            continue;
        };
        let made = upcoming.iter().find(|upcoming| {
            upcoming.instance.declared.name.value == instance.declared.name.value
                && upcoming.instance.key == instance.key
        });
        match made {
            Some(made) => {
                let member = made.contents.referred(named.target, &named.id);
                if let Some(found) = found.get_mut(position) {
                    *found = member.map(|member| made.contents.record(member).clone());
                }
            }
            None => {
                let head = instance.head_place()?;
                asked.push((position, instance, head));
            }
        }
    }
    let heads = revisions(reader, &asked).await?;
    let mut addresses = Vec::new();
    for (position, instance, head) in &asked {
        let revision = heads.get(head).and_then(Option::as_ref);
        if let (Some(revision), Some(named)) = (revision, named.get(*position)) {
            let row = Record {
                entity: named.target,
                values: instance.values_at(revision),
            };
            if let Some(address) = reader.target_address(&row, named.target, &named.id) {
                addresses.push((*position, address));
            }
        }
    }
    let keys: Vec<_> = addresses
        .iter()
        .map(|(_, address)| address.clone())
        .collect();
    let items = reader.get_many_or_none(&keys).await?;
    for ((position, address), item) in addresses.into_iter().zip(items) {
        let record = item.and_then(|item| reader.decode(address.table(), &item));
        if let Some(found) = found.get_mut(position) {
            *found = record;
        }
    }
    Ok(found)
}

/// The revisions that heads name.
async fn revisions(
    reader: &Reader<'_>,
    asked: &[(usize, RepositoryInstance<'_>, Address)],
) -> Result<BTreeMap<Address, Option<String>>, Interrupt> {
    let addresses: Vec<_> = asked.iter().map(|(_, _, head)| head.clone()).collect();
    let items = reader.get_many_or_none(&addresses).await?;
    let mut heads = BTreeMap::new();
    for ((_, instance, address), item) in asked.iter().zip(items) {
        let record = item.and_then(|item| reader.decode(address.table(), &item));
        let revision = record.and_then(|record| match record.values.get(instance.pointer()) {
            Some(AttributeValue::S(revision)) => Some(revision.clone()),
            _ => None,
        });
        heads.insert(address.clone(), revision);
    }
    Ok(heads)
}
