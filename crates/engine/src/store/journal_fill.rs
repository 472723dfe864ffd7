//! Zeros ahead of the end of fjall's journal.
//!
//! fjall makes a journal as a file of 64 MB that has no blocks yet. A commit that is written into such a hole
//! makes the file system find blocks, and its sync writes where they are, after the data: two or three writes of
//! the disk, one after another, that every caller of the group waits for. So the journal is filled with zeros some
//! way ahead, a piece at a time; a sync of what is written there later writes the data and nothing else.
//!
//! No batch can be lost by it. Zeros are only written where the file system says that the file has a hole and zeros are read,
//! by the thread that commits: it is the only one that writes batches, and fjall has handed all of the last one to the
//! system before the next one comes. The file is never made longer: fjall appends to a journal that it found at open,
//! and the end of such a file is where the next batch goes. Whoever reads the journal sees the same bytes with and
//! without this. Where the file system knows nothing of holes, nothing is filled.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How much is filled at a time. The next sync writes it, so it must not take long.
const PIECE: u64 = 1024 * 1024;
/// How far ahead of the next batch at least.
const AHEAD: u64 = 64 * 1024;
/// fjall begins another journal when one is larger than this and a memtable is flushed.
const FULL: u64 = 64_000_000;
/// What fjall writes for a batch and for each entry beside its key and its value; `journal.rs` reads it.
const BATCH_BYTES: u64 = 26;
const ENTRY_BYTES: u64 = 21;

static ZEROS: [u8; 1 << 16] = [0; 1 << 16];

/// The size of a batch in the journal.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BatchSize(u64);

impl BatchSize {
    pub(super) const fn new(entries: usize, bytes: u64) -> Self {
        Self(BATCH_BYTES + ENTRY_BYTES * entries as u64 + bytes)
    }
}

/// Where the journal comes from that is written when a store has been opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JournalOrigin {
    /// Made with the store: it has its full length, and next to nothing in it.
    New,
    /// Found there: fjall has cut it off where its last batch ends.
    Found,
}

/// Fills the journal that is being written.
pub(super) struct JournalFill {
    data: PathBuf,
    journal: Option<ActiveJournal>,
    /// The last batch that was announced.
    last: BatchSize,
}

struct ActiveJournal {
    number: u64,
    file: File,
    length: u64,
    /// About where the next batch goes: it may be before.
    end: u64,
    /// Up to here it has blocks, or batches.
    filled: u64,
}

impl JournalFill {
    /// For the journals in `data`, of which the last one is written.
    pub(super) fn new(data: &Path, origin: JournalOrigin) -> io::Result<Self> {
        let mut last = None;
        for entry in fs::read_dir(data)? {
            last = last.max(journal_number(&entry?.path()));
        }
        let opened = last.map(|number| ActiveJournal::open(data, number, 0));
        let mut journal = opened.transpose()?;
        if let Some(journal) = &mut journal
            && origin == JournalOrigin::Found
        {
            journal.end = journal.length;
            journal.filled = journal.length;
        }
        Ok(Self {
            data: data.into(),
            journal,
            last: BatchSize::default(),
        })
    }

    /// Makes room for a batch of this size, which is to be committed next. That it cannot is no failure:
    /// the batch is written all the same.
    pub(super) fn make_room(&mut self, batch: BatchSize) {
        let next = self.find_next();
        if let Some(journal) = next {
            self.journal = Some(journal);
        }
        self.last = batch;
        let Some(journal) = &mut self.journal else {
            return;
        };
        if journal.make_room(batch).is_err() {
            journal.filled = journal.length;
        }
    }

    /// The next journal, once fjall has begun it. That was after the last look, so it has one batch at most.
    fn find_next(&self) -> Option<ActiveJournal> {
        let journal = self.journal.as_ref()?;
        if journal.end < FULL {
            return None;
        }
        ActiveJournal::open(&self.data, journal.number + 1, self.last.0).ok()
    }
}

impl ActiveJournal {
    fn open(data: &Path, number: u64, end: u64) -> io::Result<Self> {
        let path = data.join(format!("{number}.jnl"));
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        Ok(Self {
            number,
            length: file.metadata()?.len(),
            file,
            end,
            filled: end,
        })
    }

    fn make_room(&mut self, batch: BatchSize) -> io::Result<()> {
        let wanted = (self.end + batch.0 + AHEAD).min(self.length);
        while self.filled < wanted {
            self.fill_piece()?;
        }
        self.end += batch.0;
        Ok(())
    }

    /// Fills the next hole, as far as one piece goes, and leaves everything else as it is.
    fn fill_piece(&mut self) -> io::Result<()> {
        let Some(hole) = find_hole(&self.file, self.filled)? else {
            self.filled = self.length;
            return Ok(());
        };
        let end = self.length.min(hole.start + PIECE).min(hole.end);
        self.filled = hole.start;
        while self.filled < end {
            let zeros = ZEROS.get(..(end - self.filled) as usize).unwrap_or(&ZEROS);
            self.refuse_bytes(zeros)?;
            self.file.seek(SeekFrom::Start(self.filled))?;
            self.file.write_all(zeros)?;
            self.filled += zeros.len() as u64;
        }
        Ok(())
    }

    /// Refuses to write zeros over anything else. A file system that calls bytes a hole must not cost a batch.
    fn refuse_bytes(&mut self, zeros: &[u8]) -> io::Result<()> {
        let mut found = vec![0; zeros.len()];
        self.file.seek(SeekFrom::Start(self.filled))?;
        self.file.read_exact(&mut found)?;
        if found == zeros {
            Ok(())
        } else {
            Err(io::Error::other("the hole has bytes"))
        }
    }
}

/// The first hole of a file from `start` on; the last one ends nowhere.
#[cfg(target_os = "linux")]
fn find_hole(file: &File, start: u64) -> io::Result<Option<Range<u64>>> {
    use rustix::fs::{SeekFrom, seek};
    use rustix::io::Errno;
    let hole = match seek(file, SeekFrom::Hole(start)) {
        Ok(hole) => hole,
        Err(Errno::NXIO) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    match seek(file, SeekFrom::Data(hole)) {
        Ok(data) => Ok(Some(hole..data)),
        Err(Errno::NXIO) => Ok(Some(hole..u64::MAX)),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn find_hole(_file: &File, _start: u64) -> io::Result<Option<Range<u64>>> {
    Ok(None)
}

fn journal_number(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    name.strip_suffix(".jnl")?.parse().ok()
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
