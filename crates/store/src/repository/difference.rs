//! What two revisions differ in.

use super::instance::RepositoryInstance;
use super::log;
use super::snapshot_rows::SnapshotRows;
use super::task::At;
use crate::record::Record;
use crate::row::Row;
use crate::session::{Interrupt, Session};
use crate::write::may_see;
use serde::Serialize;
use std::collections::BTreeSet;

/// What two revisions differ in.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Differences {
    /// The one.
    pub from: String,
    /// The other.
    pub to: String,
    /// Rows that are not the same in both.
    pub rows: Vec<Difference>,
}

/// A row that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Difference {
    /// Only the second has it.
    Added(Row),
    /// Only the first has it.
    Removed(Row),
    /// It stands elsewhere in its order, and nothing else is different.
    Moved {
        /// As it was.
        before: Row,
        /// As it is.
        after: Row,
    },
    /// It says something else.
    Changed {
        /// As it was.
        before: Row,
        /// As it is.
        after: Row,
        /// The attributes that differ.
        attributes: Vec<String>,
    },
}

/// Compares two revisions row by row.
pub(super) async fn between(
    instance: &RepositoryInstance<'_>,
    from: &At,
    to: &At,
) -> Result<Differences, Interrupt> {
    let session = instance.session;
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
    let mut found = Vec::new();
    for (before, after) in rows {
        if seen(session, before, after).await? {
            found.extend(difference(instance, before, after));
        }
    }
    Ok(Differences {
        from,
        to,
        rows: found,
    })
}

/// Whether the caller may see a row, in both revisions.
async fn seen(
    session: &Session,
    before: Option<&Record>,
    after: Option<&Record>,
) -> Result<bool, Interrupt> {
    if !session.guarded {
        return Ok(true);
    }
    let rows: Vec<_> = before.into_iter().chain(after).cloned().collect();
    Ok(may_see(session, &rows).await?.into_iter().all(|seen| seen))
}

fn difference(
    instance: &RepositoryInstance<'_>,
    before: Option<&Record>,
    after: Option<&Record>,
) -> Option<Difference> {
    let row = |record: &Record| Row::of(instance.session.model(), record.clone());
    match (before, after) {
        (Some(before), None) => Some(Difference::Removed(row(before))),
        (None, Some(after)) => Some(Difference::Added(row(after))),
        (None, None) => None,
        (Some(before), Some(after)) => {
            let attributes = unlike(instance, before, after);
            let key = instance.session.entity(before.entity).key_attributes();
            let moved = attributes.iter().all(|name| key.contains(&name.as_str()));
            let (before, after) = (row(before), row(after));
            match (attributes.is_empty(), moved) {
                (true, _) => None,
                (false, true) => Some(Difference::Moved { before, after }),
                (false, false) => Some(Difference::Changed {
                    before,
                    after,
                    attributes,
                }),
            }
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
