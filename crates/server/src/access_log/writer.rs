//! The thread that writes the access log.

use super::{Counts, Entry, Message};
use std::io::{self, Write};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::{Duration, Instant};

/// Lines are written together up to this size, in bytes.
pub(super) const TOGETHER: usize = 64 << 10;

/// How often trouble is told.
const TELLING: Duration = Duration::from_secs(60);

/// Where lines go.
pub(super) trait Destination: Send + 'static {
    /// Writes whole lines: all of them or none.
    fn write(&mut self, lines: &[u8]) -> io::Result<()>;

    /// How many bytes of lines are gathered before they are written.
    fn bytes_together(&self) -> usize {
        TOGETHER
    }

    /// Begins anew under the same name.
    fn reopen(&mut self) -> io::Result<()>;
}

impl Destination for io::Stderr {
    fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        self.write_all(lines)
    }

    fn reopen(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(super) struct Writer<D> {
    destination: D,
    /// Lines that are not written yet.
    lines: Vec<u8>,
    number: u64,
    told: Option<Instant>,
}

impl<D: Destination> Writer<D> {
    pub(super) const fn new(destination: D) -> Self {
        Self {
            destination,
            lines: Vec::new(),
            number: 0,
            told: None,
        }
    }

    /// Writes until nobody can send any more.
    pub(super) fn run(&mut self, messages: &Receiver<Message>, counts: &Counts) {
        while let Ok(first) = messages.recv() {
            let mut next = Some(first);
            let mut flushed: Option<SyncSender<()>> = None;
            while let Some(message) = next {
                match message {
                    Message::Line(entry) => self.add(&entry),
                    Message::Reopen => self.reopen(counts),
                    Message::Flush(done) => flushed = Some(done),
                }
                if self.lines.len() >= self.destination.bytes_together() || flushed.is_some() {
                    break;
                }
                next = messages.try_recv().ok();
            }
            self.write(counts);
            if let Some(done) = flushed {
                // Whoever asked may have stopped waiting.
                let _ = done.try_send(());
            }
        }
    }

    fn add(&mut self, entry: &Entry) {
        // Writing to memory does not fail.
        if serde_json::to_writer(&mut self.lines, entry).is_ok() {
            self.lines.push(b'\n');
            self.number += 1;
        }
    }

    fn write(&mut self, counts: &Counts) {
        if self.lines.is_empty() {
            return;
        }
        match self.destination.write(&self.lines) {
            Ok(()) => {
                counts.written.fetch_add(self.number, Ordering::Relaxed);
            }
            Err(error) => {
                counts.dropped.fetch_add(self.number, Ordering::Relaxed);
                self.tell(&error);
            }
        }
        self.lines.clear();
        self.number = 0;
    }

    fn reopen(&mut self, counts: &Counts) {
        self.write(counts);
        if let Err(error) = self.destination.reopen() {
            self.tell(&error);
        }
    }

    fn tell(&mut self, error: &io::Error) {
        let now = Instant::now();
        if self.told.is_none_or(|told| now >= told + TELLING) {
            self.told = Some(now);
            let full = error.kind() == io::ErrorKind::StorageFull;
            let cause = if full { "disk full" } else { "write failed" };
            tracing::error!(%error, cause, "the access log cannot be written: its lines are dropped, requests go on");
        }
    }
}
