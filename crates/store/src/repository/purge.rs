//! Everything of an owner, deleted.
//!
//! No query lists the partitions of an owner. They are found from row to row: the partitions that the model's isolation
//! gives to the owner as a whole, then those whose templates can be rendered with the attributes of their rows, such as
//! the snapshots of the revisions in a log. What was found last is deleted first, so that a purge that breaks off still
//! finds the rest. At last the whole table is read for partitions that nothing names: snapshots of commits that died.

use super::batch::delete_all;
use super::stored_key::parse_partition;
use crate::address::Partition;
use crate::error::{Error, Failure};
use crate::interrupt::Interrupt;
use crate::isolation::Partitions;
use crate::operation::{PurgeReason, PurgeReport, PurgedPartition};
use crate::reader::{Reader, answered};
use crate::request::{self, Attributes, ScanPage};
use crate::scope::Scope;
use crate::value;
use monotable_api::Response;
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::model::TableId;
use std::collections::{BTreeMap, BTreeSet};

/// How often it looks whether others have written meanwhile.
const ROUNDS: usize = 8;

/// A partition of the owner, with its items.
struct FoundPartition {
    partition: Partition,
    items: Vec<EncodedItem>,
    reason: PurgeReason,
}

/// Deletes every item in the owner's partitions.
pub(crate) async fn purge(reader: &Reader<'_>, owner: &Item) -> Result<PurgeReport, Interrupt> {
    if reader.asks_rights() {
        let entity = "everything of an owner".to_owned();
        let action = "purge";
        return Err(Failure::Forbidden { entity, action }.into());
    }
    let own = partitions(reader, owner)?;
    let mut report = PurgeReport {
        owner: owner.clone(),
        ..PurgeReport::default()
    };
    for _ in 0..ROUNDS {
        let mut found = gather(reader, &own).await?;
        // The table is read once nothing else leads anywhere; a dry run, which deletes nothing, reads it at once.
        if found.is_empty() || !reader.mode.writes() {
            let known = found.iter().map(|found| found.partition.clone());
            let known: BTreeSet<_> = known.collect();
            found.extend(scan(reader, &own, &known).await?);
        }
        if found.is_empty() {
            return Ok(report);
        }
        for partition in found.iter().rev() {
            delete_all(reader, partition.partition.table(), &partition.items).await?;
            report.add(describe(reader, partition));
        }
        if !reader.mode.writes() {
            return Ok(report);
        }
    }
    let message = "others keep writing for this owner; stop them and purge again";
    Err(Error::usage(message).into())
}

/// The partitions that are the owner's.
fn partitions(scope: &Scope, owner: &Item) -> Result<Partitions, Error> {
    let model = scope.model();
    let Some(isolation) = &model.isolation else {
        let message = "the model does not say what is an owner's: it has no `[isolation]`";
        return Err(Error::usage(message));
    };
    for (name, value) in owner.iter() {
        let mut known = model.principal.iter();
        let attribute = known.find(|attribute| attribute.name.value == *name);
        let fits = attribute
            .is_some_and(|attribute| value::accept(&attribute.kind, value.clone()).is_ok());
        if !fits {
            let message = format!("`{name}` is no attribute of a principal, or not such a value");
            return Err(Error::usage(message));
        }
    }
    let circumstances = scope.circumstances.as_principal(owner.clone());
    let own = Partitions::new(model, isolation, &circumstances);
    let told = own.whole().next().is_some();
    if told {
        Ok(own)
    } else {
        Err(Error::usage(
            "the owner is not told by this: give the attributes of the principal that `[isolation]` shows",
        ))
    }
}

