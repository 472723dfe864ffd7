//! Checks fjall's journals before fjall opens them.
//!
//! fjall replays a journal up to the first thing it cannot read and silently cuts off the rest: right
//! for the torn tail of a crash, wrong for damage in the middle. It also refuses a torn batch whose end
//! happens to be on disk. So each journal is read here first:
//!
//! - batches must match their checksums, and the group sequences that every batch carries must be
//!   without a gap, within a journal and from one to the next;
//! - fjall's own sequence numbers, which its checksums leave out, must be those that the batches vouch for
//!   (`batch_mark.rs`);
//! - a sealed journal must be readable to its end;
//! - the last journal may end in a torn batch, if everything acknowledged (see `noted`) comes before it:
//!   then the tail is cut off here. Otherwise the store is not opened and nothing is changed. A good batch behind
//!   the unreadable one that was made when the unreadable one was durable shows the same, without the note.
//!
//! What is read here may be in the page cache only: after a failed sync Linux counts the pages as clean,
//! so that no later sync writes them, and what is appended behind them would be lost with them at the
//! next power cut. Unless the store was closed cleanly, the last journal is therefore written again in
//! place, byte for byte, and synced.
//!
//! The format is that of fjall 3.1, whose version is pinned; `docs/format.md` draws it.

use super::OpenError;
use super::noted::Note;
use super::set_aside::SetAside;
use continuity::Continuity;
use extent::find_end_of_data;
use reader::{JournalReader, Step, Stop};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

pub(super) mod continuity;
mod extent;
pub(super) mod reader;
#[cfg(test)]
mod tests;

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
    let mut before = Continuity::default();
    let mut journals = list(data)?;
    let Some(active) = journals.pop() else {
        return Ok(None);
    };
    for path in &journals {
        let scan = scan(path, before)?;
        if let Some(what) = scan.problem {
            return Err(OpenError::damaged(store, path, what));
        }
        before = scan.reached;
    }
    let scan = scan(&active, before)?;
    if let (Some(what), true) = (&scan.problem, scan.is_contradictory) {
        return Err(OpenError::damaged(store, active, what));
    }
    if let Some(what) = &scan.problem
        && let Some(later) = find_proof_of_damage(&active, &scan)?
    {
        let what = format!("{what}, but the good batch at byte {later} was written behind it");
        return Err(OpenError::damaged(store, &active, what));
    }
    let failed = OpenError::io(&active);
    let group = scan.reached.group;
    let closed = noted.closed && group == Some(noted.sequence);
    match (&scan.problem, group) {
        (None, _) if closed => Ok(None),
        (Some(what), Some(found)) if found < noted.sequence => {
            let acknowledged = noted.sequence;
            let what = format!(
                "{what}; writes up to group {acknowledged} were acknowledged, only those up to {found} are readable"
            );
            Err(OpenError::damaged(store, &active, what))
        }
        // No group in any journal: the table files decide.
        (Some(_), None) => SetAside::keep(store, &active)
            .and_then(|aside| rewrite(&active, &scan).map(|()| Some(aside)))
            .map_err(failed),
        (None | Some(_), _) => rewrite(&active, &scan).map(|()| None).map_err(failed),
    }
}

/// The journals, oldest first.
pub(super) fn list(data: &Path) -> Result<Vec<PathBuf>, OpenError> {
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

/// What is said of a file that fjall would take for a journal and cannot read.
pub(super) const STRANGER: &str =
    "it has the ending of a journal and not the name of one, a number: move it elsewhere";

/// A file that is not named like a journal although it has the ending of one. fjall opens no store that has one.
pub(super) fn find_stranger(data: &Path) -> Result<Option<PathBuf>, OpenError> {
    let known = list(data)?;
    for entry in fs::read_dir(data).map_err(OpenError::io(data))? {
        let path = entry.map_err(OpenError::io(data))?.path();
        let is_journal = path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("jnl"));
        if is_journal && !known.contains(&path) {
            return Ok(Some(path));
        }
    }
    Ok(None)
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
    /// How far the batches go in this journal or before it.
    reached: Continuity,
    /// What comes after the last good batch, unless it is the end or the zeros that fjall reserves.
    problem: Option<String>,
    /// Whether that is a whole batch that cannot follow the one before. A crash leaves no such thing.
    is_contradictory: bool,
}

fn scan(path: &Path, before: Continuity) -> Result<Scan, OpenError> {
    let file = File::open(path).map_err(OpenError::io(path))?;
    let end = find_end_of_data(&file).map_err(OpenError::io(path))?;
    let mut reader = JournalReader::new(BufReader::with_capacity(1 << 20, file.take(end)));
    let mut scan = Scan {
        valid_bytes: 0,
        reached: before,
        problem: None,
        is_contradictory: false,
    };
    loop {
        match reader.batch(|_| ()) {
            Ok(Step::Batch(head)) => {
                if let Err(what) = scan.reached.advance(&head) {
                    scan.problem = Some(format!(
                        "{what} in the batch at byte {}, or in the one before it",
                        scan.valid_bytes
                    ));
                    scan.is_contradictory = true;
                    return Ok(scan);
                }
                scan.valid_bytes = reader.position();
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

/// Where a good batch begins behind what cannot be read, if that batch says that what cannot be read was durable.
fn find_proof_of_damage(path: &Path, scan: &Scan) -> Result<Option<u64>, OpenError> {
    let mut rest = Vec::new();
    let read = File::open(path).and_then(|mut file| {
        let end = find_end_of_data(&file)?;
        file.seek(SeekFrom::Start(scan.valid_bytes))?;
        let unread = end.saturating_sub(scan.valid_bytes);
        file.take(unread).read_to_end(&mut rest)
    });
    read.map_err(OpenError::io(path))?;
    for (start, tag) in rest.iter().enumerate() {
        // Most of it are zeros. A batch begins with 1, and its first entry, behind two numbers, with 2 or 4.
        if *tag != 1 || !matches!(rest.get(start + 13), Some(2 | 4)) {
            continue;
        }
        let batch = rest.get(start..).unwrap_or_default();
        if let Ok(Step::Batch(head)) = JournalReader::new(batch).batch(|_| ())
            && let (Some(mark), Some(group)) = (head.mark, head.group)
            && mark.durable > 0
            && mark.durable >= scan.reached.group.map_or(group - 1, |group| group + 1)
        {
            return Ok(Some(scan.valid_bytes + start as u64));
        }
    }
    Ok(None)
}
