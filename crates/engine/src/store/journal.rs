//! Checks fjall's journals before fjall opens them.
//!
//! fjall replays a journal up to the first thing it cannot read and silently cuts off the rest: right
//! for the torn tail of a crash, wrong for damage in the middle. It also refuses a torn batch whose end
//! happens to be on disk. So each journal is read here first:
//!
//! - batches must match their checksums, and the group sequences that every batch carries must be
//!   without a gap, within a journal and from one to the next;
//! - a sealed journal must be readable to its end;
//! - the last journal may end in a torn batch, if everything acknowledged (see `noted`) comes before it:
//!   then the tail is cut off here. Otherwise the store is not opened and nothing is changed.
//!
//! What is read here may be in the page cache only: after a failed sync Linux counts the pages as clean,
//! so that no later sync writes them, and what is appended behind them would be lost with them at the
//! next power cut. Unless the store was closed cleanly, the last journal is therefore written again in
//! place, byte for byte, and synced.
//!
//! The format is that of fjall 3.1, whose version is pinned; `docs/format.md` draws it.

use super::OpenError;
use super::disk::SEQUENCE_KEY;
use super::noted::Note;
use super::set_aside::SetAside;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

const START: u8 = 1;
const ITEM: u8 = 2;
const END: u8 = 3;
const CLEAR: u8 = 4;
const TRAILER: &[u8; 4] = b"FJL\x03";

/// The sequence in the value of the sequence row.
pub(super) fn read_sequence(value: &[u8]) -> Option<u64> {
    value.try_into().ok().map(u64::from_be_bytes)
}

/// Checks all journals in `data` and cuts the torn tail off the last one. What is set aside must be
/// discarded or restored by the caller, who sees what is left without it.
pub(super) fn prepare(
    store: &Path,
    data: &Path,
    noted: Note,
) -> Result<Option<SetAside>, OpenError> {
    SetAside::recover(store, data).map_err(OpenError::io(store))?;
    let mut last_sequence = None;
    let mut journals = list(data)?;
    let Some(active) = journals.pop() else {
        return Ok(None);
    };
    for path in &journals {
        let scan = scan(path, last_sequence)?;
        if let Some(what) = scan.problem {
            return Err(OpenError::damaged(path, what));
        }
        last_sequence = scan.sequence;
    }
    let scan = scan(&active, last_sequence)?;
    let failed = OpenError::io(&active);
    let closed = noted.closed && scan.sequence == Some(noted.sequence);
    match (&scan.problem, scan.sequence) {
        (None, _) if closed => Ok(None),
        (Some(_), Some(found)) if found < noted.sequence => Err(OpenError::JournalTruncated {
            path: store.into(),
            acknowledged: noted.sequence,
            found,
        }),
        // No group in any journal: the table files decide.
        (Some(_), None) => SetAside::keep(store, &active)
            .and_then(|aside| rewrite(&active, &scan).map(|()| Some(aside)))
            .map_err(failed),
        (None | Some(_), _) => rewrite(&active, &scan).map(|()| None).map_err(failed),
    }
}

/// The journals, oldest first.
fn list(data: &Path) -> Result<Vec<PathBuf>, OpenError> {
    if !data.is_dir() {
        return Ok(Vec::new());
    }
    let mut journals = Vec::new();
    for entry in fs::read_dir(data).map_err(OpenError::io(data))? {
        let path = entry.map_err(OpenError::io(data))?.path();
        let number = path
            .extension()
            .filter(|extension| *extension == "jnl")
            .and(path.file_stem())
            .and_then(|stem| stem.to_str())
            .and_then(|stem| stem.parse::<u64>().ok());
        journals.extend(number.map(|number| (number, path)));
    }
    journals.sort();
    Ok(journals.into_iter().map(|(_, path)| path).collect())
}

/// Cuts a torn tail off and makes the good part durable. A crash in between is harmless: every byte is
/// replaced by itself.
fn rewrite(path: &Path, scan: &Scan) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    if scan.problem.is_some() {
        file.set_len(scan.valid_bytes)?;
    }
    let mut block = vec![0; 1 << 20];
    let mut position = 0;
    while position < scan.valid_bytes {
        file.seek(SeekFrom::Start(position))?;
        let rest = usize::try_from(scan.valid_bytes - position).unwrap_or(usize::MAX);
        let length = rest.min(block.len());
        let (part, _) = block.split_at_mut(length);
        file.read_exact(part)?;
        file.seek(SeekFrom::Start(position))?;
        file.write_all(part)?;
        position += length as u64;
    }
    file.sync_all()
}

/// What a journal holds.
struct Scan {
    /// The end of the last good batch.
    valid_bytes: u64,
    /// The last group sequence in this journal or before it.
    sequence: Option<u64>,
    /// What comes after the last good batch, unless it is the end or the zeros that fjall reserves.
    problem: Option<String>,
}

