//! What is wrong with a file.

use std::fmt;

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError {
    /// Where, if it is about one place.
    pub spot: Option<Spot>,
    /// What is there, by its names from the outside in: `models.User.id`.
    pub path: String,
    /// What is wrong, and what is wanted.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

/// A place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

impl ImportError {
    /// Something that is wrong with the file as a whole.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            spot: None,
            path: String::new(),
            message: message.into(),
            help: None,
        }
    }

    /// Something that is wrong at a place.
    pub fn at(spot: Spot, path: &str, message: impl Into<String>) -> Self {
        Self {
            spot: Some(spot),
            path: path.to_owned(),
            ..Self::new(message)
        }
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(spot) = self.spot {
            write!(f, "line {}, column {}: ", spot.line, spot.column)?;
        }
        if !self.path.is_empty() {
            write!(f, "`{}`: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ImportError {}
