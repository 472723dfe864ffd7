//! Items of a table.

use crate::grouping::Group;
use crate::guess::is_generic;
use crate::rendering::render;
use crate::separator;
use crate::word::{Word, split};
use monotable_item::{AttributeValue, Item};
use monotable_sketch::{Table, Tenant};

/// Partition keys of the store's own items begin so.
const OWN: &str = "monotable#";

/// Items of a table, and what the table is.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The table with its indexes.
    pub table: Table,
    /// Items of it.
    pub items: Vec<Item>,
}

impl Sample {
    /// Leaves out the items that belong to the store itself: no model has them.
    pub fn remove_own_items(&mut self) {
        let Self { table, items } = self;
        items.retain(|item| !is_own(item, table));
    }

    /// How many items have a key that is no text. The language has no such keys, so no entity is found in them.
    #[must_use]
    pub fn count_strange_keys(&self) -> usize {
        let strange = self.items.iter().filter(|item| !self.has_text_key(item));
        strange.count()
    }

    /// Whether both parts of an item's key are texts.
    #[must_use]
    pub fn has_text_key(&self, item: &Item) -> bool {
        let mut names = std::iter::once(&self.table.partition).chain(&self.table.sort);
        names.all(|name| text(item, name).is_some())
    }
}

/// Whether an item belongs to the store itself.
fn is_own(item: &Item, table: &Table) -> bool {
    text(item, &table.partition).is_some_and(|key| key.starts_with(OWN))
}

/// A sample whose keys were read.
#[derive(Debug)]
pub(crate) struct ReadSample<'s> {
    pub(crate) table: &'s Table,
    /// Every attribute of a key, of the table and of its indexes, once each.
    pub(crate) key_attributes: Vec<&'s str>,
    pub(crate) separator: char,
    pub(crate) rows: Vec<Row<'s>>,
}

/// An item whose keys were read.
#[derive(Debug)]
pub(crate) struct Row<'s> {
    /// Its position in the sample.
    pub(crate) position: usize,
    pub(crate) item: &'s Item,
    /// The words of each key attribute, in the order of `ReadSample::key_attributes`; none if it is absent or no text.
    pub(crate) keys: Vec<Option<Vec<Word>>>,
}

pub(crate) fn prepare<'s>(sample: &'s Sample, tenant: Option<&Tenant>) -> ReadSample<'s> {
    let table = &sample.table;
    let mut key_attributes: Vec<&str> = Vec::new();
    for name in table.key_attributes() {
        if !key_attributes.contains(&name) {
            key_attributes.push(name);
        }
    }
    let partitions: Vec<&str> = std::iter::once(&table.partition)
        .chain(
            table
                .indexes
                .iter()
                .filter_map(|index| index.partition.first()),
        )
        .map(String::as_str)
        .collect();
    let primary: Vec<&str> = std::iter::once(&table.partition)
        .chain(&table.sort)
        .map(String::as_str)
        .collect();
    let separator = separator::find(&sample.items, &primary, &key_attributes);
    // An index may be on attributes of rows, which show in other keys as any attribute does.
    let made: Vec<&str> = key_attributes
        .iter()
        .copied()
        .filter(|name| is_generic(name))
        .collect();
    let rows = sample
        .items
        .iter()
        .enumerate()
        .filter_map(|(position, item)| {
            if is_own(item, table) {
                return None;
            }
            let renderings = render(item, &made);
            let keys = key_attributes.iter().map(|name| {
                let mut text = text(item, name)?;
                if let Some(tenant) = tenant
                    && partitions.contains(name)
                {
                    text = without_prefix(text, tenant);
                }
                Some(split(text, separator, &renderings))
            });
            Some(Row {
                position,
                keys: keys.collect(),
                item,
            })
        });
    ReadSample {
        table,
        separator,
        rows: rows.collect(),
        key_attributes,
    }
}

/// A partition key without the prefix of its tenant.
pub(crate) fn without_prefix<'t>(text: &'t str, tenant: &Tenant) -> &'t str {
    let split = text.split_once(tenant.separator.as_str());
    match split {
        Some((prefix, rest)) if is_prefix(prefix) => rest,
        _ => text,
    }
}

/// Whether text can be the id of a tenant.
pub(crate) fn is_prefix(text: &str) -> bool {
    let is_id = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    (1..=64).contains(&text.len()) && text.chars().all(is_id)
}

/// An attribute that is text.
pub(crate) fn text<'i>(item: &'i Item, name: &str) -> Option<&'i str> {
    match item.get(name) {
        Some(AttributeValue::S(text)) => Some(text),
        _ => None,
    }
}

impl<'s> ReadSample<'s> {
    /// The place of a key attribute.
    pub(crate) fn slot(&self, name: &str) -> Option<usize> {
        self.key_attributes.iter().position(|known| *known == name)
    }

    /// The words of a key attribute of a row.
    pub(crate) fn words(&self, row: usize, name: &str) -> Option<&[Word]> {
        let slot = self.slot(name)?;
        self.rows.get(row)?.keys.get(slot)?.as_deref()
    }

    /// The rows of a group.
    pub(crate) fn rows_of<'g>(&'g self, group: &'g Group) -> impl Iterator<Item = &'g Row<'s>> {
        group.rows.iter().filter_map(|row| self.rows.get(*row))
    }

    /// The positions of a group's items in the sample.
    pub(crate) fn positions(&self, group: &Group) -> Vec<usize> {
        self.rows_of(group).map(|row| row.position).collect()
    }
}
