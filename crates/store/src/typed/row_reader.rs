//! A row that is taken apart, attribute by attribute.

use super::value::TypedValue;
use crate::error::Error;
use crate::row::Row;
use monotable_item::Item;

/// What a row of the store becomes in generated code.
pub trait FromRow: Sized {
    /// The row with types. A row that is not what the generated code knows is an Integrity error.
    fn from_row(row: Row) -> Result<Self, Error>;
}

impl FromRow for Row {
    fn from_row(row: Row) -> Result<Self, Error> {
        Ok(row)
    }
}

/// A row that is taken apart, attribute by attribute.
#[derive(Debug)]
pub struct RowReader {
    entity: &'static str,
    values: Item,
}

impl RowReader {
    /// Begins with a row, which must be of this entity.
    pub fn new(row: Row, entity: &'static str) -> Result<Self, Error> {
        if row.entity == entity {
            let values = row.values;
            Ok(Self { entity, values })
        } else {
            let found = &row.entity;
            Err(Error::integrity(format!(
                "a row of `{entity}` was wanted, and there is one of `{found}`"
            )))
        }
    }

    /// An attribute that every row has.
    pub fn take<T: TypedValue>(&mut self, name: &str) -> Result<T, Error> {
        let entity = self.entity;
        self.take_optional(name)?
            .ok_or_else(|| Error::integrity(format!("a row of `{entity}` is without `{name}`")))
    }

    /// An attribute that rows may be without.
    pub fn take_optional<T: TypedValue>(&mut self, name: &str) -> Result<Option<T>, Error> {
        let Some(value) = self.values.remove(name) else {
            return Ok(None);
        };
        let entity = self.entity;
        let read = T::from_value(value);
        read.map(Some).ok_or_else(|| {
            Error::integrity(format!(
                "`{name}` of a row of `{entity}` is not what the generated code knows; generate it again"
            ))
        })
    }

    /// The attributes that were not taken: those that the model does not declare.
    #[must_use]
    pub fn into_rest(self) -> Item {
        self.values
    }
}
