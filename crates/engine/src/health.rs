//! Whether an engine can take writes, and why not.

use crate::engine::Engine;
use std::fmt;

/// Whether an engine can take writes. It can be read from as long as it is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    /// Whether writes are taken.
    pub writable: bool,
    /// Why not; empty if they are.
    pub reasons: Vec<Impediment>,
}

/// What keeps an engine from taking writes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Impediment {
    /// A write failed, and nothing is written behind it.
    Stopped {
        /// The error of that write.
        cause: String,
    },
}

impl fmt::Display for Impediment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped { cause } => write!(
                f,
                "a write has failed and no more are taken: {cause}. Remove the cause, then start the process again"
            ),
        }
    }
}

impl Engine {
    /// Whether the engine can take writes, as far as is known. It asks nothing of the disk, which may be stuck.
    pub fn health(&self) -> Health {
        let stopped = self.core().published.stopped();
        let reasons: Vec<_> = stopped
            .map(|fault| Impediment::Stopped {
                cause: fault.to_string(),
            })
            .into_iter()
            .collect();
        Health {
            writable: reasons.is_empty(),
            reasons,
        }
    }
}
