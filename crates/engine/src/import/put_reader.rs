//! The puts of an object: lines of JSON, each with an item, and with a condition if it has one.

use super::records::Records;
use crate::catalog::Table;
use crate::keys::ItemKey;
use crate::schema;
use monotable_api::{Error, ExpressionNames, ExpressionValues, InputCompressionType, PutItemInput};
use monotable_expr::Condition;
use monotable_item::{EncodedItem, GivenItem};
use serde::Deserialize;
use std::fs::File;
use std::io;

/// Reads an object put by put.
pub(crate) struct PutReader {
    records: Records,
}

/// A record of an object.
pub(crate) struct ReadPut {
    /// The record as it stands there.
    pub(crate) line: Vec<u8>,
    /// What it asks for, or what is wrong with it.
    pub(crate) put: Result<RecordPut, Error>,
}

/// An item that is to be put.
pub(crate) struct RecordPut {
    pub(crate) key: ItemKey,
    pub(crate) item: EncodedItem,
    pub(crate) condition: Option<Condition>,
}

/// A line: the members of PutItem that say what is written, and when.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Line {
    item: GivenItem,
    condition_expression: Option<String>,
    expression_attribute_names: Option<ExpressionNames>,
    expression_attribute_values: Option<ExpressionValues>,
}

impl PutReader {
    /// Reads on behind so many records.
    pub(crate) fn open(
        file: File,
        compression: InputCompressionType,
        records: u64,
    ) -> io::Result<Self> {
        let mut reader = Self {
            records: Records::new(file, compression),
        };
        for _ in 0..records {
            reader.records.next_line()?;
        }
        Ok(reader)
    }

    /// The next record; none at the end of the object.
    pub(crate) fn next(&mut self, table: &Table) -> io::Result<Option<ReadPut>> {
        let line = self.records.next_line()?;
        Ok(line.map(|line| ReadPut {
            put: read(table, &line),
            line,
        }))
    }
}

/// A bulk operation takes what PutItem takes.
fn read(table: &Table, line: &[u8]) -> Result<RecordPut, Error> {
    let line: Line = serde_json::from_slice(line).map_err(|error| {
        Error::validation(format_args!(
            "The line is not an object of DynamoDB's JSON with the member Item: {error}"
        ))
    })?;
    let input = PutItemInput {
        condition_expression: line.condition_expression,
        expression_attribute_names: line.expression_attribute_names,
        expression_attribute_values: line.expression_attribute_values,
        ..PutItemInput::new(table.name(), line.item)
    };
    let valid = input.validate()?;
    let key = schema::check_item(table, &valid.item)?;
    schema::check_paths(table, valid.condition.iter().flat_map(Condition::paths))?;
    Ok(RecordPut {
        key,
        item: valid.item,
        condition: valid.condition,
    })
}
