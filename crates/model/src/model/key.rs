//! Where the rows of an entity stand.

use super::{Entity, Further, Model, Predicate, TableId, Template};
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

/// What an attribute of a key holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// Text: what a template shows, or an attribute that is text.
    Text,
    /// A number that rows have for its own sake.
    Number,
}

impl Model {
    /// What an attribute holds that is a key of a table or of one of its indexes: text, unless entities store a number under
    /// that name.
    #[must_use]
    pub fn key_kind(&self, table: TableId, attribute: &str) -> KeyKind {
        let is_there = |entity: &Entity| {
            let mut layouts = entity.layouts.iter();
            entity.table == table || layouts.any(|layout| layout.table == table)
        };
        let is_number = self.stored().any(|(_, entity)| {
            let mut attributes = entity.attributes.iter();
            is_there(entity)
                && attributes.any(|known| known.stored == attribute && known.kind.is_number())
        });
        if is_number {
            KeyKind::Number
        } else {
            KeyKind::Text
        }
    }
}

/// The templates of one key of an entity.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Key {
    /// The table's own key, or an index's.
    pub place: KeyPlace,
    /// The partition key; of one of several attributes, the first.
    pub hash: Template,
    /// The sort key; of one of several attributes, the first.
    pub range: Option<Template>,
    /// The other attributes of a key of several. A condition may ask for less of the sort key than the index has.
    pub further: Further<Template>,
    /// The positions, among its templates, of attributes that rows have for their own sake: they are not written as keys, and a
    /// number stays one.
    pub own: Vec<usize>,
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
    /// All its templates: those of the partition key, then those of the sort key.
    pub fn templates(&self) -> impl Iterator<Item = &Template> {
        self.partition_templates().chain(self.sort_templates())
    }

    /// The templates of the partition key.
    pub fn partition_templates(&self) -> impl Iterator<Item = &Template> {
        std::iter::once(&self.hash).chain(&self.further.hash)
    }

    /// The templates of the sort key.
    pub fn sort_templates(&self) -> impl Iterator<Item = &Template> {
        self.range.iter().chain(&self.further.range)
    }

    /// How many attributes its partition key has.
    #[must_use]
    pub const fn partition_count(&self) -> usize {
        1 + self.further.hash.len()
    }

    /// Whether rows have the attribute at a position for its own sake, not as a key.
    #[must_use]
    pub fn is_own(&self, position: usize) -> bool {
        self.implied || self.own.contains(&position)
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
