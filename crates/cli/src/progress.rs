//! A line on the terminal that says how far long work is.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Time between two changes of the line.
const PACE: Duration = Duration::from_millis(100);

/// A line on stderr; nothing at all unless stderr is a terminal.
pub(crate) struct Progress {
    is_shown: bool,
    next: Instant,
}

impl Progress {
    /// Nothing is shown yet: short work needs no line.
    pub(crate) fn new() -> Self {
        Self {
            is_shown: io::stderr().is_terminal(),
            next: Instant::now() + PACE,
        }
    }

    /// How far the work is now.
    pub(crate) fn at(&mut self, state: impl fmt::Display) {
        let now = Instant::now();
        if self.is_shown && now >= self.next {
            self.next = now + PACE;
            // \r and "erase to the end of the line": a terminal for sure, as `new` has asked.
            let _ = write!(io::stderr(), "\r{state}\x1b[K");
        }
    }

    /// Clears the line, so that a message can be written there.
    pub(crate) fn pause(&self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.pause();
    }
}
