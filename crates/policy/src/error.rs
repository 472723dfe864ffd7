//! Why a policy is not understood.

use std::fmt;

/// Why a policy is not understood, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyError {
    policy: String,
    place: String,
    problem: String,
}

impl PolicyError {
    pub(crate) fn new(place: &str, problem: impl Into<String>) -> Self {
        Self {
            policy: String::new(),
            place: place.to_owned(),
            problem: problem.into(),
        }
    }

    pub(crate) fn of(mut self, policy: &str) -> Self {
        policy.clone_into(&mut self.policy);
        self
    }

    /// Where in the document: `Statement[1].Condition.Bool`. Empty for the document as a whole.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What is wrong there.
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "policy {}", self.policy)?;
        if !self.place.is_empty() {
            write!(f, ", {}", self.place)?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for PolicyError {}
