//! A row of a file, as it is given to the model.

use super::{csv_rows, json_rows};
use crate::error::Error;
use monotable_item::Item;
use monotable_model::model::Model;
use std::io::BufRead;
use std::sync::Arc;

/// A row to create.
#[derive(Clone, Debug, PartialEq)]
pub struct InputRow {
    /// The line that it begins on, from 1.
    pub line: u64,
    /// As it was given.
    pub text: String,
    /// Its entity.
    pub entity: String,
    /// Whose it is.
    pub tenant: Option<String>,
    /// Its attributes.
    pub values: Item,
}

/// Text that is no row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableRow {
    /// The line that it begins on, from 1.
    pub line: u64,
    /// As it was given.
    pub text: String,
    /// Why it is none.
    pub why: String,
    /// What cannot be read.
    pub cause: UnreadableCause,
}

/// What cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnreadableCause {
    /// This row alone.
    Row,
    /// The input from here on.
    Input,
}

impl UnreadableRow {
    /// Ends a load.
    pub(super) fn into_error(self) -> Error {
        Error::refused(
            format!(
                "the input cannot be read from line {} on: {}",
                self.line, self.why
            ),
            "name a file that can be read: lines of JSON, or CSV whose first line has the names",
        )
    }
}

/// The mark that some programs put before a text.
pub(super) const BYTE_ORDER_MARK: char = '\u{feff}';

/// Rows as they are read.
pub(super) type ReadRows = Box<dyn Iterator<Item = Result<InputRow, UnreadableRow>> + Send>;

/// The rows of an input, in order.
pub struct InputRows {
    /// The line with the names, of CSV.
    header: Option<String>,
    rows: ReadRows,
}

impl InputRows {
    /// Lines of JSON, each a row. One that does not say its `$entity` is one of `entity`.
    pub fn from_json(input: impl BufRead + Send + 'static, entity: Option<String>) -> Self {
        Self {
            header: None,
            rows: Box::new(json_rows::read(input, entity)),
        }
    }

    /// CSV, whose first line has the names of the attributes; an empty field is no value. A row that does not say its `$entity` is one of
    /// `entity`.
    pub fn from_csv(
        input: impl BufRead + Send + 'static,
        entity: Option<String>,
        model: Arc<Model>,
    ) -> Self {
        let (header, rows) = csv_rows::read(input, entity, model);
        Self {
            header: Some(header),
            rows,
        }
    }

    /// The line with the names of CSV, without which its other lines say nothing.
    #[must_use]
    pub fn header(&self) -> Option<&str> {
        self.header.as_deref()
    }
}

impl Iterator for InputRows {
    type Item = Result<InputRow, UnreadableRow>;

    fn next(&mut self) -> Option<Self::Item> {
        self.rows.next()
    }
}

impl std::fmt::Debug for InputRows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InputRows").finish_non_exhaustive()
    }
}

/// Members of a row that are no attributes.
pub(super) const ENTITY: &str = "$entity";
pub(super) const TENANT: &str = "$tenant";

/// What is said of a row without an entity.
pub(super) const NO_ENTITY: &str =
    "the row does not say of which entity it is: give it `$entity`, or name one with --entity";
