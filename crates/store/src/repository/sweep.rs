//! What commits left that never finished, deleted.
//!
//! An intent is claimed first, so that its commit cannot finish any more. Then the head and the log are read: a revision
//! that they name was committed all the same (a backup that was taken during a commit brings such intents back), and only
//! the intent goes. Only then the snapshot is deleted, and the intent last.

use super::history::History;
use super::instance::RepositoryInstance;
use super::intent::{Intent, REPOSITORY, StoredIntent};
use super::log;
use crate::error::Failure;
use crate::interrupt::Interrupt;
use crate::operation::{
    KeepReason, KeptRevision, SweepMode, SweepReason, SweepReport, SweptRevision,
};
use crate::reader::Reader;
use crate::scope::Scope;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::TableId;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What is swept, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweeping {
    /// Only what began so long ago.
    pub(crate) older_than: Duration,
    pub(crate) mode: SweepMode,
}

impl Sweeping {
    /// What began after this time is left, in microseconds.
    fn before(self, scope: &Scope) -> i64 {
        let age = i64::try_from(self.older_than.as_micros()).unwrap_or(i64::MAX);
        scope.circumstances.now_micros.saturating_sub(age)
    }
}

/// Refuses callers unless `[isolation]` says which partitions are theirs. No rule of an entity speaks of what is swept.
fn refuse_callers(scope: &Scope) -> Result<(), Failure> {
    if !scope.asks_rights() || scope.model().isolation.is_some() {
        return Ok(());
    }
    let entity = "commits that were given up".to_owned();
    let action = "sweep";
    Err(Failure::Forbidden { entity, action })
}

/// Sweeps the intents of a repository, of which not the whole key need be known.
pub(crate) async fn sweep(
    reader: &Reader<'_>,
    name: &str,
    key: &Item,
    sweeping: Sweeping,
) -> Result<SweepReport, Interrupt> {
    refuse_callers(reader)?;
    let repository = RepositoryInstance::partial(reader, name, key)?;
    let rows = repository.intent_rows()?;
    let table = rows.table();
    let before = sweeping.before(reader);
    let mut report = SweepReport::default();
    for item in reader.all(&[rows]).await?.into_iter().flatten() {
        let stored = match read_intent(&repository, table, &item) {
            None => continue,
            Some(Err(kept)) => {
                report.kept.push(kept);
                continue;
            }
            Some(Ok(stored)) => stored,
        };
        let keep = match stored.intent.began(&stored.instance, &stored.revision) {
            _ if stored.intent.is_claimed(reader) => None,
            None => Some(KeepReason::UnknownAge),
            Some(began) if began > before => Some(KeepReason::TooYoung),
            Some(_) => None,
        };
        match keep {
            Some(reason) => report.kept.push(keep_revision(&stored, reason)),
            None => sweep_intent(&stored, sweeping.mode, &mut report).await?,
        }
    }
    Ok(report)
}

/// The item as an intent of this repository; none if it is something else.
fn read_intent<'s>(
    repository: &RepositoryInstance<'s>,
    table: TableId,
    item: &Item,
) -> Option<Result<StoredIntent<'s>, KeptRevision>> {
    let reader = repository.reader;
    let record = reader.decode(table, item)?;
    let name = &repository.declared.name.value;
    let is_other = match record.values.get(REPOSITORY) {
        Some(AttributeValue::S(repository)) => repository != name,
        _ => false,
    };
    if record.entity != repository.declared.intent || is_other {
        return None;
    }
    let address = reader.addressing().locate_item(table, item)?;
    Some(Intent::read(repository, address, record))
}

fn keep_revision(stored: &StoredIntent<'_>, reason: KeepReason) -> KeptRevision {
    KeptRevision {
        owner: stored.instance.key.clone(),
        revision: Some(stored.revision.clone()),
        reason,
    }
}

