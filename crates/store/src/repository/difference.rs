//! What two revisions differ in.

use super::instance::RepositoryInstance;
use super::log;
use super::snapshot_rows::SnapshotRows;
use crate::allowed::Allowed;
use crate::interrupt::Interrupt;
use crate::operation::At;
use crate::operation::{Difference, Differences};
use crate::record::Record;
use crate::rights::Gate;
use crate::row::Row;
use std::collections::BTreeSet;

/// Compares two revisions row by row.
pub(super) async fn between(
    instance: &RepositoryInstance<'_>,
    from: &At,
    to: &At,
) -> Result<Differences, Interrupt> {
    let reader = instance.reader;
    let (from, to) = (
        log::resolve(instance, from).await?,
        log::resolve(instance, to).await?,
    );
    let before = SnapshotRows::read(instance, &from).await?;
    let after = SnapshotRows::read(instance, &to).await?;
    let mut rows = Vec::new();
    for member in before.there() {
        let record = before.record(member);
        let other = after.find(record).and_then(|at| after.member(at));
        rows.push((Some(record), other.map(|other| after.record(other))));
    }
    for member in after.there() {
        let record = after.record(member);
        if before.find(record).is_none() {
            rows.push((None, Some(record)));
        }
    }
    rows.retain(|(before, after)| {
        let pair = before.zip(*after);
        pair.is_none_or(|(before, after)| !unlike(instance, before, after).is_empty())
    });
    let mut gate = Gate::new(reader);
    let before = rows.iter().filter_map(|(before, _)| *before).cloned();
    let mut before = gate.see_rows(before.collect()).await?.into_iter();
    let after = rows.iter().filter_map(|(_, after)| *after).cloned();
    let mut after = gate.see_rows(after.collect()).await?.into_iter();
    let mut found = Vec::new();
    for (old, new) in rows {
        // A row is told of only if the caller may see it in both revisions.
        let before = old.map(|_| before.next().flatten());
        let after = new.map(|_| after.next().flatten());
        found.extend(difference(instance, before, after));
    }
    Ok(Differences {
        from,
        to,
        rows: found,
    })
}

/// How a row differs. None for a row that only the other revision has; none inside for one that the caller may not see.
fn difference(
    instance: &RepositoryInstance<'_>,
    before: Option<Option<Allowed<Record>>>,
    after: Option<Option<Allowed<Record>>>,
) -> Option<Difference> {
    let row = |record: Allowed<Record>| Row::reveal(instance.reader.compiled(), record);
    match (before, after) {
        (Some(before), None) => Some(Difference::Removed(row(before?))),
        (None, Some(after)) => Some(Difference::Added(row(after?))),
        (None, None) => None,
        (Some(before), Some(after)) => {
            let (before, after) = (before?, after?);
            let attributes = unlike(instance, &before, &after);
            let key = instance.reader.entity(before.entity).key_attributes();
            let moved = attributes.iter().all(|name| key.contains(&name.as_str()));
            let (before, after) = (row(before), row(after));
            Some(if moved {
                Difference::Moved { before, after }
            } else {
                Difference::Changed {
                    before,
                    after,
                    attributes,
                }
            })
        }
    }
}

/// The attributes that differ, other than the revision.
fn unlike(instance: &RepositoryInstance<'_>, before: &Record, after: &Record) -> Vec<String> {
    let names: BTreeSet<&String> = before
        .values
        .iter()
        .chain(after.values.iter())
        .map(|(name, _)| name)
        .filter(|name| *name != instance.revision_name())
        .collect();
    let differ = names
        .into_iter()
        .filter(|name| before.values.get(name) != after.values.get(name));
    differ.cloned().collect()
}
