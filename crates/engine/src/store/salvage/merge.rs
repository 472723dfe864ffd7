//! The rows of a space as fjall would show them, without those in doubt.

use super::journals::JournalVersion;
use super::{LostRows, Salvage};
use crate::store::Space;
use crate::store::table_file::{TableMap, VersionedRow};
use bytes::Bytes;
use std::io;

/// A row that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SalvagedRow {
    pub(crate) key: Bytes,
    pub(crate) value: Bytes,
    /// Whether a newer version of it may be lost.
    pub(crate) is_in_doubt: bool,
}

type Source<'a> = std::iter::Peekable<Box<dyn Iterator<Item = io::Result<VersionedRow>> + 'a>>;

impl Salvage {
    /// The newest version of each row of a space that can be read, in the order of keys.
    pub(crate) fn rows_of(
        &self,
        space: Space,
    ) -> io::Result<impl Iterator<Item = io::Result<SalvagedRow>>> {
        let mut sources: Vec<Source<'_>> = Vec::new();
        let files = Space::ALL.into_iter().zip(&self.spaces);
        for (_, files) in files.filter(|(of, _)| *of == space) {
            for run in &files.runs {
                let tables = run
                    .iter()
                    .map(TableMap::rows)
                    .collect::<io::Result<Vec<_>>>()?;
                let rows: Box<dyn Iterator<Item = _>> = Box::new(tables.into_iter().flatten());
                sources.push(rows.peekable());
            }
        }
        let journal = self.journals.of(space).iter().map(journal_row);
        let journal: Box<dyn Iterator<Item = _>> = Box::new(journal);
        sources.push(journal.peekable());
        let lost = self
            .lost
            .iter()
            .filter(|lost| lost.space == space)
            .collect();
        Ok(MergedRows { sources, lost })
    }
}

fn journal_row((key, version): (&Bytes, &JournalVersion)) -> io::Result<VersionedRow> {
    Ok(VersionedRow {
        key: key.clone(),
        fjall_sequence: version.fjall_sequence,
        value: version.value.clone(),
    })
}

struct MergedRows<'a> {
    sources: Vec<Source<'a>>,
    lost: Vec<&'a LostRows>,
}

impl MergedRows<'_> {
    /// The newest version of the row with the least key.
    fn take_newest(&mut self) -> Option<io::Result<VersionedRow>> {
        let mut least: Option<Bytes> = None;
        for source in &mut self.sources {
            match source.peek() {
                Some(Ok(row)) if least.as_ref().is_none_or(|least| row.key < *least) => {
                    least = Some(row.key.clone());
                }
                Some(Ok(_)) | None => {}
                Some(Err(_)) => return source.next(),
            }
        }
        let least = least?;
        let mut newest: Option<VersionedRow> = None;
        for source in &mut self.sources {
            while let Some(Ok(row)) =
                source.next_if(|row| row.as_ref().is_ok_and(|row| row.key == least))
            {
                let is_newer = |known: &VersionedRow| row.fjall_sequence > known.fjall_sequence;
                if newest.as_ref().is_none_or(is_newer) {
                    newest = Some(row);
                }
            }
        }
        newest.map(Ok)
    }
}

impl Iterator for MergedRows<'_> {
    type Item = io::Result<SalvagedRow>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let row = match self.take_newest()? {
                Ok(row) => row,
                Err(error) => return Some(Err(error)),
            };
            // A row that was removed is not there, whether or not something newer is lost.
            let Some(value) = row.value else { continue };
            let doubts = |lost: &&LostRows| lost.casts_doubt_on(&row.key, row.fjall_sequence);
            let is_in_doubt = self.lost.iter().any(doubts);
            return Some(Ok(SalvagedRow {
                key: row.key,
                value,
                is_in_doubt,
            }));
        }
    }
}
