use std::collections::HashMap;

use monotable_faultlog::{Event, FileNumber};

/// A file, whatever its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct FileId {
    pub(super) device: u64,
    pub(super) inode: u64,
}

/// One change of a file, and what it takes to undo it.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) kind: ChangeKind,
    /// Whether a sync covered it.
    pub(super) durable: bool,
}

#[derive(Debug)]
pub(super) enum ChangeKind {
    Write {
        offset: u64,
        length: u64,
        size_before: u64,
        old: Vec<u8>,
    },
    Resize {
        from: u64,
        to: u64,
        old: Vec<u8>,
    },
}

/// The changes that the logs tell of, file by file.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    files: Vec<RecordedFile>,
    /// Which of the files has the inode now; the others are gone.
    present: HashMap<FileId, usize>,
}

#[derive(Debug, Default)]
struct RecordedFile {
    changes: Vec<Change>,
    /// The changes before this one have met a sync: it covered them, or failed and no other will.
    decided: usize,
}

/// A file within one log.
#[derive(Debug, Clone, Copy)]
struct Numbered {
    index: usize,
    /// How many of its changes earlier logs told of; counts in this log begin there.
    earlier: usize,
}

impl Recorded {
    /// Every file that still has its inode, with its changes in order; in the order of the logs.
    pub(super) fn files(&self) -> Vec<(FileId, &[Change])> {
        let mut present: Vec<_> = self.present.iter().collect();
        present.sort_by_key(|(_, index)| **index);
        present
            .into_iter()
            .filter_map(|(id, index)| Some((*id, self.files.get(*index)?.changes.as_slice())))
            .collect()
    }

    /// Adds the events of one log.
    pub(super) fn replay(&mut self, events: Vec<Event>) {
        let mut numbered: HashMap<FileNumber, Numbered> = HashMap::new();
        for event in events {
            match event {
                Event::Opened {
                    file,
                    device,
                    inode,
                    created,
                } => {
                    let id = FileId { device, inode };
                    numbered.insert(file, self.number(id, created));
                }
                Event::Writing {
                    file,
                    offset,
                    length,
                    size,
                    old,
                } => self.change(
                    numbered.get(&file),
                    ChangeKind::Write {
                        offset,
                        length,
                        size_before: size,
                        old,
                    },
                ),
                Event::Resizing {
                    file,
                    from,
                    to,
                    old,
                } => self.change(numbered.get(&file), ChangeKind::Resize { from, to, old }),
                Event::Synced { file, changes } => {
                    self.decide(numbered.get(&file), changes, true);
                }
                Event::SyncFailed { file, changes } => {
                    self.decide(numbered.get(&file), changes, false);
                }
            }
        }
    }

    fn number(&mut self, id: FileId, created: bool) -> Numbered {
        let known = self.present.get(&id).filter(|_| !created).copied();
        let index = known.unwrap_or_else(|| {
            self.files.push(RecordedFile::default());
            self.files.len() - 1
        });
        self.present.insert(id, index);
        let earlier = self.files.get(index).map_or(0, |file| file.changes.len());
        Numbered { index, earlier }
    }

    fn change(&mut self, numbered: Option<&Numbered>, kind: ChangeKind) {
        if let Some(file) = numbered.and_then(|known| self.files.get_mut(known.index)) {
            file.changes.push(Change {
                kind,
                durable: false,
            });
        }
    }

    fn decide(&mut self, numbered: Option<&Numbered>, changes: u64, durable: bool) {
        let Some(known) = numbered else { return };
        let end = known.earlier + usize::try_from(changes).unwrap_or(usize::MAX);
        if let Some(file) = self.files.get_mut(known.index) {
            file.decide(end, durable);
        }
    }
}

impl RecordedFile {
    /// Syncs may end in another order than they began, hence the check.
    fn decide(&mut self, end: usize, durable: bool) {
        for change in self.changes.get_mut(self.decided..end).unwrap_or_default() {
            change.durable = durable;
        }
        self.decided = self.decided.max(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: FileId = FileId {
        device: 1,
        inode: 2,
    };

    fn opened(file: FileNumber, created: bool) -> Event {
        Event::Opened {
            file,
            device: ID.device,
            inode: ID.inode,
            created,
        }
    }

    fn grow(file: FileNumber) -> Event {
        Event::Resizing {
            file,
            from: 0,
            to: 1,
            old: Vec::new(),
        }
    }

    fn durable(logs: Vec<Vec<Event>>) -> Vec<bool> {
        let mut recorded = Recorded::default();
        for log in logs {
            recorded.replay(log);
        }
        let files = recorded.files();
        assert_eq!(files.len(), 1);
        files[0].1.iter().map(|change| change.durable).collect()
    }

    #[test]
    fn a_sync_covers_the_changes_before_it_began() {
        let synced = Event::Synced {
            file: 1,
            changes: 1,
        };
        let log = vec![opened(1, true), grow(1), grow(1), synced];
        assert_eq!(durable(vec![log]), [true, false]);
    }

    #[test]
    fn syncs_that_end_in_another_order_cover_the_same() {
        let late = Event::Synced {
            file: 1,
            changes: 1,
        };
        let early = Event::Synced {
            file: 1,
            changes: 2,
        };
        let log = vec![opened(1, true), grow(1), grow(1), early, late];
        assert_eq!(durable(vec![log]), [true, true]);
    }

    #[test]
    fn no_later_sync_covers_what_a_failed_one_dropped() {
        let failed = Event::SyncFailed {
            file: 1,
            changes: 1,
        };
        let synced = Event::Synced {
            file: 1,
            changes: 2,
        };
        let log = vec![opened(1, true), grow(1), failed, grow(1), synced];
        assert_eq!(durable(vec![log]), [false, true]);
    }

    #[test]
    fn a_later_process_syncs_what_an_earlier_one_wrote() {
        let first = vec![opened(7, true), grow(7)];
        let synced = Event::Synced {
            file: 1,
            changes: 1,
        };
        let second = vec![opened(1, false), grow(1), grow(1), synced];
        assert_eq!(durable(vec![first, second]), [true, true, false]);
    }

    #[test]
    fn a_new_file_in_a_recycled_inode_has_no_past() {
        let log = vec![opened(1, true), grow(1), grow(1), opened(2, true), grow(2)];
        assert_eq!(durable(vec![log]), [false]);
    }
}
