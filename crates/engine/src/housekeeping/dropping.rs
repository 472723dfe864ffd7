//! Removes the rows of dropped tables, a piece at a time. A piece is a commit like any other, and the
//! drop row goes last: a crash in between only means that the rest is removed later.

use crate::catalog::{CatalogRows, DropJob, RelationId};
use crate::commit::{Committer, Published};
use crate::store::{Direction, KeyRange, Space, StoreFault};
use bytes::Bytes;
use std::sync::atomic::{AtomicBool, Ordering};

/// Rows that one commit removes.
const PIECE: usize = 1000;

pub(super) fn remove_rows(
    published: &Published,
    committer: &Committer,
    closing: &AtomicBool,
) -> Result<(), StoreFault> {
    for job in CatalogRows::drops(&published.snapshot())? {
        if !remove_relations(published, committer, closing, &job)? {
            return Ok(());
        }
        let row = CatalogRows::dropped(job.table);
        let done = move |group: &mut crate::commit::Group<'_>| {
            group.write(Space::Meta, row, None);
            Ok(())
        };
        committer.submit(done).wait()?;
    }
    Ok(())
}

/// Whether everything was removed before the engine closed.
fn remove_relations(
    published: &Published,
    committer: &Committer,
    closing: &AtomicBool,
    job: &DropJob,
) -> Result<bool, StoreFault> {
    let table = (Space::Items, RelationId::from(job.table));
    let indexes = job
        .indexes
        .iter()
        .map(|id| (Space::Indexes, RelationId::from(*id)));
    for (space, relation) in indexes.chain([table]) {
        loop {
            if closing.load(Ordering::Relaxed) {
                return Ok(false);
            }
            let keys = next_piece(published, space, relation)?;
            if keys.is_empty() {
                break;
            }
            let remove = move |group: &mut crate::commit::Group<'_>| {
                keys.into_iter()
                    .for_each(|key| group.write(space, key, None));
                Ok(())
            };
            committer.submit(remove).wait()?;
        }
    }
    Ok(true)
}

fn next_piece(
    published: &Published,
    space: Space,
    relation: RelationId,
) -> Result<Vec<Bytes>, StoreFault> {
    let range = KeyRange::prefix(&relation.to_bytes());
    let snapshot = published.snapshot();
    let rows = snapshot.range(space, range, Direction::Forwards);
    rows.take(PIECE).map(|row| Ok(row?.0)).collect()
}
