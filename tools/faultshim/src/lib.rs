//! A library to preload (`LD_PRELOAD`) into a program whose durability is under test.
//!
//! Killing a process keeps the page cache, so a kill alone never shows a missing sync. This shim
//! stands before libc's functions that change and sync files, and keeps a log from which
//! `monotable-torture` makes the directory what a power cut would have left. It also makes those
//! functions fail.
//!
//! | variable              | effect                                                                        |
//! |-----------------------|-------------------------------------------------------------------------------|
//! | `FAULTSHIM_DIR`       | the existing directory to watch; without it the shim does nothing             |
//! | `FAULTSHIM_LOG`       | the event log to create (see `monotable-faultlog`): one process, one log       |
//! | `FAULTSHIM_FAIL`      | `fsync:EIO:17` lets 17 calls pass, then fails all; also `write` and `ftruncate`; several, separated by commas |
//! | `FAULTSHIM_TRIGGER`   | a path: calls fail, and count for `FAULTSHIM_FAIL`, only while it exists      |
//! | `FAULTSHIM_NTH`       | `17:EIO` fails the 17th call of all that change or sync something, and no other; also `17:SHORT`, a write of half its bytes |
//! | `FAULTSHIM_CALLS`     | a file that has the number of such calls so far, 8 bytes little-endian        |
//! | `FAULTSHIM_TRACE`     | a trace to create (see `monotable-faultlog`): every change with its bytes and names, one after another |
//! | `FAULTSHIM_SKIP_SYNC` | `1`: syncs do nothing and say they succeeded; the planted bug                 |
//!
//! What the log promises:
//!
//! - A change is recorded before it is made. A sync is recorded after it returned, and covers the
//!   changes that were complete when it began.
//! - One lock per file is held from recording a change until it is made, so the order in the log is
//!   the order in the file, whatever the threads do. Syncs do not hold it.
//! - Files are known by device and inode. A new file in a recycled inode is told apart because
//!   opens that create are seen.
//!
//! What it does not see, and so treats as durable at once: changes through `mmap`, `splice`,
//! `fallocate` or raw system calls, and those of directories (create, rename, unlink), which only the trace has. Changes are
//! not taken for durable because of `O_SYNC`, `sync_file_range`, `sync` or `syncfs`.
//!
//! Linux on 64 bits only; elsewhere the library is empty.

#![cfg(all(target_os = "linux", target_pointer_width = "64"))]
// A test program with libc's names would interpose itself. The unit tests call the shim below the
// hooks; tools/torture tests the whole from outside.
#![cfg_attr(test, allow(dead_code))]

mod descriptor;
mod fault;
#[cfg(not(test))]
mod hooks;
mod log;
#[cfg(not(test))]
mod next;
mod shim;
mod stop;
mod trace;
mod watched;
