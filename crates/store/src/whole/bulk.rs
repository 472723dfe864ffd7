//! Items in and out as they are stored: a line of DynamoDB's JSON each.
//!
//! Loading writes what it is given, without the model's conditions: it is for items that were checked when they were
//! first written, or that `verify` will look at. An item with a key that is there replaces what is there.

use crate::address;
use crate::error::Error;
use crate::request;
use crate::secrets::remove_secrets;
use crate::store::Store;
use crate::store_item::{Adopted, read_adopted, read_templates};
use futures_util::stream::{self, StreamExt};
use monotable_item::{EncodedItem, Item, limits};
use monotable_model::model::TableId;
use serde::{Deserialize, Serialize};
use std::io::{BufRead, Write};

/// What a load did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadReport {
    /// Items that were written.
    pub items: u64,
}

/// An item of a backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackedUpItem {
    /// The item.
    pub item: Item,
    /// Whether it is the store's own.
    pub is_own: bool,
}

/// A line: the table, by its name in the model, and the item.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    table: String,
    item: EncodedItem,
}

/// How many batches are under way at once.
const PARALLEL: usize = 8;

impl Store {
    /// Writes every item of the model's tables, a line each, and says how many; the store's own item is not counted.
    pub async fn backup(&self, to: &mut (impl Write + Send)) -> Result<u64, Error> {
        let io =
            |error: std::io::Error| Error::usage(format!("the backup cannot be written: {error}"));
        let mut count = 0;
        for id in self.model().stored_tables() {
            let table = self.model().table(id).name.value.clone();
            self.scan(id, |item| {
                let BackedUpItem { item, is_own } = self.prepare_backup(id, item);
                count += u64::from(!is_own);
                let line = Line {
                    table: table.clone(),
                    item: EncodedItem::from(&item),
                };
                let text = serde_json::to_string(&line).map_err(|error| io(error.into()))?;
                writeln!(to, "{text}").map_err(io)
            })
            .await?;
        }
        to.flush().map_err(io)?;
        Ok(count)
    }

    /// An item as a backup has it: the store's own tells no secret.
    #[must_use]
    pub fn prepare_backup(&self, table: TableId, item: Item) -> BackedUpItem {
        let mut item = item;
        let is_own = self.is_own_item(table, &item);
        if is_own {
            // A copy of the rows says what they were written with, and does not tell the secret.
            remove_secrets(&mut item);
        }
        BackedUpItem { item, is_own }
    }

    /// Writes items of a backup as they are. The store keeps its own item, and adds what the rows were written with.
    pub async fn restore_items(
        &self,
        table: TableId,
        items: Vec<Item>,
    ) -> Result<LoadReport, Error> {
        let mut others = Vec::new();
        for item in items {
            if self.is_own_item(table, &item) {
                self.record_templates(read_templates(&item)).await?;
                if !read_adopted(&item) {
                    self.set_adopted(Adopted::No).await?;
                }
            } else {
                others.push((table, item));
            }
        }
        self.load(others).await
    }

    /// Whether an item is the store's own.
    pub fn is_own_item(&self, table: TableId, item: &Item) -> bool {
        let address = self
            .scope_of_whole_tables()
            .addressing()
            .locate_item(table, item);
        address.is_some_and(|address| address::is_store(address.partition_key()))
    }

    /// Reads lines of a backup and loads their items. The store keeps its own item, and adds what the rows were written
    /// with.
    pub async fn restore(&self, from: impl BufRead) -> Result<LoadReport, Error> {
        let mut loaded = LoadReport::default();
        let mut batch = Vec::new();
        let mut is_adopted = false;
        for (number, line) in from.lines().enumerate() {
            let read = self.read_line(line).map_err(|error| {
                Error::usage(format!(
                    "line {}: {error}; lines before it are loaded",
                    number + 1
                ))
            })?;
            let Some((table, item)) = read else {
                continue;
            };
            if self.is_own_item(table, &item) {
                is_adopted = read_adopted(&item);
                self.record_templates(read_templates(&item)).await?;
                continue;
            }
            batch.push((table, item));
            if batch.len() == PARALLEL * limits::MAX_BATCH_WRITE {
                loaded.items += self.load(std::mem::take(&mut batch)).await?.items;
            }
        }
        loaded.items += self.load(batch).await?.items;
        if !is_adopted && loaded.items > 0 {
            // The rows may be those of a store that was not adopted.
            self.set_adopted(Adopted::No).await?;
        }
        Ok(loaded)
    }

    /// Reads lines of a backup as [`Store::restore`] does, says how many items they are, and writes nothing.
    pub fn plan_restore(&self, from: impl BufRead) -> Result<LoadReport, Error> {
        let scope = self.scope_of_whole_tables();
        let mut addresses = std::collections::BTreeSet::new();
        for (number, line) in from.lines().enumerate() {
            let wrong = |error: String| Error::usage(format!("line {}: {error}", number + 1));
            let Some((table, item)) = self.read_line(line).map_err(wrong)? else {
                continue;
            };
            if self.is_own_item(table, &item) {
                continue;
            }
            let address = scope.addressing().locate_item(table, &item);
            let lacks_key = || wrong("the item lacks its key as text".to_owned());
            addresses.insert(address.ok_or_else(lacks_key)?);
        }
        let items = addresses.len() as u64;
        Ok(LoadReport { items })
    }

    /// The table and the item of a line; none of an empty one.
    fn read_line(&self, line: std::io::Result<String>) -> Result<Option<(TableId, Item)>, String> {
        let text = line.map_err(|error| error.to_string())?;
        if text.trim().is_empty() {
            return Ok(None);
        }
        let line: Line = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let mut known = self.model().stored_tables().into_iter();
        let table = known
            .find(|id| self.model().table(*id).name.value == line.table)
            .ok_or_else(|| format!("the model has no table `{}`", line.table))?;
        Ok(Some((table, line.item.to_item())))
    }

    /// Writes items as they are, 25 at a time, and again what DynamoDB left unprocessed. Of two items with the same key
    /// the last one stays.
    pub async fn load(&self, items: Vec<(TableId, Item)>) -> Result<LoadReport, Error> {
        let scope = self.scope_of_whole_tables();
        let mut distinct = std::collections::BTreeMap::new();
        for (table, item) in items {
            let address = scope.addressing().locate_item(table, &item);
            let address = address.ok_or_else(|| {
                let table = self.model().table(table);
                Error::usage(format!(
                    "an item for `{}` lacks its key as text",
                    table.physical
                ))
            })?;
            distinct.insert(address, item);
        }
        let count = distinct.len() as u64;
        let writes = distinct.into_iter();
        let mut writes: Vec<_> = writes
            .map(|(address, item)| (address, EncodedItem::from(item)))
            .collect();
        let mut requests = Vec::new();
        while !writes.is_empty() {
            let rest = writes.split_off(writes.len().min(limits::MAX_BATCH_WRITE));
            requests.push(request::batch_put(self.model(), writes).into_request());
            writes = rest;
        }
        let mut answers = stream::iter(requests)
            .map(|request| self.executor.answer(request))
            .buffer_unordered(PARALLEL);
        while let Some(answer) = answers.next().await {
            answer.result.map_err(Error::service)?;
        }
        Ok(LoadReport { items: count })
    }
}
