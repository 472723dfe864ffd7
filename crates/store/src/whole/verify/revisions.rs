//! Heads, logs and snapshots held against each other.

use super::ledger::FactSink;
use super::{Violation, ViolationKind};
use crate::address::{Address, Partition};
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::profile::references;
use crate::reader::OwnedReader;
use crate::record::Record;
use crate::repository;
use crate::scope::Scope;
use crate::steps::Machine;
use crate::store::Store;
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::model::Repository;
use std::collections::{BTreeMap, BTreeSet};

/// A partition with the rows of a revision.
pub(super) struct Stored {
    repository: String,
    key: String,
    items: Vec<EncodedItem>,
}

/// What is known of one repository of the model, for all its owners.
struct Known<'l> {
    repository: &'l Repository,
    /// The partitions of revisions in the log, with the places of their rows.
    logged: BTreeMap<Partition, &'l Address>,
    /// The partitions of commits under way.
    pending: BTreeSet<Partition>,
    /// The partitions that have rows.
    filled: BTreeMap<Partition, &'l Address>,
}

/// Everything about revisions that is wrong, but for what is inside one snapshot.
pub(super) fn check(ledger: &FactSink<'_>, violations: &mut Vec<Violation>) {
    for repository in &ledger.reader.model().repositories {
        let known = Known::new(ledger, repository);
        for (partition, address) in &known.filled {
            if !known.logged.contains_key(partition) && !known.pending.contains(partition) {
                let message = "rows of a revision that is in no log".to_owned();
                let entity = repository.entities.first().copied();
                let entity = entity.unwrap_or(repository.log);
                violations.push(ledger.violation(ViolationKind::Orphan, entity, address, message));
            }
        }
        let named = name_partitions(ledger, &known, violations);
        for (partition, address) in &known.logged {
            if !known.filled.contains_key(partition) && !named.contains(partition) {
                let message = "it has no rows, and nothing follows it".to_owned();
                violations.push(ledger.violation(
                    ViolationKind::Abandoned,
                    repository.log,
                    address,
                    message,
                ));
            }
        }
    }
}

/// The partitions that heads and revisions name; those that are in no log are wrong.
fn name_partitions(
    ledger: &FactSink<'_>,
    known: &Known<'_>,
    violations: &mut Vec<Violation>,
) -> BTreeSet<Partition> {
    let scope = ledger.reader;
    let log = known.repository.log;
    let mut named = BTreeSet::new();
    for (address, (row, _)) in &ledger.rows {
        if row.entity != log && row.entity != known.repository.head {
            continue;
        }
        let pointers = references(scope.entity(row.entity));
        for (attribute, _) in pointers.filter(|(_, reference)| reference.target == log) {
            let name = &attribute.name.value;
            let Some(AttributeValue::S(revision)) = row.values.get(name) else {
                continue;
            };
            let partition = partition(scope, known.repository, row, revision);
            match partition.filter(|partition| known.logged.contains_key(partition)) {
                Some(partition) => {
                    named.insert(partition);
                }
                None => {
                    let message = format!("`{name}` names {revision}, which is not in the log");
                    violations.push(ledger.violation(
                        ViolationKind::Reference,
                        row.entity,
                        address,
                        message,
                    ));
                }
            }
        }
    }
    named
}

/// The partition of a revision that a row of the same repository names.
fn partition(
    scope: &Scope,
    repository: &Repository,
    row: &Record,
    revision: &str,
) -> Option<Partition> {
    let entity = *repository.entities.first()?;
    let mut values: Item = row.values.clone();
    values.insert(repository.revision.value.as_str(), revision);
    scope.addressing().locate_partition(entity, &values).ok()
}

impl<'l> Known<'l> {
    fn new(ledger: &'l FactSink<'_>, repository: &'l Repository) -> Self {
        let reader = ledger.reader;
        let mut known = Self {
            repository,
            logged: BTreeMap::new(),
            pending: BTreeSet::new(),
            filled: BTreeMap::new(),
        };
        for (address, (row, _)) in &ledger.rows {
            if repository.entities.contains(&row.entity) {
                let partition = address.partition();
                known.filled.entry(partition).or_insert(address);
                continue;
            }
            if row.entity == repository.intent {
                let snapshot = repository::snapshot_of_intent(reader, repository, address, row);
                known.pending.extend(snapshot);
            } else if row.entity == repository.log
                && let Some(AttributeValue::S(revision)) =
                    row.values.get(&repository.revision.value)
            {
                let own = partition(reader, repository, row, revision);
                known.logged.extend(own.map(|own| (own, address)));
            }
        }
        known
    }
}

/// The snapshots, to be looked at one by one.
pub(super) fn snapshots(ledger: &FactSink<'_>) -> Vec<Stored> {
    let scope = ledger.reader;
    let mut found = Vec::new();
    for repository in &scope.model().repositories {
        let mut partitions: BTreeMap<Partition, Stored> = BTreeMap::new();
        for (address, (row, item)) in &ledger.rows {
            if !repository.entities.contains(&row.entity) {
                continue;
            }
            let partition = address.partition();
            let stored = partitions.entry(partition).or_insert_with(|| Stored {
                repository: repository.name.value.clone(),
                key: address.partition_key().to_owned(),
                items: Vec::new(),
            });
            stored.items.push(EncodedItem::from(item));
        }
        found.extend(partitions.into_values());
    }
    found
}

impl Stored {
    /// What is wrong with its rows, taken together.
    pub(super) async fn violations(self, store: &Store) -> Result<Vec<Violation>, Error> {
        let Self {
            repository: name,
            key,
            items,
        } = self;
        let scope = store.scope_of_whole_tables();
        let entity = name.clone();
        let machine = Machine::new(move |steps| async move {
            let owned = OwnedReader::new(scope, steps);
            let reader = owned.reader();
            let mut repositories = reader.model().repositories.iter();
            let repository = repositories.find(|known| known.name.value == name);
            let Some(repository) = repository else {
                return Ok(Vec::new());
            };
            match repository::violations(&reader, repository, items).await {
                Ok(messages) => Ok(messages),
                Err(Interrupt::Fail(error)) => Err(error),
                Err(Interrupt::Restart | Interrupt::RestartAvoiding(_)) => Ok(Vec::new()),
            }
        });
        let messages = store.executor.run(machine).await?;
        Ok(messages
            .into_iter()
            .map(|message| Violation {
                wrong: ViolationKind::Snapshot,
                entity: entity.clone(),
                key: key.clone(),
                message,
            })
            .collect())
    }
}
