//! What the rows say about each other, entered row by row and balanced at the end.

use super::revisions;
use super::{Verification, Violation, ViolationKind};
use crate::address;
use crate::address::Address;
use crate::caller::is_of_tenant;
use crate::graph;
use crate::guard;
use crate::profile::references;
use crate::reader::Reader;
use crate::record::reference_values;
use crate::record::{self, Decoded, Record};
use crate::write::{self, derived_rows, says_the_same};
use monotable_item::{AttributeValue, Item, Number};
use monotable_model::compiled::KeyTemplate;
use monotable_model::model::{Attribute, EntityId, Guard, KeyPlace, MoveKind, TableId};
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

    /// Unique values: each has its guard, each guard its value.
    fn guards(&self, violations: &mut Vec<Violation>) -> u64 {
        let mut claimed: BTreeMap<Address, Claimed> = BTreeMap::new();
        for (address, (row, _)) in &self.rows {
            for guard in guard::guards(self.reader, row).unwrap_or_default() {
                let claim = guard.claim.clone();
                let entity = row.entity;
                let own = Claimed {
                    owner: address.clone(),
                    entity,
                    guard,
                };
                let known = claimed.insert(own.guard.address.clone(), own);
                if let Some(known) = known {
                    let message = format!("`{claim}` is the same as that of {}", known.owner);
                    violations.push(self.violation(
                        ViolationKind::Duplicate,
                        entity,
                        address,
                        message,
                    ));
                }
            }
        }
        for Claimed {
            owner,
            entity,
            guard,
        } in claimed.values()
        {
            let addresses = std::iter::once(&guard.address).chain(&guard.also);
            let found = addresses.filter_map(|address| self.item(address)).next();
            let message = match found {
                None => format!("`{}` has no guard at {}", guard.claim, guard.address),
                Some(item) if guard.owner.iter().all(|demand| demand.holds(Some(item))) => continue,
                Some(_) => format!("the guard of `{}` belongs to another row", guard.claim),
            };
            violations.push(self.violation(ViolationKind::Guard, *entity, owner, message));
        }
        let known: BTreeSet<&Address> = claimed
            .values()
            .flat_map(|claimed| std::iter::once(&claimed.guard.address).chain(&claimed.guard.also))
            .collect();
        let mut hidden = 0;
        for (address, item) in &self.others {
            let is_known = known.contains(address);
            let Some(entity) = self.guard_of(address, item) else {
                hidden += u64::from(is_known);
                continue;
            };
            hidden += 1;
            if !is_known {
                let message = "guards a value that no row has".to_owned();
                violations.push(self.violation(ViolationKind::Orphan, entity, address, message));
            }
        }
        for (address, (row, _)) in &self.rows {
            if self.guards_something(row) && !known.contains(address) {
                let message = "guards a value that its row does not have".to_owned();
                violations.push(self.violation(
                    ViolationKind::Orphan,
                    row.entity,
                    address,
                    message,
                ));
            }
        }
        hidden
    }

    fn item(&self, address: &Address) -> Option<&Item> {
        let row = self.rows.get(address).map(|(_, item)| item);
        row.or_else(|| self.others.get(address))
    }

    /// The entity whose claim a hidden guard row is of: told by its type, or, where rows have none, by its partition key.
    fn guard_of(&self, address: &Address, item: &Item) -> Option<EntityId> {
        let mut stored = self.reader.model().stored();
        let found = stored.find(|(_, entity)| {
            let discriminator = entity.is.first();
            let told = discriminator.and_then(|first| item.get(&first.attribute.value));
            entity.claims.iter().any(|claim| match &claim.guard {
                Guard::Row { kind, .. } if discriminator.is_some() => {
                    told == Some(&AttributeValue::S(kind.clone()))
                }
                Guard::Row { key, .. } => {
                    let hash = address
                        .partition_key()
                        .strip_prefix(self.reader.addressing().prefix());
                    entity.table == address.table()
                        && hash.is_some_and(|hash| {
                            KeyTemplate::unbound(&key.hash).parse(hash).is_some()
                        })
                }
                Guard::Entity { .. } | Guard::Snapshot => false,
            })
        });
        found.map(|(id, _)| id)
    }

    /// Whether a row of an entity that claims use says whose it is.
    fn guards_something(&self, row: &Record) -> bool {
        let own_key = self.reader.entity(row.entity).key_attributes();
        let claims = self
            .reader
            .model()
            .stored()
            .flat_map(|(_, entity)| &entity.claims);
        let mut owners = claims.filter_map(|claim| match &claim.guard {
            Guard::Entity { entity, set, .. } if *entity == row.entity => Some(set),
            _ => None,
        });
        owners.any(|set| {
            set.iter().any(|assignment| {
                let name = assignment.name.value.as_str();
                !own_key.contains(&name) && row.values.get(name).is_some()
            })
        })
    }

    /// The ids of all rows, by entity.
    fn ids(&self) -> BTreeSet<(EntityId, String)> {
        let rows = self.rows.values();
        let ids = rows.filter_map(|(row, _)| {
            let id = self.reader.entity(row.entity).id.as_ref()?;
            Some((row.entity, format!("{:?}", row.values.get(id)?)))
        });
        ids.collect()
    }

    /// A reference whose row has to be known by its id alone.
    fn unplaced(
        &self,
        ids: &BTreeSet<(EntityId, String)>,
        address: &Address,
        row: &Record,
        attribute: &Attribute,
        id: &AttributeValue,
    ) -> Option<Violation> {
        let target = attribute.reference.as_ref()?.target;
        if ids.contains(&(target, format!("{id:?}"))) {
            return None;
        }
        let (name, target) = (&attribute.name.value, self.reader.name(target));
        let id = match id {
            AttributeValue::S(id) => id.clone(),
            other => format!("{other:?}"),
        };
        let message = format!("`{name}` refers to {target} {id}, which is not there");
        Some(self.violation(ViolationKind::Reference, row.entity, address, message))
    }

    /// Rows that are referred to are there, and are what the model says.
    fn references(&self, violations: &mut Vec<Violation>) {
        let ids = self.ids();
        for (address, (row, _)) in &self.rows {
            for (attribute, reference) in references(self.reader.entity(row.entity)) {
                let versioned = self
                    .reader
                    .model()
                    .repository_of(reference.target)
                    .is_some();
                if reference.missing_warns || versioned {
                    continue;
                }
                for id in reference_values(attribute, row) {
                    let Some(target) = self.reader.target_address(row, reference.target, &id)
                    else {
                        violations.extend(self.unplaced(&ids, address, row, attribute, &id));
                        continue;
                    };
                    let name = &attribute.name.value;
                    let found = self.rows.get(&target);
                    let message = match found.filter(|(found, _)| found.entity == reference.target)
                    {
                        None if self.is_away(reference.target, &id) => continue,
                        None => format!("`{name}` refers to {target}, which is not there"),
                        Some((found, _)) => {
                            let differs = reference.same.as_ref().is_some_and(|same| {
                                let own = row.values.get(&same.value);
                                let other = found.values.get(&same.value);
                                own.is_some() && other.is_some() && own != other
                            });
                            if !differs {
                                continue;
                            }
                            format!("`{name}` refers to {target}, which belongs elsewhere")
                        }
                    };
                    violations.push(self.violation(
                        ViolationKind::Reference,
                        row.entity,
                        address,
                        message,
                    ));
                }
            }
        }
    }

    /// Whether a row has been moved away, from where it can come back.
    fn is_away(&self, entity: EntityId, id: &AttributeValue) -> bool {
        let Some(name) = &self.reader.entity(entity).id else {
            return false;
        };
        let key = Item::new().with(name.as_str(), id.clone());
        let moves = self.reader.model().moves.iter();
        let mut kinds = moves.filter_map(|declared| match &declared.kind {
            MoveKind::To { to, .. } if declared.of == entity => Some(*to),
            MoveKind::To { .. } | MoveKind::Changes { .. } => None,
        });
        kinds.any(|to| {
            let address = self.reader.address(to, &key);
            address.is_ok_and(|address| self.rows.contains_key(&address))
        })
    }

    /// The counts that counters should have: by the row and the counter.
    fn counts(&self) -> BTreeMap<(Address, String), u64> {
        let mut counts: BTreeMap<(Address, String), u64> = BTreeMap::new();
        for (address, (row, _)) in &self.rows {
            for counter in &self.reader.profile(row.entity).counters {
                counts
                    .entry((address.clone(), counter.clone()))
                    .or_default();
            }
            for counted in write::counted_by(self.reader, row) {
                *counts.entry(counted).or_default() += 1;
            }
        }
        counts
    }

    fn counters(&self, violations: &mut Vec<Violation>) {
        for ((address, counter), count) in self.counts() {
            let Some((row, item)) = self.rows.get(&address) else {
                continue;
            };
            let wanted = AttributeValue::N(Number::from(count));
            let stored = item.get(&counter);
            if stored != Some(&wanted) && !(stored.is_none() && count == 0) {
                let stored = match stored {
                    Some(AttributeValue::N(number)) => number.to_string(),
                    _ => "absent".to_owned(),
                };
                let message = format!("`{counter}` is {stored}, and the count is {count}");
                violations.push(self.violation(
                    ViolationKind::Counter,
                    row.entity,
                    &address,
                    message,
                ));
            }
        }
    }

    /// Relations that must not lead back.
    fn cycles(&self, violations: &mut Vec<Violation>) {
        for (id, entity) in self.reader.model().stored() {
            let Some(relation) = entity.relation.as_ref().filter(|relation| relation.acyclic)
            else {
                continue;
            };
            let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
            let mut addresses = BTreeMap::new();
            for (address, (row, _)) in self.rows.iter().filter(|(_, (row, _))| row.entity == id) {
                let from = self.end(row, &relation.from.value);
                let to = self.end(row, &relation.to.value);
                if let (Some(from), Some(to)) = (from, to) {
                    addresses.insert(from.clone(), address);
                    edges.entry(from).or_default().insert(to);
                }
            }
            for node in graph::cycles(&edges) {
                if let Some(address) = addresses.get(&node) {
                    let message = format!("`{}` leads back to {node}", relation.from.value);
                    violations.push(self.violation(ViolationKind::Cycle, id, address, message));
                }
            }
        }
    }

    /// An end of a relation as the place it names: ids alone may repeat between owners.
    fn end(&self, row: &Record, name: &str) -> Option<String> {
        let attribute = self.reader.entity(row.entity).attribute(name)?;
        let id = reference_values(attribute, row).into_iter().next()?;
        let target = attribute.reference.as_ref()?.target;
        let address = self.reader.target_address(row, target, &id);
        address.map(|address| address.to_string())
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
