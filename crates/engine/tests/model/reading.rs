//! Query and Scan in the model: everything is looked at, and sorted.

use crate::concrete::{Partition, Read, Sort};
use crate::condition::{accepts, compare};
use crate::database::{Database, Table, key_parts};
use crate::operation::SelectPick;
use crate::outcome::{Failure, Outcome, sorted};
use crate::path::project;
use crate::schema::IndexSchema;
use crate::value::{KeyPart, Kind};
use monotable_item::{AttributeValue, Item};

impl Table {
    /// The items that are in an index, in its order: the sort key, then the table's key.
    fn members(&self, index: Option<&IndexSchema>) -> Vec<&Item> {
        let Some(index) = index else {
            return self.items.values().collect();
        };
        let keyed = self.items.iter().filter_map(|(place, item)| {
            key_parts(index.keys(), item)?;
            let range = key_parts(index.range.into_iter(), item)?;
            Some(((range, place), item))
        });
        let mut keyed: Vec<_> = keyed.collect();
        keyed.sort_by(|(left, _), (right, _)| left.cmp(right));
        keyed.into_iter().map(|(_, item)| item).collect()
    }

    /// What an index holds of an item.
    pub fn entry(&self, index: &IndexSchema, item: &Item) -> Item {
        let held = |(name, _): &(String, AttributeValue)| index.holds(&self.schema, name);
        item.clone().into_iter().filter(held).collect()
    }

    /// Every entry of an index, in no order.
    pub fn entries(&self, index: &IndexSchema) -> Vec<Item> {
        let members = self.members(Some(index)).into_iter();
        sorted(members.map(|item| self.entry(index, item)).collect())
    }

    /// The answer for these items.
    fn select(&self, read: &Read, items: Vec<&Item>) -> Result<Outcome, Failure> {
        if let Some(index) = &read.index {
            self.check_index_read(read, index)?;
        }
        let scanned = items.len() as u64;
        let kept: Vec<Item> = items
            .into_iter()
            .filter(|item| self.passes(read, item))
            .map(|item| self.shaped(read, item))
            .collect();
        Ok(Outcome::Read {
            count: kept.len() as u64,
            scanned,
            items: (!matches!(read.select, SelectPick::Count)).then_some(kept),
        })
    }

    fn check_index_read(&self, read: &Read, index: &IndexSchema) -> Result<(), Failure> {
        if index.local {
            return Ok(());
        }
        let lacks = match &read.select {
            SelectPick::All => !index.holds_all(),
            SelectPick::Specific(paths) => paths
                .iter()
                .any(|path| !index.holds(&self.schema, path.attribute)),
            SelectPick::Default | SelectPick::Count | SelectPick::Projected => false,
        };
        if lacks || read.consistent {
            Err(Failure::invalid())
        } else {
            Ok(())
        }
    }

    /// A filter sees what the index holds; a local index fetches what the filter asks for.
    fn passes(&self, read: &Read, item: &Item) -> bool {
        let Some(filter) = &read.filter else {
            return true;
        };
        match &read.index {
            Some(index) if !index.local => filter.holds(&self.entry(index, item)),
            _ => filter.holds(item),
        }
    }

    fn shaped(&self, read: &Read, item: &Item) -> Item {
        match (&read.select, &read.index) {
            (SelectPick::Specific(paths), _) => project(paths, item),
            (SelectPick::All, _) | (_, None) => item.clone(),
            (_, Some(index)) => self.entry(index, item),
        }
    }
}

impl Database {
    /// What is wrong with a read whatever the table is.
    fn check_read(read: &Read) -> Result<(), Failure> {
        match (&read.select, &read.index) {
            (SelectPick::Projected, None) => Err(Failure::invalid()),
            _ => Ok(()),
        }
    }

    pub fn scan(&self, read: &Read) -> Result<Outcome, Failure> {
        Self::check_read(read)?;
        let table = self.table(read.table)?;
        let outcome = table.select(read, table.members(read.index.as_ref()))?;
        Ok(match outcome {
            Outcome::Read {
                items,
                count,
                scanned,
            } => Outcome::Read {
                items: items.map(sorted),
                count,
                scanned,
            },
            other => other,
        })
    }

    pub fn query(&self, read: &Read, partition: &Partition) -> Result<Outcome, Failure> {
        Self::check_read(read)?;
        if let Some((_, sort)) = &partition.sort {
            check_sort(sort)?;
        }
        let table = self.table(read.table)?;
        let keys: Vec<(&str, Kind)> = match &read.index {
            Some(index) => index.keys().collect(),
            None => table.schema.keys().collect(),
        };
        let filtered = read.filter.iter().flat_map(|filter| filter.attributes());
        if filtered
            .into_iter()
            .any(|name| keys.iter().any(|key| key.0 == name))
        {
            return Err(Failure::invalid());
        }
        if partition
            .start
            .as_ref()
            .is_some_and(|start| partition.finds_one_item || !partition.contains(start))
        {
            return Err(Failure::invalid());
        }
        let members = table.members(read.index.as_ref()).into_iter();
        let mut items: Vec<&Item> = members.filter(|item| partition.contains(item)).collect();
        if partition.backward {
            items.reverse();
        }
        let after_start = |item: &&Item| partition.is_after_start(table, item);
        table.select(read, items.into_iter().filter(after_start).collect())
    }
}

fn check_sort(sort: &Sort) -> Result<(), Failure> {
    let fits = match sort {
        Sort::Between(low, high) => compare(low, high).is_some_and(|order| order.is_le()),
        Sort::BeginsWith(value) => !matches!(value, AttributeValue::N(_)),
        Sort::Equal(_) | Sort::Order(..) => true,
    };
    if fits {
        Ok(())
    } else {
        Err(Failure::invalid())
    }
}

impl Partition {
    fn contains(&self, item: &Item) -> bool {
        item.get(self.hash.0) == Some(&self.hash.1)
            && self.sort.as_ref().is_none_or(|(name, sort)| {
                let value = item.get(name);
                value.is_some_and(|value| sort.holds(value))
            })
    }

    fn is_after_start(&self, table: &Table, item: &Item) -> bool {
        let Some(start) = &self.start else {
            return true;
        };
        let place = |item: &Item| -> Option<Vec<KeyPart>> { key_parts(table.schema.keys(), item) };
        let order = place(item).cmp(&place(start));
        if self.backward {
            order.is_lt()
        } else {
            order.is_gt()
        }
    }
}

impl Sort {
    fn holds(&self, value: &AttributeValue) -> bool {
        let order = |other: &AttributeValue| compare(value, other);
        match self {
            Self::Equal(other) => value == other,
            Self::Order(operator, other) => {
                order(other).is_some_and(|order| accepts(operator, order))
            }
            Self::Between(low, high) => {
                order(low).is_some_and(|order| order.is_ge())
                    && order(high).is_some_and(|order| order.is_le())
            }
            Self::BeginsWith(prefix) => match (value, prefix) {
                (AttributeValue::S(text), AttributeValue::S(prefix)) => text.starts_with(prefix),
                (AttributeValue::B(bytes), AttributeValue::B(prefix)) => bytes.starts_with(prefix),
                _ => false,
            },
        }
    }
}
