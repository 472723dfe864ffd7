//! Versioned data: rows that are kept as revisions.
//!
//! A repository has a head, which names the current revision, and a log with one row for each revision. The rows of a
//! revision are its snapshot: one partition, written once and never changed. A commit makes a whole new snapshot.
//!
//! What makes a commit atomic, although a snapshot may have more rows than a transaction takes:
//! 1. an intent row is put, which leads to the snapshot if nothing else ever will;
//! 2. the snapshot is written in batches, to a partition that nothing names yet;
//! 3. one transaction puts the log row, moves the head if it is still what was read, and deletes the intent if it is
//!    still there and nobody has claimed it.
//!
//! A commit that dies leaves an intent. A sweep claims the intent first, then makes sure that neither the head nor the log
//! names the revision, then deletes the snapshot, then the intent. A claimed intent cannot be committed any more, so a
//! sweep and a slow commit never leave the head on a deleted snapshot.
//! A commit that loses its race discards its own snapshot in the same way.
//!
//! Layout: `instance.rs` is one repository with its keys; `snapshot_rows.rs` the rows of a snapshot in the making, `change_set.rs`, `order.rs`, `roots.rs`, `rules.rs` and `relation_rules.rs` what is done to them and demanded of
//! them; `other_repositories.rs` rows of other repositories; `history.rs` which revisions are reachable and `stored_key.rs` what
//! stored keys say, for what deletes; the others are the operations.

mod admit;
mod batch;
mod carry;
mod change_set;
mod commit;
mod difference;
mod history;
mod instance;
mod intent;
mod log;
mod order;
mod other_repositories;
mod purge;
mod rebase;
mod relation_rules;
mod rollback;
mod roots;
mod rules;
mod show;
mod snapshot_rows;
mod stored_key;
mod sweep;
mod trace;
mod verify;

pub(crate) use carry::carry;
pub(crate) use commit::commit;
pub(crate) use purge::purge;
pub(crate) use sweep::{Sweeping, sweep as sweep_intents, sweep_orphans};
pub(crate) use trace::{CommitTrace, key_of_head, read_history, read_intent, read_trace};
pub(crate) use verify::violations;

use crate::interrupt::Interrupt;
use crate::operation::{
    Committed, Diff, Differences, Log, Page, Revert, Rollback, Show, Snapshot, Sweep, SweepMode,
    SweepReport,
};
use crate::reader::Reader;
use crate::row::Row;
use instance::RepositoryInstance;

/// The revisions of a repository.
pub(crate) async fn log(reader: &Reader<'_>, operation: &Log) -> Result<Page, Interrupt> {
    let instance = RepositoryInstance::new(reader, &operation.repository, &operation.key)?;
    let after = operation.after.as_deref();
    log::page(&instance, operation.limit, after, operation.oldest_first).await
}

/// The rows of a revision.
pub(crate) async fn show(reader: &Reader<'_>, operation: &Show) -> Result<Snapshot, Interrupt> {
    let instance = RepositoryInstance::new(reader, &operation.repository, &operation.key)?;
    let under = operation.under.as_deref();
    show::show(&instance, &operation.at, operation.with_tombstones, under).await
}

/// What two revisions differ in.
pub(crate) async fn diff(reader: &Reader<'_>, operation: &Diff) -> Result<Differences, Interrupt> {
    let instance = RepositoryInstance::new(reader, &operation.repository, &operation.key)?;
    difference::between(&instance, &operation.from, &operation.to).await
}

/// The head moved to another revision.
pub(crate) async fn rollback(reader: &Reader<'_>, operation: &Rollback) -> Result<Row, Interrupt> {
    let instance = RepositoryInstance::new(reader, &operation.repository, &operation.key)?;
    rollback::rollback(&instance, &operation.to, operation.from.as_deref()).await
}

/// A new revision with the rows of an old one.
pub(crate) async fn revert(
    reader: &Reader<'_>,
    operation: &Revert,
) -> Result<Committed, Interrupt> {
    let instance = RepositoryInstance::new(reader, &operation.repository, &operation.key)?;
    let Revert {
        to, values, parent, ..
    } = operation;
    commit::revert(&instance, to, values, parent).await
}

/// What commits left that never finished. Intents may know less than a head's key: all days of an owner are swept at once.
pub(crate) async fn sweep(
    reader: &Reader<'_>,
    operation: &Sweep,
) -> Result<SweepReport, Interrupt> {
    let sweeping = Sweeping {
        older_than: operation.older_than,
        mode: SweepMode::Delete,
    };
    sweep::sweep(reader, &operation.repository, &operation.key, sweeping).await
}
