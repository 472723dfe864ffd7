//! What a backfill costs: units of DynamoDB, and their price.

use crate::difference::{Difference, DifferenceKind, Finding, Work};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Dollars for a million units of an on-demand table in us-east-1.
const READ_PRICE: f64 = 0.125;
const WRITE_PRICE: f64 = 0.625;
/// Bytes of a unit.
const READ_BYTES: u64 = 4096;
const WRITE_BYTES: u64 = 1024;
/// How often a run reads the tables: it looks, writes, completes and verifies.
const SCANS: u64 = 4;

/// How many rows entities have, and how large they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowSizes {
    /// Rows and bytes, by entity.
    pub entities: BTreeMap<String, (u64, u64)>,
    /// All items and bytes of the tables.
    pub items: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// What a run costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Rows that are written, by entity.
    pub rows: BTreeMap<String, u64>,
    /// Units of reads.
    pub read_units: u64,
    /// Units of writes.
    pub write_units: u64,
    /// Dollars, of an on-demand table in us-east-1.
    pub dollars: f64,
}

impl Estimate {
    /// What the backfills of some differences cost, if every row is written once for each kind of work.
    #[must_use]
    pub fn new(differences: &[Difference], sizes: &RowSizes) -> Self {
        let mut rows = BTreeMap::new();
        let mut write_units = 0;
        for (work, entity) in list_work(differences) {
            let (count, bytes) = sizes.entities.get(entity).copied().unwrap_or_default();
            let size = bytes
                .checked_div(count)
                .unwrap_or(0)
                .div_ceil(WRITE_BYTES)
                .max(1);
            let per_row = match work {
                // A row under a new key is deleted and put in a transaction, which counts twice.
                Work::Rows if is_moved(differences, entity) => 4 * size,
                Work::Rows => size * (1 + indexes(differences, entity)),
                Work::Guards | Work::Derived | Work::Counters | Work::Deletion => 1,
                Work::Tables | Work::Templates => 0,
            };
            write_units += count * per_row;
            if per_row > 0 {
                let known: &mut u64 = rows.entry(entity.to_owned()).or_default();
                *known = (*known).max(count);
            }
        }
        let read_units = SCANS * sizes.bytes.div_ceil(READ_BYTES);
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let dollars =
            (read_units as f64 * READ_PRICE + write_units as f64 * WRITE_PRICE) / 1_000_000.0;
        Self {
            rows,
            read_units,
            write_units,
            dollars,
        }
    }
}

/// Each kind of work of each entity, once.
fn list_work(differences: &[Difference]) -> BTreeSet<(Work, &str)> {
    let backfills = differences
        .iter()
        .filter_map(|difference| match &difference.stored_rows {
            Finding::Backfill { work, rows, .. } => Some((*work, rows)),
            _ => None,
        });
    backfills
        .flat_map(|(work, rows)| rows.iter().map(move |entity| (work, entity.as_str())))
        .filter(|(_, entity)| !entity.is_empty())
        .collect()
}

fn is_moved(differences: &[Difference], entity: &str) -> bool {
    let mut differences = differences.iter();
    differences
        .any(|difference| difference.kind == DifferenceKind::Key && difference.subject == entity)
}

/// How many indexes get another key of its rows.
fn indexes(differences: &[Difference], entity: &str) -> u64 {
    let of_entity = differences.iter().filter(|difference| {
        difference.kind == DifferenceKind::Key
            && difference
                .subject
                .split_once('.')
                .is_some_and(|(name, _)| name == entity)
    });
    of_entity.count() as u64
}
