//! The items of an object.

use super::csv;
use super::records::Records;
use crate::catalog::Table;
use crate::keys::ItemKey;
use crate::schema;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use monotable_api::{ImportFormat, InputCompressionType, KeyAttribute, PutItemInput};
use monotable_item::{AttributeType, AttributeValue, EncodedItem, GivenItem, Item};
use serde::Deserialize;
use std::fs::File;
use std::io;

/// What became of a record.
pub(crate) enum ReadItem {
    /// An item of the table.
    Item { key: ItemKey, item: EncodedItem },
    /// Something that the table cannot take.
    Error,
}

/// Reads an object item by item.
pub(crate) struct ItemReader {
    records: Records,
    format: ImportFormat,
    /// The attributes of a row of CSV, once they are known.
    headers: Option<Vec<String>>,
}

/// A line of DynamoDB's JSON.
#[derive(Deserialize)]
struct Line {
    #[serde(rename = "Item")]
    item: GivenItem,
}

impl ItemReader {
    pub(crate) fn new(file: File, compression: InputCompressionType, format: ImportFormat) -> Self {
        let headers = match &format {
            ImportFormat::Csv { headers, .. } => headers.clone(),
            ImportFormat::DynamodbJson => None,
        };
        Self {
            records: Records::new(file, compression),
            format,
            headers,
        }
    }

    /// The next record and its size; none at the end of the object.
    pub(crate) fn next(&mut self, table: &Table) -> io::Result<Option<(ReadItem, u64)>> {
        let delimiter = match self.format {
            ImportFormat::DynamodbJson => {
                let line = self.records.next_line()?;
                return Ok(line.map(|line| (read_json(table, &line), line.len() as u64)));
            }
            ImportFormat::Csv { delimiter, .. } => delimiter,
        };
        if self.headers.is_none() {
            let Some(row) = self.records.next_row()? else {
                return Ok(None);
            };
            let names = csv::values(&row, delimiter).and_then(texts);
            // Without names no row is an item.
            self.headers = Some(names.unwrap_or_default());
        }
        let row = self.records.next_row()?;
        let headers = self.headers.as_deref().unwrap_or_default();
        Ok(row.map(|row| {
            let item = read_row(table, headers, &row, delimiter);
            (item.unwrap_or(ReadItem::Error), row.len() as u64)
        }))
    }

    /// Passes over records that were read before.
    pub(crate) fn skip(&mut self, records: u64, table: &Table) -> io::Result<()> {
        for _ in 0..records {
            self.next(table)?;
        }
        Ok(())
    }
}

fn texts(values: Vec<Vec<u8>>) -> Option<Vec<String>> {
    let values = values.into_iter();
    values.map(|value| String::from_utf8(value).ok()).collect()
}

fn read_json(table: &Table, line: &[u8]) -> ReadItem {
    match serde_json::from_slice::<Line>(line) {
        Ok(line) => check(table, line.item),
        Err(_) => ReadItem::Error,
    }
}

/// Values of key attributes have the types of the keys, all others are text.
fn read_row(table: &Table, headers: &[String], row: &[u8], delimiter: u8) -> Option<ReadItem> {
    let values = texts(csv::values(row, delimiter)?)?;
    if values.len() != headers.len() {
        return None;
    }
    let indexes = table.indexes.iter();
    let indexes = indexes.flat_map(|index| index.key.attributes());
    let keys: Vec<&KeyAttribute> = table.key.attributes().chain(indexes).collect();
    let mut item = Item::new();
    for (name, value) in headers.iter().zip(values) {
        let key = keys.iter().find(|key| key.name == *name);
        let value = match key.map(|key| key.kind.attribute_type()) {
            Some(AttributeType::N) => AttributeValue::N(value.parse().ok()?),
            Some(AttributeType::B) => AttributeValue::B(BASE64_STANDARD.decode(value).ok()?),
            _ => AttributeValue::S(value),
        };
        item = item.with(name, value);
    }
    Some(check(table, item.into()))
}

/// An import takes what PutItem takes.
fn check(table: &Table, item: GivenItem) -> ReadItem {
    let put = PutItemInput::new(table.name(), item).validate();
    let checked = put.and_then(|put| Ok((schema::check_item(table, &put.item)?, put.item)));
    match checked {
        Ok((key, item)) => ReadItem::Item { key, item },
        Err(_) => ReadItem::Error,
    }
}
