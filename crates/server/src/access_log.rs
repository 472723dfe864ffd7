//! The access log: who asked for what, and what came of it, one line of JSON for each request.
//!
//! A request only hands over what there is to write. A thread of its own writes (`writer.rs`), into a file that is rotated
//! (`rotation.rs`). Whatever keeps the thread from writing, a slow or a full disk, costs lines and never a request: what
//! does not fit between the two is dropped and counted.
//!
//! A line (`entry.rs`) has names of tables and of access keys, and no keys of items, values, tokens or secrets.

mod entry;
mod rotation;
mod tables;
mod writer;

pub(crate) use entry::{AccessKeyUse, Entry};
pub(crate) use tables::name_tables;

use rotation::{LogFile, Rotation};
use std::fmt;
use std::io;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use writer::Writer;

/// How many lines may wait to be written. Each has a few hundred bytes.
const QUEUE: usize = 8192;

/// How long the end of a server waits for the last lines.
const CLOSING: Duration = Duration::from_secs(2);

/// An access log. Cheap to clone; all clones write to one place.
#[derive(Clone)]
pub struct AccessLog {
    shared: Arc<Handle>,
}

struct Handle {
    queue: SyncSender<Message>,
    counts: Arc<Counts>,
    thread: JoinHandle<()>,
}

/// What the thread that writes is told.
enum Message {
    Line(Box<Entry>),
    /// The file was moved away: begin it anew.
    Reopen,
    /// Everything before is to be written; then say so.
    Flush(SyncSender<()>),
}

/// What has become of the lines.
#[derive(Default)]
pub(crate) struct Counts {
    written: AtomicU64,
    dropped: AtomicU64,
}

impl AccessLog {
    /// Writes to this file, behind what is in it. When it would become larger than `bytes` it is renamed, to the same name
    /// with `.1` behind it, and begun anew; up to `kept` such files are kept, the oldest with the highest number.
    pub fn to_file(path: impl Into<PathBuf>, bytes: u64, kept: NonZeroU32) -> io::Result<Self> {
        let rotation = Rotation { bytes, kept };
        let file = LogFile::open(path.into(), rotation)?;
        Self::start(Writer::new(file))
    }

    /// Writes to standard error.
    pub fn to_stderr() -> io::Result<Self> {
        Self::start(Writer::new(io::stderr()))
    }

    fn start<D: writer::Destination>(mut writer: Writer<D>) -> io::Result<Self> {
        let (queue, messages): (_, Receiver<Message>) = sync_channel(QUEUE);
        let counts = Arc::new(Counts::default());
        let counted = Arc::clone(&counts);
        let thread = std::thread::Builder::new()
            .name("monotable-access".into())
            .spawn(move || writer.run(&messages, &counted))?;
        let handle = Handle {
            queue,
            counts,
            thread,
        };
        Ok(Self {
            shared: Arc::new(handle),
        })
    }

    /// Begins the file anew under its name, after something else has renamed it.
    pub fn reopen(&self) {
        // A thread that does not take even this has other troubles.
        drop(self.shared.queue.try_send(Message::Reopen));
    }

    /// Hands over a line; drops it if too many wait.
    pub(crate) fn write(&self, entry: Entry) {
        let sent = self.shared.queue.try_send(Message::Line(Box::new(entry)));
        if let Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) = sent {
            self.shared.counts.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits until everything is written, but not for long.
    pub(crate) fn flush(&self) {
        let (done, wait) = sync_channel(1);
        let deadline = Instant::now() + CLOSING;
        let mut message = Message::Flush(done);
        while Instant::now() < deadline && !self.shared.thread.is_finished() {
            match self.shared.queue.try_send(message) {
                Ok(()) => {
                    let _ = wait.recv_timeout(deadline.saturating_duration_since(Instant::now()));
                    return;
                }
                Err(TrySendError::Full(unsent)) => message = unsent,
                Err(TrySendError::Disconnected(_)) => return,
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn written(&self) -> u64 {
        self.shared.counts.written.load(Ordering::Relaxed)
    }

    pub(crate) fn dropped(&self) -> u64 {
        self.shared.counts.dropped.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for AccessLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessLog")
    }
}

/// The name of a file with a number behind it.
fn numbered(path: &Path, number: u32) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{number}"));
    name.into()
}
