//! What tells a store from another one that is at the same place.
//!
//! A file that says how far some work is must not spare work on other tables than those that it was written for. A folder that was
//! deleted and made anew, or a table that was dropped and restored, has the name that it had, and other ids.

use crate::error::Error;
use monotable_api::{DescribeTableInput, DynamoExt, Error as ServiceError};
use monotable_store::Store;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A store: where it is, and the ids of its tables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreIdentity {
    /// As messages call it.
    pub place: String,
    /// The ids of the tables of its model that are there, in the order of the model.
    pub tables: Vec<String>,
}

impl StoreIdentity {
    /// Asks the tables of a store for their ids.
    pub async fn read(place: impl fmt::Display, store: &Store) -> Result<Self, Error> {
        let mut tables = Vec::new();
        for id in store.model().stored_tables() {
            let describe = DescribeTableInput::new(&store.model().table(id).physical);
            let found = match store.sender().describe_table(describe).await {
                Err(ServiceError::ResourceNotFoundException { .. }) => continue,
                found => found?.table.unwrap_or_default(),
            };
            // A server that gives tables no ids says at least when it made them.
            let made = found.creation_date_time.map(|time| format!("{time:?}"));
            tables.extend(found.table_id.or(made));
        }
        Ok(Self {
            place: place.to_string(),
            tables,
        })
    }

    /// Whether both have the same tables, whatever their places are called. Without ids nothing is known.
    #[must_use]
    pub fn has_tables_of(&self, other: &Self) -> bool {
        !self.tables.is_empty() && self.tables == other.tables
    }
}

impl fmt::Display for StoreIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place)
    }
}
