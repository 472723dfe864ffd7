//! Fills backups from the snapshots that were taken when they were asked for.

use super::Due;
use crate::backup::{self, BackupSource};
use crate::catalog::{BackupState, RelationId};
use crate::commit::{Committer, Group, Published};
use crate::store::{Direction, KeyRange, Space, StoreFault, after_key};
use bytes::Bytes;
use monotable_item::EncodedItem;

/// Items of one commit, and how many bytes of them end it early.
const PIECE: usize = 1000;
const PIECE_BYTES: usize = 2 * 1024 * 1024;
/// Commits of one step: other work of the background waits meanwhile.
const MOST_PIECES: usize = 16;

/// The backup that is being filled.
#[derive(Default)]
pub(super) struct Copying {
    current: Option<Copy>,
}

struct Copy {
    source: BackupSource,
    /// The key of the last item that was copied.
    last: Option<Bytes>,
    items: u64,
    bytes: u64,
}

impl Copying {
    pub(super) fn round(
        &mut self,
        published: &Published,
        committer: &Committer,
    ) -> Result<Due, StoreFault> {
        for _ in 0..MOST_PIECES {
            let waiting = || published.backups.take().map(Copy::new);
            let Some(mut copy) = self.current.take().or_else(waiting) else {
                return Ok(Due::Later);
            };
            if !copy.copy_piece(committer)? {
                self.current = Some(copy);
            }
        }
        Ok(Due::Now)
    }
}

impl Copy {
    const fn new(source: BackupSource) -> Self {
        Self {
            source,
            last: None,
            items: 0,
            bytes: 0,
        }
    }

    /// Copies the next items; whether the backup is whole.
    fn copy_piece(&mut self, committer: &Committer) -> Result<bool, StoreFault> {
        let BackupSource { backup, snapshot } = &self.source;
        let mut range = KeyRange::prefix(&RelationId::from(backup.table.id).to_bytes());
        if let Some(last) = &self.last {
            range.start = after_key(last);
        }
        let mut piece = Vec::new();
        let mut bytes = 0;
        let items = snapshot.range(Space::Items, range, Direction::Forwards);
        for row in items.take(PIECE) {
            let (key, value) = row?;
            bytes += value.len();
            self.items += 1;
            self.bytes += EncodedItem::from_stored(value.clone()).size() as u64;
            piece.push((under(backup.id.into(), &key), value));
            self.last = Some(key);
            if bytes >= PIECE_BYTES {
                break;
            }
        }
        if piece.is_empty() {
            return self.finish(committer);
        }
        let write = move |group: &mut Group<'_>| {
            for (key, value) in piece {
                group.write(Space::Indexes, key, Some(value));
            }
            Ok(())
        };
        committer.submit(write).wait()?;
        Ok(false)
    }

    fn finish(&self, committer: &Committer) -> Result<bool, StoreFault> {
        let mut backup = self.source.backup.clone();
        backup.state = BackupState::Available;
        (backup.items, backup.bytes) = (self.items, self.bytes);
        let store = move |group: &mut Group<'_>| backup::store(group, backup);
        committer.submit(store).wait()?;
        Ok(true)
    }
}

/// The key of a row of one relation as a key of another one.
pub(super) fn under(relation: RelationId, key: &[u8]) -> Bytes {
    let id = relation.to_bytes();
    let rest = key.get(id.len()..).unwrap_or_default();
    [&id[..], rest].concat().into()
}
