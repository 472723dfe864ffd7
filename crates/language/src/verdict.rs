//! The three answers to a question about languages.

use super::pattern::Assignment;

/// The answer to a question that asks for a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<T> {
    /// It holds for every word.
    Proven,
    /// It does not hold: here is a checked counterexample.
    Refuted(T),
    /// Neither a proof nor a counterexample was found, for this reason.
    NotProven(String),
}

impl<T> Verdict<T> {
    /// Is it proven?
    #[must_use]
    pub fn is_proven(&self) -> bool {
        matches!(self, Verdict::Proven)
    }

    /// Is there a counterexample?
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        matches!(self, Verdict::Refuted(_))
    }

    /// The counterexample, if there is one.
    #[must_use]
    pub fn refutation(&self) -> Option<&T> {
        match self {
            Verdict::Refuted(witness) => Some(witness),
            _ => None,
        }
    }
}

/// Two assignments that render the same texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// Values of the left side's variables.
    pub left: Assignment,
    /// Values of the right side's variables.
    pub right: Assignment,
    /// The common text of each pattern, in order.
    pub texts: Vec<String>,
}
