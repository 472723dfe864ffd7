//! Kinds of rows.

use crate::attribute::Attribute;
use crate::template::Template;

/// A kind of row.
#[derive(Clone, Debug, Default)]
pub struct Entity {
    /// Its name in the model.
    pub name: String,
    /// A sentence about it.
    pub about: Option<String>,
    /// Its table, if that is not the first.
    pub table: Option<String>,
    /// Attributes with a constant value, by which rows are recognised.
    pub is: Vec<(String, String)>,
    /// Its keys: the primary one first.
    pub keys: Vec<Key>,
    /// Settings, as the model writes them: `writes = []`.
    pub settings: Vec<(String, String)>,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// Values that no two rows share.
    pub claims: Vec<Claim>,
    /// Why it is left out: then the text has it as a comment.
    pub refused: Option<String>,
    /// What could not be said.
    pub remarks: Vec<String>,
}

/// The templates of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Which key it is.
    pub place: Place,
    /// The partition key: one template, or several for an index of several attributes.
    pub partition: Vec<Template>,
    /// The sort key.
    pub sort: Vec<Template>,
}

/// Where a key is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// The table's own key.
    Primary,
    /// An index, by its name in the model.
    Index(String),
}

/// A value that no two rows share.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name.
    pub name: String,
    /// What stands on the right of the `=`, as TOML.
    pub toml: String,
    /// Whether an access pattern can read through it by the name.
    pub is_readable: bool,
}

impl Place {
    /// The key of the sections of entities and patterns.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Primary => "key",
            Self::Index(name) => name,
        }
    }
}

impl Key {
    /// A key of one or two templates.
    #[must_use]
    pub fn new(place: Place, partition: Template, sort: Option<Template>) -> Self {
        Self {
            place,
            partition: vec![partition],
            sort: sort.into_iter().collect(),
        }
    }

    /// All templates.
    pub fn templates(&self) -> impl Iterator<Item = &Template> {
        self.partition.iter().chain(&self.sort)
    }
}

impl Entity {
    /// The primary key.
    #[must_use]
    pub fn primary(&self) -> Option<&Key> {
        self.keys.iter().find(|key| key.place == Place::Primary)
    }

    /// An attribute.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name == name)
    }

    /// An attribute that is changed.
    pub fn attribute_mut(&mut self, name: &str) -> Option<&mut Attribute> {
        self.attributes
            .iter_mut()
            .find(|attribute| attribute.name == name)
    }
}