async fn sweep_intent(
    stored: &StoredIntent<'_>,
    mode: SweepMode,
    report: &mut SweepReport,
) -> Result<(), Interrupt> {
    let StoredIntent {
        intent,
        instance,
        revision,
    } = stored;
    let reader = instance.reader;
    if mode == SweepMode::Delete && !intent.claim(reader).await? {
        // Its commit has ended meanwhile, or another sweep has.
        return Ok(());
    }
    let reachable = match History::read(instance).await? {
        History::Reachable(reachable) => reachable,
        History::Broken(why) => {
            let reason = KeepReason::BrokenHistory(why);
            report.kept.push(keep_revision(stored, reason));
            return Ok(());
        }
    };
    let is_committed = reachable.contains(revision);
    let rows = match (is_committed, mode) {
        (true, _) => 0,
        (false, SweepMode::List) => intent.count(reader).await?,
        (false, SweepMode::Delete) => intent.clear(reader).await?,
    };
    if mode == SweepMode::Delete {
        intent.delete(reader).await?;
    }
    report.removed.push(SweptRevision {
        owner: instance.key.clone(),
        revision: revision.clone(),
        rows,
        reason: if is_committed {
            SweepReason::Committed
        } else {
            SweepReason::Unfinished
        },
    });
    Ok(())
}

/// Sweeps snapshots of one head that no intent leads to: those of a commit that was swept, went on writing and died, and
/// those of programs without intents. `snapshots` has the number of their rows, by revision.
pub(crate) async fn sweep_orphans(
    reader: &Reader<'_>,
    name: &str,
    key: &Item,
    snapshots: &BTreeMap<String, u64>,
    sweeping: Sweeping,
) -> Result<SweepReport, Interrupt> {
    let instance = RepositoryInstance::new(reader, name, key)?;
    let before = sweeping.before(reader);
    let mut report = SweepReport::default();
    let Some(reachable) = read_reachable(&instance, &mut report).await? else {
        return Ok(report);
    };
    let unknown = snapshots
        .iter()
        .filter(|(revision, _)| !reachable.contains(*revision));
    for (revision, rows) in unknown {
        let keep = match log::made_at(&instance, revision) {
            None => Some(KeepReason::UnknownAge),
            Some(made) if made > before => Some(KeepReason::TooYoung),
            Some(_) => None,
        };
        if has_intent(&instance, revision).await? {
            // It was told with the intents.
            continue;
        }
        // The log is asked after the intent: a commit that has just finished has no intent any more.
        let Some(reachable) = read_reachable(&instance, &mut report).await? else {
            return Ok(report);
        };
        if reachable.contains(revision) {
            continue;
        }
        if let Some(reason) = keep {
            report.kept.push(KeptRevision {
                owner: instance.key.clone(),
                revision: Some(revision.clone()),
                reason,
            });
            continue;
        }
        let rows = match sweeping.mode {
            SweepMode::List => *rows,
            SweepMode::Delete => Intent::new(&instance, revision)?.clear(reader).await?,
        };
        if rows == 0 {
            // Somebody else has deleted them since they were read.
            continue;
        }
        report.removed.push(SweptRevision {
            owner: instance.key.clone(),
            revision: revision.clone(),
            rows,
            reason: SweepReason::Orphaned,
        });
    }
    Ok(report)
}

async fn has_intent(instance: &RepositoryInstance<'_>, revision: &str) -> Result<bool, Interrupt> {
    match instance.intent_place(revision) {
        Some(address) => Ok(instance.reader.get(&address, true).await?.is_some()),
        None => Ok(false),
    }
}

/// The reachable revisions; none if they are not known, which is reported.
async fn read_reachable(
    instance: &RepositoryInstance<'_>,
    report: &mut SweepReport,
) -> Result<Option<BTreeSet<String>>, Interrupt> {
    match History::read(instance).await? {
        History::Reachable(reachable) => Ok(Some(reachable)),
        History::Broken(why) => {
            report.kept.push(KeptRevision {
                owner: instance.key.clone(),
                revision: None,
                reason: KeepReason::BrokenHistory(why),
            });
            Ok(None)
        }
    }
}
