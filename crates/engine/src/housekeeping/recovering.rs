//! Keeps the logs of point-in-time recovery as long as they are wanted, and removes the system's own backups when their time has come.

use crate::backup;
use crate::catalog::{Catalog, Recovery, StreamId};
use crate::clock::Clock;
use crate::commit::{Committer, Group, Published};
use crate::store::{Direction, Space, StoreFault};
use crate::stream::{Sequence, SequenceRange, StoredRecord};
use bytes::Bytes;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Records that one commit removes.
const PIECE: usize = 1000;

/// How far each log was removed since the store was opened, so that what is gone is not searched through again.
#[derive(Default)]
pub(super) struct Recovering {
    trimmed: HashMap<StreamId, Sequence>,
}

impl Recovering {
    pub(super) fn round(
        &mut self,
        published: &Published,
        committer: &Committer,
        clock: &dyn Clock,
        closing: &AtomicBool,
    ) -> Result<(), StoreFault> {
        let catalog = published.catalog.load_full();
        let now = clock.now().as_millis() as u64;
        self.trimmed.retain(|log, _| {
            let mut tables = catalog.tables();
            tables.any(|table| table.recovery_log() == Some(*log))
        });
        for recovery in catalog
            .tables()
            .filter_map(|table| table.definition.recovery)
        {
            let Some(newest) = newest_removable(&catalog, recovery, now) else {
                continue;
            };
            while self.remove_piece(published, committer, recovery.log, newest)? {
                if closing.load(Ordering::Relaxed) {
                    return Ok(());
                }
            }
        }
        remove_expired_backups(&catalog, committer, now)
    }

    /// Removes the next records that were made up to `newest`; whether there may be more.
    fn remove_piece(
        &mut self,
        published: &Published,
        committer: &Committer,
        log: StreamId,
        newest: u64,
    ) -> Result<bool, StoreFault> {
        let trimmed = self.trimmed.get(&log).copied();
        let start = trimmed.unwrap_or(Sequence::from_number(0));
        let rows = SequenceRange::from(start).rows(log);
        let snapshot = published.snapshot();
        let mut keys: Vec<Bytes> = Vec::new();
        for row in snapshot
            .range(Space::Indexes, rows, Direction::Forwards)
            .take(PIECE)
        {
            let (key, value) = row?;
            if StoredRecord::time_of(&value).is_some_and(|time| time > newest) {
                break;
            }
            keys.push(key);
        }
        let Some(last) = keys.last().and_then(|key| Sequence::of_row_key(key)) else {
            return Ok(false);
        };
        let is_full = keys.len() == PIECE;
        let remove = move |group: &mut Group<'_>| {
            for key in keys {
                group.write(Space::Indexes, key, None);
            }
            Ok(())
        };
        committer.submit(remove).wait()?;
        self.trimmed.insert(log, last.next());
        Ok(is_full)
    }
}

/// The time up to which nobody needs the records of a log; none while a restore reads it, which needs young records whatever
/// their times are.
fn newest_removable(catalog: &Catalog, recovery: Recovery, now: u64) -> Option<u64> {
    let mut readers = catalog.origins().filter_map(|origin| origin.log());
    let is_read = readers.any(|log| log == recovery.log);
    (!is_read).then(|| recovery.earliest(now))
}

fn remove_expired_backups(
    catalog: &Catalog,
    committer: &Committer,
    now: u64,
) -> Result<(), StoreFault> {
    let is_over = |expires: Option<u64>| expires.is_some_and(|expires| expires <= now);
    for backup in catalog.backups() {
        if !is_over(backup.expires) || catalog.is_restored(backup.id) {
            continue;
        }
        let backup = Arc::clone(backup);
        let remove = move |group: &mut Group<'_>| {
            // It may be restored from since.
            if group.catalog().is_restored(backup.id) {
                Ok(())
            } else {
                backup::remove(group, &backup)
            }
        };
        committer.submit(remove).wait()?;
    }
    Ok(())
}
