//! What an update demands of a row that it does not read first.

use monotable_item::AttributeType;
use monotable_model::model::Kind;
use std::collections::BTreeSet;

/// How rows of an entity are changed without being read first. A row that is not what is expected of it is read after all,
/// and its change takes the usual way: so everything that is refused is refused there.
#[derive(Clone, Debug)]
pub(crate) struct BlindUpdate {
    /// The attributes that can be changed so, by their names in the model: nothing of the model depends on what they were.
    pub(crate) changeable: BTreeSet<String>,
    /// Attributes that become the time of the write: as they are stored, and their kinds.
    pub(crate) touched: Vec<(String, Kind)>,
    /// What is expected of every row. One from before a default or an index gets it with its next change.
    pub(crate) expectations: Vec<Expectation>,
    /// What is expected beside that of rows which another program may have written: a row that lacks something, or that
    /// contradicts its key, is refused.
    pub(crate) of_foreign_rows: Vec<Expectation>,
}

/// What is expected of an attribute, by the name under which it is stored.
#[derive(Clone, Debug)]
pub(crate) enum Expectation {
    /// It is this text, which tells the entity.
    Text { stored: String, text: String },
    /// It is what the caller names the row by.
    OfKey { stored: String, name: String },
    /// It is there, with a value of this type.
    Typed { stored: String, of: AttributeType },
    /// It is not there.
    Absent { stored: String },
}

impl Expectation {
    /// The attribute.
    pub(crate) fn stored(&self) -> &str {
        match self {
            Self::Text { stored, .. }
            | Self::OfKey { stored, .. }
            | Self::Typed { stored, .. }
            | Self::Absent { stored } => stored,
        }
    }
}
