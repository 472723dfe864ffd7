//! A program that writes from many threads at once, syncs, and says what it has synced.
//!
//! Each thread writes records of two kinds, as a store does: to the end of a file that all share, and
//! into zeros that were allocated before, in a file that all share too.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::thread;

/// The file that the threads append to.
pub const APPENDED: &str = "appended";
/// The file that the threads write into.
pub const ALLOCATED: &str = "allocated";

const RECORD_LENGTH: usize = 16;
/// Nobody waits for this many: the storm is there to be killed.
const RECORDS_PER_THREAD: usize = 10_000;

/// Writes from `threads` threads; prints `thread count` when that record of that thread is synced.
///
/// # Errors
///
/// When a file cannot be written.
pub fn run(directory: &Path, threads: usize) -> io::Result<()> {
    let appended = File::options()
        .create(true)
        .append(true)
        .open(directory.join(APPENDED))?;
    let allocated = File::create_new(directory.join(ALLOCATED))?;
    allocated.set_len((threads * RECORDS_PER_THREAD * RECORD_LENGTH) as u64)?;
    allocated.sync_all()?;
    let (appended, allocated) = (&appended, &allocated);
    thread::scope(|scope| {
        let spawn = |thread| scope.spawn(move || write_records(thread, appended, allocated));
        let workers: Vec<_> = (0..threads).map(spawn).collect();
        for worker in workers {
            worker
                .join()
                .map_err(|_| io::Error::other("a thread panicked"))??;
        }
        Ok(())
    })
}

fn write_records(thread: usize, mut appended: &File, allocated: &File) -> io::Result<()> {
    for count in 0..RECORDS_PER_THREAD {
        let record = record(thread, count);
        appended.write_all(&record)?;
        allocated.write_all_at(&record, offset(thread, count))?;
        appended.sync_data()?;
        allocated.sync_data()?;
        writeln!(io::stdout(), "{thread} {count}")?;
    }
    Ok(())
}

/// The bytes of a record: none of them are zero.
#[must_use]
pub fn record(thread: usize, count: usize) -> [u8; RECORD_LENGTH] {
    let text = format!("{thread:03}.{count:011}\n");
    let mut record = [b'.'; RECORD_LENGTH];
    for (byte, letter) in record.iter_mut().zip(text.bytes()) {
        *byte = letter;
    }
    record
}

/// Where a record is in [`ALLOCATED`].
#[must_use]
pub fn offset(thread: usize, count: usize) -> u64 {
    ((thread * RECORDS_PER_THREAD + count) * RECORD_LENGTH) as u64
}
