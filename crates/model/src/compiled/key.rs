//! A key with its templates bound.

use super::KeyTemplate;
use crate::model::{Further, Key, KeyPlace, Predicate, Table, Template};
use crate::span::Name;

/// A key of an entity.
#[derive(Clone, Debug)]
pub struct CompiledKey {
    /// The table's own key, or an index's.
    pub place: KeyPlace,
    /// The attribute that holds the partition key.
    pub hash_attribute: String,
    /// The partition key, without the tenant's prefix.
    pub hash: KeyTemplate,
    /// The attribute that holds the sort key.
    pub range_attribute: Option<String>,
    /// The sort key.
    pub range: Option<KeyTemplate>,
    /// The other attributes of a key of several.
    pub further: Further<KeyPart>,
    /// Attributes that rows have for their own sake: they are not written as keys.
    pub own: Vec<String>,
    /// It stands there only if this holds.
    pub when: Option<Predicate>,
    /// Without the tenant's prefix.
    pub global: bool,
    /// Its attributes are written for their own sake, not as keys.
    pub implied: bool,
}

/// An attribute of a key, and its text.
#[derive(Clone, Debug)]
pub struct KeyPart {
    /// The attribute.
    pub attribute: String,
    /// What it holds.
    pub template: KeyTemplate,
}

impl CompiledKey {
    /// Binds the templates of a key of a table, or of one of its indexes.
    pub(super) fn bind(table: &Table, key: &Key, bind: impl Fn(&Template) -> KeyTemplate) -> Self {
        let part = |(name, template): (&Name, &Template)| KeyPart {
            attribute: name.value.clone(),
            template: bind(template),
        };
        let names = || {
            let partition = table.partition_attributes(key.place);
            partition.chain(table.sort_attributes(key.place))
        };
        let hash = table.partition_attributes(key.place);
        let range = table.sort_attributes(key.place);
        let mut range = range.zip(key.sort_templates()).map(part);
        let sort = range.next();
        let own = names().enumerate();
        let own = own.filter(|(position, _)| key.own.contains(position));
        Self {
            place: key.place,
            hash_attribute: names().next().map_or("", |name| &name.value).to_owned(),
            hash: bind(&key.hash),
            range_attribute: sort.as_ref().map(|sort| sort.attribute.clone()),
            range: sort.map(|sort| sort.template),
            further: Further {
                hash: hash
                    .zip(key.partition_templates())
                    .skip(1)
                    .map(part)
                    .collect(),
                range: range.collect(),
            },
            own: own.map(|(_, name)| name.value.clone()).collect(),
            when: key.when.clone(),
            global: key.global,
            implied: key.implied,
        }
    }

    /// All its templates: those of the partition key, then those of the sort key.
    pub fn templates(&self) -> impl Iterator<Item = &KeyTemplate> {
        let hash = self.further.hash.iter().map(|part| &part.template);
        let range = self.further.range.iter().map(|part| &part.template);
        let partition = std::iter::once(&self.hash).chain(hash);
        partition.chain(&self.range).chain(range)
    }

    /// The attributes of its partition key.
    pub fn partition_attributes(&self) -> impl Iterator<Item = &str> {
        let further = self.further.hash.iter().map(|part| &part.attribute);
        let all = std::iter::once(&self.hash_attribute).chain(further);
        all.map(String::as_str)
    }

    /// The attributes of its sort key.
    pub fn sort_attributes(&self) -> impl Iterator<Item = &str> {
        let further = self.further.range.iter().map(|part| &part.attribute);
        self.range_attribute
            .iter()
            .chain(further)
            .map(String::as_str)
    }

    /// The attributes that are written as the key, and not for their own sake.
    pub fn written_attributes(&self) -> impl Iterator<Item = &str> {
        let all = self.partition_attributes().chain(self.sort_attributes());
        all.filter(|name| self.writes(name))
    }

    /// Whether an attribute is written as the key, and not for its own sake.
    #[must_use]
    pub fn writes(&self, attribute: &str) -> bool {
        !self.own.iter().any(|own| own == attribute)
    }
}
