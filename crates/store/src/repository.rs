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
//! A commit that dies leaves an intent. A sweep claims the intent first, then deletes the snapshot, then the intent. A
//! claimed intent cannot be committed any more, so a sweep and a slow commit never leave the head on a deleted snapshot.
//! A commit that loses its race discards its own snapshot in the same way.
//!
//! Layout: `task.rs` is what callers ask; `instance.rs` one repository with its keys; `contents.rs` the rows of a
//! snapshot in the making, `change_set.rs`, `order.rs`, `roots.rs` and `rules.rs` what is done to them and demanded of
//! them; `elsewhere.rs` rows of other repositories; the others are the operations.

mod carry;
mod change_set;
mod commit;
mod difference;
mod instance;
mod intent;
mod log;
mod order;
mod other_repositories;
mod purge;
mod rebase;
mod rollback;
mod roots;
mod rules;
mod show;
mod snapshot_rows;
mod task;

pub use difference::{Difference, Differences};
pub use intent::SweepReport;
pub use purge::PurgeReport;
pub use show::{Link, Snapshot};
pub use task::{At, Commit, Committed, Parent, Task};

pub(crate) use carry::carry;
pub(crate) use commit::commit;
pub(crate) use intent::sweep_orphan;
pub(crate) use purge::purge;
pub(crate) use rules::violations;

use crate::operation::Outcome;
use crate::session::{Interrupt, Session};
use instance::RepositoryInstance;
use monotable_item::Item;

/// Does something with a repository.
pub(crate) async fn run(
    session: &Session,
    name: &str,
    key: &Item,
    task: &Task,
) -> Result<Outcome, Interrupt> {
    let instance = match task {
        // Intents may know less than a head's key: all days of an owner are swept at once.
        Task::Sweep { .. } => RepositoryInstance::partial(session, name, key)?,
        _ => RepositoryInstance::of(session, name, key)?,
    };
    match task {
        Task::Log {
            limit,
            cursor,
            oldest_first,
        } => {
            let page = log::page(&instance, *limit, cursor.as_deref(), *oldest_first).await?;
            Ok(Outcome::Page(page))
        }
        Task::Show { at, buried, under } => {
            let snapshot = show::show(&instance, at, *buried, under.as_deref()).await?;
            Ok(Outcome::Snapshot(snapshot))
        }
        Task::Diff { from, to } => {
            let differences = difference::between(&instance, from, to).await?;
            Ok(Outcome::Differences(differences))
        }
        Task::Rollback { to, from } => {
            let head = rollback::rollback(&instance, to, from.as_deref()).await?;
            Ok(Outcome::Row(head))
        }
        Task::Revert { to, values, parent } => {
            let committed = commit::revert(&instance, to, values, parent).await?;
            Ok(Outcome::Committed(committed))
        }
        Task::Sweep { older_than } => {
            let swept = intent::sweep(&instance, *older_than).await?;
            Ok(Outcome::SweepReport(swept))
        }
    }
}
