//! Consumed capacity, in AWS's units.

use crate::structure::structure;
use std::collections::BTreeMap;

structure! {
    /// What a request consumed of one table.
    pub struct ConsumedCapacity {
        /// The table, named as the request named it.
        table_name: String,
        /// All units.
        capacity_units: f64,
        /// Read units, in operations that both read and write.
        read_capacity_units: f64,
        /// Write units, in operations that both read and write.
        write_capacity_units: f64,
        /// The table's own share, when INDEXES were asked for.
        table: Capacity,
        /// The shares of its local indexes, when INDEXES were asked for.
        local_secondary_indexes: BTreeMap<String, Capacity>,
        /// The shares of its global indexes, when INDEXES were asked for.
        global_secondary_indexes: BTreeMap<String, Capacity>,
        /// The shares of its vector indexes, when INDEXES were asked for.
        vector_indexes: BTreeMap<String, VectorCapacity>,
    }

    /// What a request consumed of a vector index.
    pub struct VectorCapacity {
        /// How many bytes were searched.
        vector_search_request_bytes: f64,
        /// How many bytes were written.
        vector_write_request_bytes: f64,
    }

    /// The share of a table or index.
    pub struct Capacity {
        /// Read units, in operations that both read and write.
        read_capacity_units: f64,
        /// Write units, in operations that both read and write.
        write_capacity_units: f64,
        /// All units.
        capacity_units: f64,
    }
}

impl Capacity {
    /// This many units in all.
    pub fn units(units: f64) -> Self {
        Self {
            capacity_units: Some(units),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_have_a_fraction() {
        let half = serde_json::to_string(&Capacity::units(0.5)).unwrap();
        assert_eq!(half, r#"{"CapacityUnits":0.5}"#);
        let whole = serde_json::to_string(&Capacity::units(1.0)).unwrap();
        assert_eq!(whole, r#"{"CapacityUnits":1.0}"#);
    }
}