/// The items of every partition of the owner that rows lead to, in the order in which the partitions were found.
async fn gather(reader: &Reader<'_>, own: &Partitions) -> Result<Vec<FoundPartition>, Interrupt> {
    let mut seen: BTreeSet<Partition> = BTreeSet::new();
    let mut open: Vec<Partition> = Vec::new();
    for key in own.whole() {
        let tables = reader.model().stored_tables().into_iter();
        let addressing = reader.addressing();
        open.extend(tables.map(|table| addressing.stored_partition(table, key.clone())));
    }
    let mut found = Vec::new();
    let mut reason = PurgeReason::Own;
    while !open.is_empty() {
        open.retain(|partition| seen.insert(partition.clone()));
        let rows: Vec<_> = open.iter().cloned().map(Partition::whole).collect();
        let answers = reader.all_encoded(&rows).await?;
        let mut next = Vec::new();
        for (partition, items) in open.into_iter().zip(answers) {
            for item in &items {
                next.extend(rendered_partitions(reader, own, partition.table(), item));
            }
            if !items.is_empty() {
                found.push(FoundPartition {
                    partition,
                    items,
                    reason,
                });
            }
        }
        open = next;
        reason = PurgeReason::Rendered;
    }
    Ok(found)
}

/// The partitions of the owner whose templates can be rendered with the attributes of a row.
fn rendered_partitions(
    scope: &Scope,
    own: &Partitions,
    table: TableId,
    item: &EncodedItem,
) -> Vec<Partition> {
    let Some(record) = scope.decode_view(table, item.view()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (id, _) in scope.model().stored() {
        let Some(key) = scope.plans().entity(id).primary() else {
            continue;
        };
        let known = scope
            .addressing()
            .render_known(&key.partition, &record.values);
        if known.is_whole {
            found.push(scope.addressing().partition(&key.at, known.text));
        }
    }
    found.retain(|partition| own.allow(&partition.key_text()));
    found
}

/// Reads the keys of all tables for partitions that begin as the owner's do, and that are not known yet.
async fn scan(
    reader: &Reader<'_>,
    own: &Partitions,
    known: &BTreeSet<Partition>,
) -> Result<Vec<FoundPartition>, Interrupt> {
    let mut found: BTreeMap<Partition, Vec<EncodedItem>> = BTreeMap::new();
    if !own.has_open() {
        return Ok(Vec::new());
    }
    for table in reader.model().stored_tables() {
        let mut page = ScanPage {
            table,
            attributes: Attributes::Key,
            after: None,
            segment: None,
        };
        loop {
            let request = || request::scan(reader.model(), &page);
            let answer = reader.steps.call(request).await;
            let Response::Scan(output) = answered(answer)? else {
                return Err(Error::integrity("a scan was answered by something else").into());
            };
            for item in output.items.unwrap_or_default() {
                let address = reader.addressing().locate_view(table, item.view());
                let own = address.filter(|address| own.allow(address.partition_key()));
                if let Some(partition) = own.map(|address| address.partition())
                    && !known.contains(&partition)
                {
                    found.entry(partition).or_default().push(item);
                }
            }
            match output.last_evaluated_key {
                Some(last) => page.after = Some(last),
                None => break,
            }
        }
    }
    let partitions = found.into_iter();
    Ok(partitions
        .map(|(partition, items)| FoundPartition {
            partition,
            items,
            reason: PurgeReason::Scanned,
        })
        .collect())
}

/// What is told of a partition.
fn describe(scope: &Scope, partition: &FoundPartition) -> PurgedPartition {
    let model = scope.model();
    let revision = model.repositories.iter().find_map(|repository| {
        let entity = *repository.entities.first()?;
        let is_there = scope.entity(entity).table == partition.partition.table();
        let values =
            is_there.then(|| parse_partition(scope, entity, &partition.partition.key_text()))??;
        match values.get(&repository.revision.value) {
            Some(AttributeValue::S(revision)) => Some(revision.clone()),
            _ => None,
        }
    });
    PurgedPartition {
        table: model.table(partition.partition.table()).name.value.clone(),
        partition: partition.partition.key_text(),
        revision,
        items: partition.items.len() as u64,
        reason: partition.reason,
    }
}
