//! The keys of a table and its indexes.

use monotable_api::{Chosen, KeyRole, KeySchemaElement, TableDescription};
use std::collections::BTreeMap;

/// Which attributes are the partition key of a table, and of each of its indexes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableKeys {
    table: KeyNames,
    indexes: BTreeMap<String, KeyNames>,
}

/// The attributes of a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeyNames {
    pub(crate) partition: Vec<String>,
    pub(crate) sort: Vec<String>,
}

impl TableKeys {
    /// The keys of a table that was described.
    pub fn from_description(table: &TableDescription) -> Self {
        let global = table.global_secondary_indexes.iter().flatten();
        let global = global.map(|index| (&index.index_name, &index.key_schema));
        let local = table.local_secondary_indexes.iter().flatten();
        let local = local.map(|index| (&index.index_name, &index.key_schema));
        let indexes = global.chain(local).filter_map(|(name, schema)| {
            let name = name.clone()?;
            Some((name, KeyNames::new(schema.as_deref())))
        });
        Self {
            table: KeyNames::new(table.key_schema.as_deref()),
            indexes: indexes.collect(),
        }
    }

    /// The key of the table, or of an index.
    pub(crate) fn find(&self, index: Option<&str>) -> Option<&KeyNames> {
        match index {
            None => Some(&self.table),
            Some(name) => self.indexes.get(name),
        }
    }
}

impl KeyNames {
    fn new(schema: Option<&[KeySchemaElement]>) -> Self {
        let names = |role: KeyRole| {
            let elements = schema.unwrap_or_default().iter();
            let of_role = elements.filter(move |element| {
                element.key_type.as_ref().and_then(Chosen::known) == Some(role)
            });
            of_role
                .filter_map(|element| element.attribute_name.clone())
                .collect()
        };
        Self {
            partition: names(KeyRole::Hash),
            sort: names(KeyRole::Range),
        }
    }
}
