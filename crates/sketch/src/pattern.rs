//! Access patterns.

use crate::entity::Place;

/// A way in which a program reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Its name.
    pub name: String,
    /// A sentence about it.
    pub about: Option<String>,
    /// Which key it asks.
    pub place: Place,
    /// The conditions on the partition key, as templates.
    pub partition: Vec<String>,
    /// The conditions on the sort key.
    pub sort: Vec<String>,
    /// What it can meet.
    pub returns: Vec<String>,
    /// The claim that it reads through, instead of a key: `User.email`.
    pub through: Option<String>,
    /// Why it is left out: then the text has it as a comment.
    pub refused: Option<String>,
    /// What could not be said.
    pub remarks: Vec<String>,
}

impl Pattern {
    /// A pattern that asks a key.
    #[must_use]
    pub fn new(name: impl Into<String>, place: Place) -> Self {
        Self {
            name: name.into(),
            about: None,
            place,
            partition: Vec::new(),
            sort: Vec::new(),
            returns: Vec::new(),
            through: None,
            refused: None,
            remarks: Vec::new(),
        }
    }
}
