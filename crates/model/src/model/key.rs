//! Where the rows of an entity stand.

use super::{Predicate, TableId, Template};
use crate::span::{Name, Span};
use serde::{Deserialize, Serialize};

/// A primary key, or a key in an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum KeyPlace {
    /// The table's own key.
    Primary,
    /// The key in this index of the table.
    Index(usize),
}

/// The templates of one key of an entity.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Key {
    /// The table's own key, or an index's.
    pub place: KeyPlace,
    /// The partition key.
    pub hash: Template,
    /// The sort key.
    pub range: Option<Template>,
    /// It stands there only if this holds.
    pub when: Option<Predicate>,
    /// Without the tenant's prefix.
    pub global: bool,
    /// Not written in the entity: it follows from attributes the index is on.
    pub implied: bool,
    /// Where it is written.
    #[serde(skip)]
    pub span: Span,
}

impl Key {
    /// Partition and sort key.
    pub fn templates(&self) -> impl Iterator<Item = &Template> {
        std::iter::once(&self.hash).chain(&self.range)
    }
}

/// Other keys under which rows of an entity are read, and written if the model chooses them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Layout {
    /// Its name.
    pub name: Name,
    /// The table of these rows.
    pub table: TableId,
    /// All keys, those of the entity where the layout has none of its own.
    pub keys: Vec<Key>,
}

impl Layout {
    /// The name of the keys that an entity declares, where the model writes another layout.
    pub const DECLARED: &str = "default";
}
