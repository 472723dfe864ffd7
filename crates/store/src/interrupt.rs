//! Why an attempt at an operation ends before it has an answer.

use crate::address::Address;
use crate::error::{Error, Failure};
use crate::host::NoEntropy;

/// Why an attempt does not go on.
#[derive(Debug)]
pub(crate) enum Interrupt {
    /// What it had read has changed: the operation begins anew.
    Restart,
    /// The operation begins anew, and leaves the item at this address alone.
    RestartAvoiding(Address),
    /// The operation is refused.
    Fail(Error),
}

impl From<Error> for Interrupt {
    fn from(error: Error) -> Self {
        Self::Fail(error)
    }
}

impl From<NoEntropy> for Interrupt {
    fn from(error: NoEntropy) -> Self {
        Self::Fail(error.into())
    }
}

impl From<Failure> for Interrupt {
    fn from(failure: Failure) -> Self {
        Self::Fail(failure.into())
    }
}
