//! The event log: what the fault shim saw a process do to its files.
//!
//! A crate of its own because linking the shim would interpose the reader too.
//!
//! One log belongs to one process. It is an *undo* log. A change is recorded before it is made, with the bytes it replaces, so
//! that a reader can take back what was never synced and find exactly the bytes that were there
//! before: zeros in a preallocated journal, old bytes where a file is overwritten in place.
//!
//! ```
//! use monotable_faultlog::{Event, read};
//!
//! let mut log = Vec::new();
//! let synced = Event::Synced { file: 1, changes: 2 };
//! synced.encode(&mut log);
//! synced.encode(&mut log);
//! log.pop();
//! assert_eq!(read(&log), Ok(vec![synced]), "a record cut short by a kill is not read");
//! ```

mod decode;
mod encode;
mod event;
mod trace;

pub use decode::{DamagedLog, read};
pub use event::{Event, FileNumber};
pub use trace::{Deed, Inode, Step, read_trace};
