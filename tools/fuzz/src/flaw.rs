use std::fmt;

/// A property that does not hold of an input.
pub struct Flaw(String);

impl Flaw {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

/// What must not fail has failed.
impl<E: std::error::Error> From<E> for Flaw {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Debug for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Demands that a property holds.
pub(crate) fn demand(holds: bool, message: impl FnOnce() -> String) -> Result<(), Flaw> {
    if holds { Ok(()) } else { Err(Flaw(message())) }
}
