//! The journals, also damaged ones.

use super::{Loss, LostRows, Salvage, Watcher};
use crate::store::heal::heal;
use crate::store::journal::continuity::{Continuity, REPEATED};
use crate::store::journal::reader::{BatchHead, JournalReader, JournalRow, Step, Stop};
use crate::store::noted::Note;
use crate::store::{BATCH_MARK_KEY, OpenError, SEQUENCE_KEY, Space, journal};
use bytes::Bytes;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Bound;
use std::path::{Path, PathBuf};

/// The newest versions of rows in the journals.
#[derive(Default)]
pub(super) struct JournalRows {
    spaces: [BTreeMap<Bytes, JournalVersion>; Space::ALL.len()],
}

pub(super) struct JournalVersion {
    pub(super) fjall_sequence: u64,
    pub(super) value: Option<Bytes>,
}

impl JournalRows {
    pub(super) fn of(&self, space: Space) -> &BTreeMap<Bytes, JournalVersion> {
        let [meta, items, indexes] = &self.spaces;
        match space {
            Space::Meta => meta,
            Space::Items => items,
            Space::Indexes => indexes,
        }
    }

    fn apply(&mut self, batch: Batch) {
        for mut row in batch.rows {
            // fjall's own catalogue has the number 0.
            let place = row
                .keyspace
                .checked_sub(1)
                .and_then(|number| usize::try_from(number).ok());
            let Some(rows) = place.and_then(|place| self.spaces.get_mut(place)) else {
                continue;
            };
            let key = Bytes::from(std::mem::take(&mut row.key));
            let version = JournalVersion {
                fjall_sequence: batch.head.fjall_sequence,
                value: row.into_value().map(Bytes::from),
            };
            // A copy of a journal repeats batches that newer ones have followed.
            let is_newer = |known: &JournalVersion| version.fjall_sequence >= known.fjall_sequence;
            if rows.get(&key).is_none_or(is_newer) {
                rows.insert(key, version);
            }
        }
    }
}

/// A batch that was read.
struct Batch {
    head: BatchHead,
    rows: Vec<JournalRow>,
    bytes: usize,
}

/// What comes next.
enum Next {
    Batch(Batch),
    End,
    /// A good batch that was read before.
    Repeated(Batch),
    /// Something else, and the rows that it seems to write if only its checksum is wrong.
    Unreadable(Option<Vec<JournalRow>>),
}

fn read_next(bytes: &[u8], before: Continuity) -> Next {
    let mut reader = JournalReader::new(bytes);
    let mut rows = Vec::new();
    let step = reader.batch(|row| rows.push(row));
    let bytes_read = usize::try_from(reader.position()).unwrap_or(usize::MAX);
    match step {
        Ok(Step::Batch(head)) if before.clone().advance(&head).is_ok() => Next::Batch(Batch {
            head,
            rows,
            bytes: bytes_read,
        }),
        Ok(Step::Batch(head)) if before.has_passed(&head) => Next::Repeated(Batch {
            head,
            rows,
            bytes: bytes_read,
        }),
        Ok(Step::End) => Next::End,
        Ok(Step::Zeros) if bytes.iter().all(|byte| *byte == 0) => Next::End,
        Err(Stop::Unreadable("a wrong checksum")) => Next::Unreadable(Some(rows)),
        Ok(Step::Batch(_) | Step::Zeros) | Err(_) => Next::Unreadable(None),
    }
}

/// Where the next good batch begins.
fn find_batch(bytes: &[u8], start: usize) -> Option<(usize, Batch)> {
    (start..bytes.len()).find_map(|at| {
        let rest = bytes.get(at..)?;
        if rest.first() != Some(&1) || !matches!(rest.get(13), Some(2 | 4)) {
            return None;
        }
        match read_next(rest, Continuity::default()) {
            Next::Batch(batch) => Some((at, batch)),
            Next::End | Next::Repeated(_) | Next::Unreadable(_) => None,
        }
    })
}

/// A place in a journal where something is wrong.
struct Break<'a> {
    path: &'a Path,
    position: usize,
    /// From there to the next good batch, or to the end of what is not zero.
    window: &'a [u8],
    next: Option<&'a Batch>,
}

impl Salvage {
    pub(super) fn read_journals(
        &mut self,
        store: &Path,
        data: &Path,
        note: Note,
        watch: Watcher<'_>,
    ) -> Result<(), OpenError> {
        if let Some(path) = journal::find_stranger(data)? {
            self.report(path, journal::STRANGER, Loss::Nothing);
        }
        let journals = journal::list(data)?;
        if journals.is_empty() {
            self.report(data, "it has no journal", Loss::Nothing);
        }
        let mut reached = Continuity::default();
        let last = journals.last().cloned();
        for path in journals {
            watch(&path);
            let bytes = read_journal(store, &path)?;
            let is_last = last.as_ref() == Some(&path);
            self.read_journal(&path, &bytes, note, is_last, &mut reached);
        }
        self.group = self
            .group
            .max(self.stored_group())
            .max(reached.group.unwrap_or(0));
        if self.group < note.sequence {
            let what = format!(
                "writes up to group {} were acknowledged, only those up to group {} are there",
                note.sequence, self.group
            );
            self.report(data, what, Loss::Unknown);
            self.group = note.sequence;
        }
        Ok(())
    }

