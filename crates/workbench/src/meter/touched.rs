//! The partitions that a request uses, as far as it says so itself: an index that an update or a delete changes is not known from
//! the request, and a scan uses all partitions.

use super::key_names::{KeyNames, KnownTables, TableKeys};
use crate::ledger::{Deed, WrittenItem, cut_text};
use crate::value::show_value;
use monotable_api::{QueryInput, Request};
use monotable_item::{EncodedItem, GivenItem, ItemView, ValueView};
use std::sync::Arc;

/// A partition that a request uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TouchedPartition {
    /// The table, or the table and the index: `Yggdrasil/GSI1`.
    pub(super) of: Arc<str>,
    pub(super) key: String,
}

/// What a request does with one item.
struct Access<'r> {
    table: &'r str,
    item: &'r EncodedItem,
    /// None for a read, and for a condition on an item.
    deed: Option<Deed>,
}

/// What a request uses.
#[derive(Debug, Default)]
pub(super) struct Usage {
    /// The partitions that it reads and writes.
    pub(super) touched: Vec<TouchedPartition>,
    /// The items that it writes.
    pub(super) written: Vec<WrittenItem>,
}

impl Usage {
    /// What a request uses, as far as it says so itself.
    pub(super) fn of_request(tables: &KnownTables, request: &Request) -> Self {
        let mut usage = Self::default();
        if let Request::Query(input) = request {
            usage.touched.extend(read_query(tables, input));
        }
        for access in list_accesses(request) {
            if let Some(keys) = tables.find(access.table) {
                usage.add(&keys, &access);
            }
        }
        usage
    }

    fn add(&mut self, keys: &TableKeys, access: &Access<'_>) {
        let item = access.item.view();
        let Some(partition) = write_key(&keys.own.partition, item) else {
            return;
        };
        if let Some(deed) = access.deed {
            self.written.push(WrittenItem {
                table: Arc::clone(&keys.own.of),
                partition: cut_text(&partition),
                sort: write_key(&keys.own.sort, item).map(|sort| cut_text(&sort)),
                deed,
            });
        }
        self.touched.push(TouchedPartition {
            of: Arc::clone(&keys.own.of),
            key: partition,
        });
        if access.deed == Some(Deed::Put) {
            let indexes = keys.indexes.values();
            self.touched.extend(indexes.filter_map(|names| {
                let key = write_key(&names.partition, item)?;
                let of = Arc::clone(&names.of);
                Some(TouchedPartition { of, key })
            }));
        }
    }
}

/// The attributes of a key as one text; none if one is missing, or if the key has no attributes.
fn write_key(names: &[String], item: ItemView<'_>) -> Option<String> {
    let (first, further) = names.split_first()?;
    let mut key = write_value(item.get(first)?);
    for name in further {
        key.push_str(crate::census::KEY_SEPARATOR);
        key.push_str(&write_value(item.get(name)?));
    }
    Some(key)
}

fn write_value(value: ValueView<'_>) -> String {
    match value {
        ValueView::S(text) => text.to_owned(),
        other => show_value(&other.to_value()),
    }
}

fn read_query(tables: &KnownTables, input: &QueryInput) -> Option<TouchedPartition> {
    let table = input.table_name.as_deref()?;
    let keys = tables.find(table)?;
    let names: &KeyNames = match &input.index_name {
        None => &keys.own,
        Some(index) => keys.indexes.get(index)?,
    };
    let query = input.clone().validate().ok()?;
    let partition: Vec<&str> = names.partition.iter().map(String::as_str).collect();
    let sort: Vec<&str> = names.sort.iter().map(String::as_str).collect();
    let range = query.key_condition.resolve(&partition, &sort).ok()?;
    let values = range.hash.iter();
    let values: Vec<String> = values
        .map(|value| show_value(&value.view().to_value()))
        .collect();
    Some(TouchedPartition {
        of: Arc::clone(&names.of),
        key: values.join(crate::census::KEY_SEPARATOR),
    })
}

/// The accesses of a request, as they are found.
#[derive(Default)]
struct Accesses<'r> {
    found: Vec<Access<'r>>,
}

impl<'r> Accesses<'r> {
    fn add(&mut self, table: Option<&'r String>, item: Option<&'r GivenItem>, deed: Option<Deed>) {
        let item = item.and_then(|item| item.checked().ok());
        if let (Some(table), Some(item)) = (table, item) {
            self.found.push(Access { table, item, deed });
        }
    }
}

fn list_accesses(request: &Request) -> Vec<Access<'_>> {
    let mut accesses = Accesses::default();
    match request {
        Request::GetItem(input) => {
            accesses.add(input.table_name.as_ref(), input.key.as_ref(), None)
        }
        Request::PutItem(input) => accesses.add(
            input.table_name.as_ref(),
            input.item.as_ref(),
            Some(Deed::Put),
        ),
        Request::UpdateItem(input) => accesses.add(
            input.table_name.as_ref(),
            input.key.as_ref(),
            Some(Deed::Update),
        ),
        Request::DeleteItem(input) => accesses.add(
            input.table_name.as_ref(),
            input.key.as_ref(),
            Some(Deed::Delete),
        ),
        Request::BatchGetItem(input) => {
            for (table, wanted) in input.request_items.iter().flatten() {
                for key in wanted.keys.iter().flatten() {
                    accesses.add(Some(table), Some(key), None);
                }
            }
        }
        Request::BatchWriteItem(input) => {
            for (table, writes) in input.request_items.iter().flatten() {
                for write in writes {
                    if let Some(put) = &write.put_request {
                        accesses.add(Some(table), put.item.as_ref(), Some(Deed::Put));
                    }
                    if let Some(delete) = &write.delete_request {
                        accesses.add(Some(table), delete.key.as_ref(), Some(Deed::Delete));
                    }
                }
            }
        }
        Request::TransactGetItems(input) => {
            for item in input.transact_items.iter().flatten() {
                if let Some(get) = &item.get {
                    accesses.add(get.table_name.as_ref(), get.key.as_ref(), None);
                }
            }
        }
        Request::TransactWriteItems(input) => {
            for item in input.transact_items.iter().flatten() {
                if let Some(put) = &item.put {
                    accesses.add(put.table_name.as_ref(), put.item.as_ref(), Some(Deed::Put));
                }
                if let Some(it) = &item.update {
                    accesses.add(it.table_name.as_ref(), it.key.as_ref(), Some(Deed::Update));
                }
                if let Some(it) = &item.delete {
                    accesses.add(it.table_name.as_ref(), it.key.as_ref(), Some(Deed::Delete));
                }
                if let Some(check) = &item.condition_check {
                    accesses.add(check.table_name.as_ref(), check.key.as_ref(), None);
                }
            }
        }
        _ => {}
    }
    accesses.found
}
