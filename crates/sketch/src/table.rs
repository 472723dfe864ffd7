//! Tables and their indexes.

/// A table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Its name in the model.
    pub name: String,
    /// Its name in DynamoDB, if that is another.
    pub stored: Option<String>,
    /// The attribute of the partition key.
    pub partition: String,
    /// The attribute of the sort key.
    pub sort: Option<String>,
    /// The indexes.
    pub indexes: Vec<Index>,
    /// Settings, as the model writes them: `ttl = "expiresAt"`.
    pub settings: Vec<Setting>,
    /// What could not be said.
    pub remarks: Vec<String>,
}

/// A key of a section and its value, as TOML.
pub type Setting = (String, String);

/// An index.
#[derive(Clone, Debug)]
pub struct Index {
    /// Its name in the model.
    pub name: String,
    /// Its name in DynamoDB, if that is another.
    pub stored: Option<String>,
    /// The attributes of its partition key.
    pub partition: Vec<String>,
    /// The attributes of its sort key.
    pub sort: Vec<String>,
    /// What is copied.
    pub projection: Projection,
    /// Which rows it has.
    pub reach: Reach,
    /// What could not be said.
    pub remarks: Vec<String>,
}

/// What an index copies of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Projection {
    /// Everything.
    #[default]
    All,
    /// Keys alone.
    Keys,
    /// Keys and these attributes.
    Some(Vec<String>),
}

/// Which rows an index can have in one partition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Any.
    #[default]
    Global,
    /// Those of one partition of the table.
    Local,
}

impl Table {
    /// Every attribute of a key, of the table and of its indexes.
    pub fn key_attributes(&self) -> impl Iterator<Item = &str> {
        let own = std::iter::once(&self.partition).chain(&self.sort);
        let indexes = self.indexes.iter();
        own.chain(indexes.flat_map(|index| index.partition.iter().chain(&index.sort)))
            .map(String::as_str)
    }

    /// Adds a setting.
    pub fn set(&mut self, key: &str, toml: impl Into<String>) {
        self.settings.push((key.to_owned(), toml.into()));
    }
}
