//! What clients did and saw, written down while they did it.

use std::fmt;

/// One list that is appended to.
pub type Key = u32;

/// One value that is appended, once in a history.
pub type Value = u64;

/// All operations of one run, in any order.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The operations.
    pub operations: Vec<Operation>,
}

/// One request, with its answer. All its steps take effect at one moment between start and end, or none does.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Who asked.
    pub client: u32,
    /// When it was sent; the clock is one for all clients.
    pub start: u64,
    /// When its answer came. Without one it may take effect at any later time.
    pub end: Option<u64>,
    /// What the answer said.
    pub outcome: Outcome,
    /// What it did.
    pub steps: Vec<Step>,
}

/// What is known about an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was acknowledged.
    Committed,
    /// It was refused: nothing of it may ever be seen.
    Aborted,
    /// There is no answer: it took effect, or it did not, or it will.
    Unknown,
}

/// One thing that an operation did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Added values to the end of a list, all at once.
    Append {
        /// The list.
        key: Key,
        /// The values, in their order.
        values: Vec<Value>,
    },
    /// Saw a whole list.
    Read {
        /// The list.
        key: Key,
        /// The values, in their order; none of a list that is not there.
        values: Vec<Value>,
    },
}

impl Operation {
    /// The lists that it saw.
    pub fn reads(&self) -> impl Iterator<Item = (Key, &[Value])> {
        self.steps.iter().filter_map(|step| match step {
            Step::Read { key, values } => Some((*key, values.as_slice())),
            Step::Append { .. } => None,
        })
    }

    /// The lists that it added to.
    pub fn appends(&self) -> impl Iterator<Item = (Key, &[Value])> {
        self.steps.iter().filter_map(|step| match step {
            Step::Append { key, values } => Some((*key, values.as_slice())),
            Step::Read { .. } => None,
        })
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "client {} at {}", self.client, self.start)?;
        if let Some(end) = self.end {
            write!(f, "..{end}")?;
        }
        write!(f, " {:?}:", self.outcome)?;
        for step in &self.steps {
            match step {
                Step::Append { key, values } => write!(f, " append {key} {values:?}")?,
                Step::Read { key, values } => write!(f, " read {key} {values:?}")?,
            }
        }
        Ok(())
    }
}