    fn read_journal(
        &mut self,
        path: &Path,
        bytes: &[u8],
        note: Note,
        is_last: bool,
        reached: &mut Continuity,
    ) {
        let mut position = 0;
        let mut is_repeated = false;
        loop {
            let rest = bytes.get(position..).unwrap_or_default();
            match read_next(rest, *reached) {
                Next::End => return,
                Next::Batch(batch) => {
                    position += batch.bytes;
                    // It was looked at before.
                    let _ = reached.advance(&batch.head);
                    self.journals.apply(batch);
                }
                Next::Repeated(batch) => {
                    if !is_repeated {
                        let what = format!("{REPEATED} in the batch at byte {position}");
                        self.report(path, what, Loss::Nothing);
                    }
                    is_repeated = true;
                    position += batch.bytes;
                }
                Next::Unreadable(rows) => {
                    let found = find_batch(bytes, position + 1);
                    let used = rest
                        .iter()
                        .rposition(|byte| *byte != 0)
                        .map_or(0, |last| last + 1);
                    let length = found.as_ref().map_or(used, |(start, _)| start - position);
                    let gap = Break {
                        path,
                        position,
                        window: rest.get(..length).unwrap_or_default(),
                        next: found.as_ref().map(|(_, batch)| batch),
                    };
                    let is_torn = is_last && is_torn_tail(&gap, *reached, note);
                    if !is_torn {
                        self.bridge(&gap, rows, reached);
                    }
                    let Some((start, next)) = found else { return };
                    *reached = Continuity {
                        group: next.head.group.map(|group| group - 1),
                        fjall_sequence: None,
                    };
                    position = start;
                }
            }
        }
    }

    /// Gets over a damaged batch: by finding out what it was, or else by naming what it wrote.
    fn bridge(&mut self, gap: &Break<'_>, rows: Option<Vec<JournalRow>>, reached: &mut Continuity) {
        let name = format!("the batch at byte {} is damaged", gap.position);
        if let Some(batch) = heal_batch(gap, *reached) {
            let what = format!("{name}; what it was could be found out");
            self.report(gap.path, what, Loss::Nothing);
            let _ = reached.advance(&batch.head);
            self.journals.apply(batch);
            return;
        }
        let bound = gap
            .next
            .and_then(|next| Some(next.head.mark?.floor.saturating_sub(1)));
        if bound.is_some_and(|bound| self.is_flushed(bound)) {
            let what = format!("{name}; what it wrote is in table files");
            self.report(gap.path, what, Loss::Nothing);
            return;
        }
        let Some(rows) = rows else {
            let what = format!("{name}; which rows it wrote cannot be told");
            self.report(gap.path, what, Loss::Unknown);
            return;
        };
        self.report(gap.path, name, Loss::Rows);
        for row in rows {
            let place = row
                .keyspace
                .checked_sub(1)
                .and_then(|number| usize::try_from(number).ok());
            let Some(space) = place.and_then(|place| Space::ALL.get(place)) else {
                continue;
            };
            if *space == Space::Meta && (row.key == SEQUENCE_KEY || row.key == BATCH_MARK_KEY) {
                continue;
            }
            let key = Bytes::from(row.key);
            self.lost.push(LostRows {
                space: *space,
                from: Bound::Included(key.clone()),
                last: Some(key),
                newest: bound,
                path: gap.path.into(),
            });
        }
    }

    /// Whether every batch up to this number is in table files, in all spaces.
    fn is_flushed(&self, bound: u64) -> bool {
        let mut spaces = self.spaces.iter();
        spaces.all(|files| files.newest().is_some_and(|newest| newest >= bound))
    }

    /// The group that the rows themselves say was the last one.
    fn stored_group(&self) -> u64 {
        let rows = self.rows_of(Space::Meta).ok();
        let row = rows.and_then(|rows| rows.flatten().find(|row| row.key == SEQUENCE_KEY));
        row.and_then(|row| journal::read_sequence(&row.value))
            .unwrap_or(0)
    }
}

/// Whether what cannot be read was never acknowledged.
fn is_torn_tail(gap: &Break<'_>, reached: Continuity, note: Note) -> bool {
    let is_noted = reached.group.is_some_and(|group| group < note.sequence);
    let is_witnessed = gap.next.is_some_and(|next| {
        let durable = next.head.mark.map_or(0, |mark| mark.durable);
        let missing = reached
            .group
            .map(|group| group + 1)
            .or(next.head.group.map(|group| group - 1));
        durable > 0 && missing.is_some_and(|missing| durable >= missing)
    });
    !is_noted && !is_witnessed
}

fn heal_batch(gap: &Break<'_>, before: Continuity) -> Option<Batch> {
    heal(gap.window, |bytes| match read_next(bytes, before) {
        Next::Batch(batch) => {
            let mut after = before;
            let fits = after.advance(&batch.head).is_ok()
                && gap.next.is_none_or(|next| {
                    batch.bytes == gap.window.len() && after.advance(&next.head).is_ok()
                });
            fits.then_some(batch)
        }
        Next::End | Next::Repeated(_) | Next::Unreadable(_) => None,
    })
}

/// A journal, or the copy of it that an interrupted open has set aside.
fn read_journal(store: &Path, path: &Path) -> Result<Vec<u8>, OpenError> {
    let bytes = fs::read(path).map_err(OpenError::io(path))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let aside: PathBuf = store.join(format!("ASIDE-{name}"));
    if bytes.is_empty() && aside.exists() {
        return fs::read(&aside).map_err(OpenError::io(aside));
    }
    Ok(bytes)
}
