//! Counts that outlive a clean close, so that opening a large store does not read all of it.
//!
//! The rows are written when the engine closes and removed when it opens: a crash leaves none that an
//! earlier run wrote, and the tables are counted anew.

use crate::catalog::{CatalogRows, Counts, IndexId, Table, to_row};
use crate::commit::{Committer, Published};
use crate::store::{Direction, Space, StoreFault};
use bytes::Bytes;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct KeptCounts {
    table: Count,
    indexes: Vec<(IndexId, Count)>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Count {
    rows: u64,
    bytes: u64,
}

impl Count {
    fn of(counts: &Counts) -> Self {
        Self {
            rows: counts.rows(),
            bytes: counts.bytes(),
        }
    }
}

/// Writes the counts of all tables whose counts are up to date.
pub(crate) fn save(published: &Published, committer: &Committer) -> Result<(), StoreFault> {
    let catalog = published.catalog.load_full();
    let fresh = catalog.tables().filter(|table| !table.counts.is_stale());
    let rows: Result<Vec<(Bytes, Bytes)>, StoreFault> = fresh
        .map(|table| Ok((CatalogRows::count(table.id), to_row(&kept(table))?)))
        .collect();
    let rows = rows?;
    if rows.is_empty() {
        return Ok(());
    }
    let write = move |group: &mut crate::commit::Group<'_>| {
        for (key, value) in rows {
            group.write(Space::Meta, key, Some(value));
        }
        Ok(())
    };
    committer.submit(write).wait()
}

fn kept(table: &Table) -> KeptCounts {
    let indexes = table.indexes.iter();
    KeptCounts {
        table: Count::of(&table.counts),
        indexes: indexes
            .map(|index| (index.id, Count::of(&index.counts)))
            .collect(),
    }
}

/// Takes over the counts that a clean close left, and removes their rows.
pub(crate) fn load(published: &Published, committer: &Committer) -> Result<(), StoreFault> {
    let (group, snapshot) = (published.group(), published.snapshot());
    for table in published.catalog.load().tables() {
        let row = snapshot.get(Space::Meta, &CatalogRows::count(table.id))?;
        // A row that cannot be read is as good as none.
        if let Some(kept) = row.and_then(|row| serde_json::from_slice::<KeptCounts>(&row).ok()) {
            apply(table, &kept);
            table.counts.counted_to(group);
        }
    }
    let rows = snapshot.range(Space::Meta, CatalogRows::counts(), Direction::Forwards);
    let keys: Vec<Bytes> = rows
        .map(|row| Ok(row?.0))
        .collect::<Result<_, StoreFault>>()?;
    if keys.is_empty() {
        return Ok(());
    }
    let remove = move |group: &mut crate::commit::Group<'_>| {
        for key in keys {
            group.write(Space::Meta, key, None);
        }
        Ok(())
    };
    committer.submit(remove).wait()
}

fn apply(table: &Table, kept: &KeptCounts) {
    table.counts.set(kept.table.rows, kept.table.bytes);
    for index in &table.indexes {
        let mut counts = kept.indexes.iter();
        if let Some((_, count)) = counts.find(|(id, _)| *id == index.id) {
            index.counts.set(count.rows, count.bytes);
        }
    }
}
