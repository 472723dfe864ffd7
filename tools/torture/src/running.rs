//! A child that runs.

use crate::record::{Frame, Record, read_frame, write_frame};
use std::fs;
use std::io::{self, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// No child is silent for longer, unless it hangs.
const SILENCE: Duration = Duration::from_secs(120);

/// A child, and the pipes to and from it.
#[derive(Debug)]
pub struct Running {
    child: Child,
    orders: Option<ChildStdin>,
    frames: Receiver<Frame>,
    reader: Option<JoinHandle<io::Result<()>>>,
    said: PathBuf,
    /// When it was started.
    pub started: Instant,
}

/// What a child says next.
#[derive(Debug)]
pub enum Next {
    /// This.
    Frame(Frame),
    /// Nothing yet.
    Nothing,
    /// Nothing any more: it has ended.
    End,
}

impl Running {
    pub(crate) fn start(command: &mut Command, said: PathBuf) -> io::Result<Self> {
        let started = Instant::now();
        let mut child = command.spawn()?;
        let orders = child.stdin.take();
        let stdout = child.stdout.take();
        let stdout = stdout.ok_or_else(|| io::Error::other("the child has no pipe"))?;
        let (sender, frames) = channel();
        // A thread of its own: a child that fills the pipe would wait for the parent.
        let reader = thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            while let Some(frame) = read_frame(&mut stdout)? {
                if sender.send(frame).is_err() {
                    break;
                }
            }
            Ok(())
        });
        Ok(Self {
            child,
            orders,
            frames,
            reader: Some(reader),
            said,
            started,
        })
    }

    /// The next frame, if there is one within `patience`.
    pub fn next(&self, patience: Duration) -> Next {
        match self.frames.recv_timeout(patience) {
            Ok(frame) => Next::Frame(frame),
            Err(RecvTimeoutError::Timeout) => Next::Nothing,
            Err(RecvTimeoutError::Disconnected) => Next::End,
        }
    }

    /// The next frame of a child that has something to say.
    ///
    /// # Errors
    ///
    /// When the child has ended or hangs.
    pub fn expect(&self) -> io::Result<Frame> {
        match self.next(SILENCE) {
            Next::Frame(frame) => Ok(frame),
            Next::Nothing => Err(io::Error::other(format!(
                "the child hangs: {}",
                self.said()
            ))),
            Next::End => Err(io::Error::other(format!(
                "the child ended: {}",
                self.said()
            ))),
        }
    }

    /// Gives an order.
    ///
    /// # Errors
    ///
    /// When the child has ended.
    pub fn order(&mut self, order: &Record) -> io::Result<()> {
        match &mut self.orders {
            Some(pipe) => write_frame(pipe, order, &[]),
            None => Err(io::Error::other("the child takes no orders any more")),
        }
    }

    /// Kills the child (SIGKILL); returns what it still said.
    ///
    /// # Errors
    ///
    /// When it cannot be killed.
    pub fn kill(mut self) -> io::Result<(Vec<Frame>, String)> {
        self.child.kill()?;
        self.end()
    }

    /// Closes the pipe of orders and waits for the child to end by itself.
    ///
    /// # Errors
    ///
    /// When it hangs.
    pub fn finish(mut self) -> io::Result<(Vec<Frame>, String)> {
        self.orders = None;
        crate::bounded::wait(&mut self.child, SILENCE)?;
        self.end()
    }

    fn end(&mut self) -> io::Result<(Vec<Frame>, String)> {
        self.child.wait()?;
        if let Some(reader) = self.reader.take() {
            let read = reader.join();
            read.map_err(|_| io::Error::other("the reader of a child panicked"))??;
        }
        let said = self.said();
        fs::remove_file(&self.said)?;
        Ok((self.frames.try_iter().collect(), said))
    }

    fn said(&self) -> String {
        fs::read_to_string(&self.said).unwrap_or_default()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Ended already, in most cases.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
