//! What the rows say about each other, entered row by row and balanced at the end.

mod guards;
mod links;

use super::revisions;
use super::{Verification, Violation, ViolationKind};
use crate::address;
use crate::address::Address;
use crate::caller::is_of_tenant;
use crate::mechanism::derived::{rows as derived_rows, says_the_same};
use crate::reader::Reader;
use crate::record::{self, Decoded, Record};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{EntityId, KeyPlace, TableId};
use std::collections::{BTreeMap, BTreeSet};

/// A guard that a row should have.
struct Claimed {
    owner: Address,
    entity: EntityId,
    guard: crate::guard::GuardRow,
}

/// All that was read.
pub(super) struct FactSink<'s> {
    pub(super) reader: &'s Reader<'s>,
    pub(super) rows: BTreeMap<Address, (Record, Item)>,
    others: BTreeMap<Address, Item>,
    /// Rows in another layout than the one that is written.
    old: BTreeSet<Address>,
    violations: Vec<Violation>,
}

impl<'s> FactSink<'s> {
    pub(super) const fn new(reader: &'s Reader<'s>) -> Self {
        Self {
            reader,
            rows: BTreeMap::new(),
            others: BTreeMap::new(),
            old: BTreeSet::new(),
            violations: Vec::new(),
        }
    }

    /// Takes an item in; those of other tenants are not looked at.
    pub(super) fn state(&mut self, table: TableId, item: Item) {
        let Some(address) = self.reader.addressing().locate_item(table, &item) else {
            return;
        };
        if address::is_reserved(address.partition_key()) {
            return;
        }
        let prefix = self.reader.addressing().prefix();
        let own = self.reader.addressing().is_own(address.partition_key());
        match record::decode(self.reader.compiled(), table, prefix, &item) {
            Decoded::Row { mut record, layout } => {
                let key = self.reader.entity(record.entity).primary();
                let shared = key.is_some_and(|key| key.global);
                let says_own = is_of_tenant(self.reader, record.entity, &record.values);
                if !(own || shared) || !says_own {
                    return;
                }
                let scope = self.reader;
                record::upgrade(scope.model(), &mut record, &scope.circumstances);
                record::add_unwritten(scope.model(), &mut record, &scope.circumstances);
                if layout.is_some() {
                    self.old.insert(address.clone());
                }
                self.rows.insert(address, (record, item));
            }
            Decoded::Unknown(_) if !own => {}
            Decoded::Unknown(item) => {
                self.others.insert(address, item);
            }
        }
    }

    /// Compares everything with everything.
    pub(super) fn judge(mut self) -> Verification {
        let mut violations = std::mem::take(&mut self.violations);
        self.values_and_keys(&mut violations);
        let guards = self.guards(&mut violations);
        self.references(&mut violations);
        self.counters(&mut violations);
        self.cycles(&mut violations);
        self.derived(&mut violations);
        revisions::check(&self, &mut violations);
        violations.sort_by(|left, right| {
            (left.wrong, &left.entity, &left.key).cmp(&(right.wrong, &right.entity, &right.key))
        });
        Verification {
            rows: self.rows.len() as u64,
            guards,
            unknown: (self.others.len() as u64).saturating_sub(guards),
            violations,
        }
    }

    pub(super) fn violation(
        &self,
        wrong: ViolationKind,
        entity: EntityId,
        address: &Address,
        message: String,
    ) -> Violation {
        Violation {
            wrong,
            entity: self.reader.name(entity).to_owned(),
            key: self.reader.key_text(entity, address),
            message,
        }
    }

    /// Each row by itself: its values, and the keys they give.
    fn values_and_keys(&self, violations: &mut Vec<Violation>) {
        for (address, (row, item)) in &self.rows {
            let contradiction = record::find_contradiction(self.reader.compiled(), row, item);
            if let Some(contradiction) = contradiction {
                let message = contradiction.to_string();
                violations.push(self.violation(ViolationKind::Keys, row.entity, address, message));
            }
            for error in record::problems(self.reader.compiled(), row, &self.reader.circumstances) {
                let message = error.to_string();
                violations.push(self.violation(ViolationKind::Value, row.entity, address, message));
            }
            if self.old.contains(address) || self.is_foreign(row, item) {
                continue;
            }
            let Ok(wanted) = self.reader.encode(row) else {
                continue;
            };
            let table = self.reader.model().table(address.table());
            let names = table
                .indexes
                .iter()
                .flat_map(|index| std::iter::once(&index.hash).chain(&index.range));
            let names: BTreeSet<_> = names.map(|name| name.value.as_str()).collect();
            let wrong = names
                .into_iter()
                .find(|name| wanted.get(name) != item.get(name));
            if let Some(name) = wrong {
                let message = format!("`{name}` is not what the row gives");
                violations.push(self.violation(ViolationKind::Keys, row.entity, address, message));
            }
        }
    }

    /// Whether a row that belongs to nobody is in indexes of another tenant.
    fn is_foreign(&self, row: &Record, item: &Item) -> bool {
        let primary = self.reader.entity(row.entity).primary();
        if !primary.is_some_and(|key| key.global) {
            return false;
        }
        let keys = self.reader.entity(row.entity).keys.iter();
        let table = self
            .reader
            .model()
            .table(self.reader.entity(row.entity).table);
        keys.filter(|key| !key.global).any(|key| {
            let KeyPlace::Index(position) = key.place else {
                return false;
            };
            let name = table.indexes.get(position).map(|index| &index.hash.value);
            match name.and_then(|name| item.get(name)) {
                Some(AttributeValue::S(hash)) => !self.reader.addressing().is_own(hash),
                _ => false,
            }
        })
    }

    /// Where a derived row is whose key is new each time.
    fn said(&self, derived: &Record) -> Option<Address> {
        let entity = self.reader.entity(derived.entity);
        let fresh = entity.key_attributes().into_iter().any(|name| {
            let attribute = entity.attribute(name);
            attribute.is_some_and(|attribute| attribute.generated.is_some())
        });
        let mut rows = self.rows.iter().filter(|_| fresh);
        let found = rows.find(|(_, (row, _))| {
            row.entity == derived.entity && says_the_same(self.reader, row, derived)
        });
        found.map(|(address, _)| address.clone())
    }

    /// Rows that follow from rows.
    fn derived(&self, violations: &mut Vec<Violation>) {
        let derives = &self.reader.model().derives;
        let mut wanted: BTreeSet<Address> = BTreeSet::new();
        for (address, (row, _)) in &self.rows {
            for derived in derived_rows(self.reader, row).unwrap_or_default() {
                let Ok(at) = self.reader.row_address(&derived) else {
                    continue;
                };
                // A key that is new each time is not looked up: the row is found by what it says.
                let at = self.said(&derived).unwrap_or(at);
                let found = self.rows.get(&at).map(|(row, _)| row);
                let same = found.is_some_and(|found| says_the_same(self.reader, found, &derived));
                if !same {
                    let message = format!("the derived row {at} is missing or says something else");
                    violations.push(self.violation(
                        ViolationKind::Derived,
                        row.entity,
                        address,
                        message,
                    ));
                }
                wanted.insert(at);
            }
        }
        for (address, (row, _)) in &self.rows {
            let made = derives.iter().any(|derive| derive.entity == row.entity);
            if made && !wanted.contains(address) {
                let message = "nothing gives this row".to_owned();
                violations.push(self.violation(
                    ViolationKind::Derived,
                    row.entity,
                    address,
                    message,
                ));
            }
        }
    }
}