fn scan(path: &Path, previous: Option<u64>) -> Result<Scan, OpenError> {
    let file = File::open(path).map_err(OpenError::io(path))?;
    let mut reader = JournalReader {
        input: BufReader::with_capacity(1 << 20, file),
        position: 0,
    };
    let mut scan = Scan {
        valid_bytes: 0,
        sequence: previous,
        problem: None,
    };
    loop {
        match reader.batch(scan.sequence) {
            Ok(Step::Batch(sequence)) => {
                scan.sequence = sequence.or(scan.sequence);
                scan.valid_bytes = reader.position;
            }
            Ok(Step::Zeros) => {
                if !reader.only_zeros().map_err(OpenError::io(path))? {
                    scan.problem = Some(format!("data after a gap at byte {}", scan.valid_bytes));
                }
                return Ok(scan);
            }
            Ok(Step::End) => return Ok(scan),
            Err(Stop::Io(error)) => return Err(OpenError::io(path)(error)),
            Err(Stop::Unreadable(what)) => {
                scan.problem = Some(format!("{what} in the batch at byte {}", scan.valid_bytes));
                return Ok(scan);
            }
        }
    }
}

enum Step {
    /// A good batch, and its group sequence if it has one.
    Batch(Option<u64>),
    /// Where a batch should start there is a zero: the rest of a preallocated file.
    Zeros,
    /// The end of the file.
    End,
}

enum Stop {
    Io(io::Error),
    Unreadable(&'static str),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Unreadable("the file ends"),
            _ => Self::Io(error),
        }
    }
}

struct JournalReader<R> {
    input: R,
    position: u64,
}

impl<R: Read> JournalReader<R> {
    fn batch(&mut self, previous: Option<u64>) -> Result<Step, Stop> {
        let mut tag = [0];
        if self.input.read(&mut tag)? == 0 {
            return Ok(Step::End);
        }
        self.position += 1;
        match tag {
            [START] => {}
            [0] => return Ok(Step::Zeros),
            _ => return Err(Stop::Unreadable("no start mark")),
        }
        let count = u32::from_le_bytes(self.array()?);
        let _fjall_sequence = u64::from_le_bytes(self.array()?);
        let mut checksum = Xxh3::new();
        let mut sequence = None;
        for _ in 0..count {
            sequence = self.entry(&mut checksum)?.or(sequence);
        }
        let [tag] = self.array()?;
        let expected = u64::from_le_bytes(self.array()?);
        if tag != END || self.array()? != *TRAILER {
            return Err(Stop::Unreadable("no end mark"));
        }
        if checksum.digest() != expected {
            return Err(Stop::Unreadable("a wrong checksum"));
        }
        match (previous, sequence) {
            (Some(before), Some(now)) if now != before + 1 => {
                Err(Stop::Unreadable("a gap in the group sequence"))
            }
            _ => Ok(Step::Batch(sequence)),
        }
    }

    /// One entry of a batch; the group sequence if it is that row.
    fn entry(&mut self, checksum: &mut Xxh3) -> Result<Option<u64>, Stop> {
        let [tag] = self.array()?;
        checksum.update(&[tag]);
        match tag {
            ITEM => self.item(checksum),
            CLEAR => {
                checksum.update(&self.array::<8>()?);
                Ok(None)
            }
            _ => Err(Stop::Unreadable("an unknown entry")),
        }
    }

    fn item(&mut self, checksum: &mut Xxh3) -> Result<Option<u64>, Stop> {
        // Value type, compression, keyspace: nothing to check beyond the checksum.
        checksum.update(&self.array::<10>()?);
        let key_length = self.array::<2>()?;
        let value_length = self.array::<4>()?;
        let stored_length = self.array::<4>()?;
        checksum.update(&key_length);
        checksum.update(&value_length);
        checksum.update(&stored_length);
        let key = self.bytes(usize::from(u16::from_le_bytes(key_length)))?;
        let value = self.bytes(u32::from_le_bytes(stored_length) as usize)?;
        checksum.update(&key);
        checksum.update(&value);
        Ok((key == SEQUENCE_KEY)
            .then(|| read_sequence(&value))
            .flatten())
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Stop> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes)?;
        self.position += N as u64;
        Ok(bytes)
    }

    fn bytes(&mut self, length: usize) -> Result<Vec<u8>, Stop> {
        let mut bytes = Vec::new();
        // A damaged length must not reserve gigabytes: `take` reads no more than there is.
        self.input
            .by_ref()
            .take(length as u64)
            .read_to_end(&mut bytes)?;
        if bytes.len() < length {
            return Err(Stop::Unreadable("the file ends"));
        }
        self.position += length as u64;
        Ok(bytes)
    }

    /// Compared block by block: most of a journal is zeros.
    fn only_zeros(&mut self) -> io::Result<bool> {
        static ZEROS: [u8; 1 << 16] = [0; 1 << 16];
        let mut block = ZEROS;
        loop {
            let read = self.input.read(&mut block)?;
            match (block.get(..read), ZEROS.get(..read)) {
                (Some([]), _) => return Ok(true),
                (Some(found), Some(zeros)) if found == zeros => {}
                _ => return Ok(false),
            }
        }
    }
}
