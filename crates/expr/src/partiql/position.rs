//! Places in a statement.

use std::fmt;

/// Where a token stands: line and column, both from 1, and its length. All count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourcePosition {
    /// The line.
    pub line: usize,
    /// The column of the first character.
    pub column: usize,
    /// How many characters the token has.
    pub length: usize,
}

impl fmt::Display for SourcePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.line, self.column, self.length)
    }
}
