//! Rights to what a commit changes: rows of the snapshot, the row of the log, the head.

use super::instance::RepositoryInstance;
use super::snapshot_rows::{SnapshotRow, SnapshotRows, State};
use crate::draft::Draft;
use crate::interrupt::Interrupt;
use crate::mention::Mention;
use crate::read::has_tombstone;
use crate::reader::Reader;
use crate::record::Record;
use crate::rights::{Gate, Question, Right};
use crate::scope::Scope;

/// A row of the head, and what it is in a new revision.
struct RowChange {
    old: Option<Record>,
    new: Option<Record>,
}

impl RowChange {
    /// What is asked about it. A row that gets its tombstone is deleted.
    fn question(&self, scope: &Scope) -> Question<'_> {
        let (old, new) = (self.old.as_ref(), self.new.as_ref());
        let buries = |row: Option<&Record>| row.is_some_and(|row| has_tombstone(scope, row));
        let right = match (old, new) {
            (None, _) => Right::Create,
            (Some(_), None) => Right::Delete,
            (Some(_), Some(_)) if buries(new) && !buries(old) => Right::Delete,
            (Some(_), Some(_)) => Right::Update,
        };
        Question { right, old, new }
    }
}

/// Refuses a revision in which the caller changes a row that it may not change. Rows that only close up in their order,
/// or follow from others, are not asked.
pub(super) async fn admit_changes(
    instance: &RepositoryInstance<'_>,
    contents: &SnapshotRows<'_>,
) -> Result<(), Interrupt> {
    if !asks(instance) {
        return Ok(());
    }
    let changes = contents.members().filter_map(|member| {
        let old = || (!member.is_new()).then(|| contents.before(member));
        match member.state {
            State::Changed => Some(RowChange {
                old: old(),
                new: Some(contents.record(member).clone()),
            }),
            State::Removed => Some(RowChange {
                old: Some(old()?),
                new: None,
            }),
            State::Kept | State::Moved => None,
        }
    });
    admit(instance.reader, &changes.collect::<Vec<_>>()).await
}

/// Refuses a revision with the rows of an old one, if the caller may not make the rows of the head what they were.
pub(super) async fn admit_revert(
    instance: &RepositoryInstance<'_>,
    head: Option<&str>,
    contents: &SnapshotRows<'_>,
) -> Result<(), Interrupt> {
    if !asks(instance) {
        return Ok(());
    }
    let current = match head {
        Some(revision) => SnapshotRows::read(instance, revision).await?,
        None => SnapshotRows::empty(instance, ""),
    };
    let row = |contents: &SnapshotRows<'_>, member: &SnapshotRow| contents.record(member).clone();
    let mut changes = Vec::new();
    for member in current.there() {
        let old = row(&current, member);
        let new = contents.find(&old).and_then(|at| contents.member(at));
        let new = new.map(|member| row(contents, member));
        if new.as_ref().is_none_or(|new| differs(instance, &old, new)) {
            let old = Some(old);
            changes.push(RowChange { old, new });
        }
    }
    for member in contents.there() {
        let new = row(contents, member);
        if current.find(&new).is_none() {
            let (old, new) = (None, Some(new));
            changes.push(RowChange { old, new });
        }
    }
    admit(instance.reader, &changes).await
}

/// Whether somebody must be asked about rows of a repository.
fn asks(instance: &RepositoryInstance<'_>) -> bool {
    let reader = instance.reader;
    let has_rules = |id| {
        let allow = &reader.entity(id).allow;
        allow.create.is_some() || allow.update.is_some() || allow.delete.is_some()
    };
    let mut entities = instance.declared.entities.iter().copied();
    reader.asks_rights() && (!reader.model().grants.is_empty() || entities.any(has_rules))
}

/// Whether a row of two revisions says something else.
fn differs(instance: &RepositoryInstance<'_>, old: &Record, new: &Record) -> bool {
    let mut names = old.values.iter().chain(new.values.iter());
    names.any(|(name, _)| {
        name != instance.revision_name() && old.values.get(name) != new.values.get(name)
    })
}

async fn admit(reader: &Reader<'_>, changes: &[RowChange]) -> Result<(), Interrupt> {
    let questions: Vec<_> = changes
        .iter()
        .map(|change| change.question(reader))
        .collect();
    if questions.is_empty() {
        return Ok(());
    }
    let mut gate = Gate::new(reader);
    gate.admit_item(&Draft::default(), &questions, Mention::default)
        .await
        .map(drop)
}
