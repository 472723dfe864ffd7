//! Keys with places for values.

use crate::model::{
    Field, Further, Index, Key, KeyKind, KeyPlace, Model, Part, Source, TableId, Template,
};
use serde::{Deserialize, Serialize};

/// The table's own key, or that of an index, and its names in DynamoDB.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyTarget {
    /// The table in the model.
    pub table: TableId,
    /// The table's own key, or an index's.
    pub place: KeyPlace,
    /// `TableName`.
    pub table_name: String,
    /// `IndexName`.
    pub index_name: Option<String>,
    /// The attribute that holds the partition key.
    pub partition_attribute: String,
    /// The attribute that holds the sort key.
    pub sort_attribute: Option<String>,
    /// The other attributes of a key of several.
    pub further: Further<String>,
    /// Those of its attributes that are numbers which rows have anyway.
    pub numbers: Vec<String>,
    /// Without the tenant's prefix.
    pub shared: bool,
}

/// A key of a row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeyText {
    /// Where it stands.
    pub at: KeyTarget,
    /// The partition key, without the tenant's prefix.
    pub partition: Vec<Part>,
    /// The sort key.
    pub sort: Option<Vec<Part>>,
    /// The other attributes of a key of several.
    pub further: Further<Vec<Part>>,
}

impl KeyTarget {
    /// A key of a table or of one of its indexes.
    pub(crate) fn new(model: &Model, table: TableId, key: &Key) -> Self {
        let declared = model.table(table);
        let index = declared.index_at(key.place);
        let (partition, sort) = index.map_or((&declared.hash, &declared.range), |index| {
            (&index.hash, &index.range)
        });
        let own = index.into_iter().flat_map(Index::attributes);
        let numbers = own.filter(|name| model.key_kind(table, &name.value) == KeyKind::Number);
        Self {
            table,
            place: key.place,
            table_name: declared.physical.clone(),
            index_name: index.map(|index| index.physical.clone()),
            partition_attribute: partition.value.clone(),
            sort_attribute: sort.as_ref().map(|name| name.value.clone()),
            further: index.map_or_else(Further::none, |index| {
                index.further.map(|name| name.value.clone())
            }),
            numbers: numbers.map(|name| name.value.clone()).collect(),
            shared: key.global,
        }
    }

    /// The position of the index; none for the table's own key.
    #[must_use]
    pub const fn index(&self) -> Option<usize> {
        match self.place {
            KeyPlace::Primary => None,
            KeyPlace::Index(position) => Some(position),
        }
    }

    /// The attributes that hold the partition key.
    pub fn partition_attributes(&self) -> impl Iterator<Item = &str> {
        let all = std::iter::once(&self.partition_attribute).chain(&self.further.hash);
        all.map(String::as_str)
    }

    /// The attributes that hold the sort key.
    pub fn sort_attributes(&self) -> impl Iterator<Item = &str> {
        let all = self.sort_attribute.iter().chain(&self.further.range);
        all.map(String::as_str)
    }

    /// Whether an attribute of the key is a number that rows have anyway.
    #[must_use]
    pub fn is_number(&self, attribute: &str) -> bool {
        self.numbers.iter().any(|number| number == attribute)
    }
}

impl KeyText {
    /// A key as an entity or a guard declares it.
    pub(crate) fn new(model: &Model, table: TableId, key: &Key) -> Self {
        Self {
            at: KeyTarget::new(model, table, key),
            partition: key.hash.parts.clone(),
            sort: key.range.as_ref().map(|range| range.parts.clone()),
            further: key.further.map(|template| template.parts.clone()),
        }
    }

    /// The key condition of the whole partition, without its sort key.
    #[must_use]
    pub(crate) fn without_sort(self) -> Self {
        let hash = self.further.hash;
        Self {
            sort: None,
            further: Further {
                hash,
                range: Vec::new(),
            },
            ..self
        }
    }

    /// Its parts: those of the partition key, then those of the sort key.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        self.partition_parts().chain(self.sort_texts().flatten())
    }

    /// The parts of the whole partition key.
    pub fn partition_parts(&self) -> impl Iterator<Item = &Part> {
        let further = self.further.hash.iter().flatten();
        self.partition.iter().chain(further)
    }

    /// The texts of the sort key, one for each attribute.
    pub fn sort_texts(&self) -> impl Iterator<Item = &Vec<Part>> {
        self.sort.iter().chain(&self.further.range)
    }

    /// Whether it shows an attribute.
    #[must_use]
    pub fn uses(&self, attribute: &str) -> bool {
        uses(self.parts(), attribute)
    }
}

/// Whether parts of a template show an attribute.
pub fn uses<'p>(parts: impl IntoIterator<Item = &'p Part>, attribute: &str) -> bool {
    let mut names = fields(parts).flat_map(Field::attributes);
    names.any(|name| name.value == attribute)
}

/// The fields among parts.
pub(crate) fn fields<'p>(
    parts: impl IntoIterator<Item = &'p Part>,
) -> impl Iterator<Item = &'p Field> {
    parts.into_iter().filter_map(|part| match part {
        Part::Field(field) => Some(field),
        Part::Literal(_) => None,
    })
}

/// Whether a part can be shown when only some attributes are known. What stands for an absent value does not stand for one
/// that is not known, so the first source decides.
pub fn is_known(part: &Part, known: impl Fn(&str) -> bool) -> bool {
    let Part::Field(field) = part else {
        return true;
    };
    match field.sources.first() {
        Some(Source::Path {
            root: None, names, ..
        }) => names.first().is_some_and(|name| known(&name.value)),
        _ => true,
    }
}

/// The parts at the beginning that can be shown when only some attributes are known.
pub fn known_parts(parts: &[Part], known: impl Fn(&str) -> bool) -> &[Part] {
    let shown = parts.iter().take_while(|part| is_known(part, &known));
    parts.get(..shown.count()).unwrap_or_default()
}

/// Whether a template is nothing but one value.
pub(crate) const fn is_one_value(template: &Template) -> bool {
    matches!(template.parts.as_slice(), [Part::Field(_)])
}
