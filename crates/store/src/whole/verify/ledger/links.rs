//! References, counters and relations, held against the rows that they lead to.

use super::super::{Violation, ViolationKind};
use super::FactSink;
use crate::address::Address;
use crate::graph;
use crate::mechanism::counters;
use crate::profile::references;
use crate::record::Record;
use crate::record::reference_values;
use monotable_item::{AttributeValue, Item, Number};
use monotable_model::model::{Attribute, EntityId, MoveKind};
use std::collections::{BTreeMap, BTreeSet};

impl FactSink<'_> {
    /// The ids of all rows, by entity.
    pub(super) fn ids(&self) -> BTreeSet<(EntityId, String)> {
        let rows = self.rows.values();
        let ids = rows.filter_map(|(row, _)| {
            let id = self.reader.entity(row.entity).id.as_ref()?;
            Some((row.entity, format!("{:?}", row.values.get(id)?)))
        });
        ids.collect()
    }

    /// A reference whose row has to be known by its id alone.
    pub(super) fn unplaced(
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
    pub(super) fn references(&self, violations: &mut Vec<Violation>) {
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
    pub(super) fn is_away(&self, entity: EntityId, id: &AttributeValue) -> bool {
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
    pub(super) fn counts(&self) -> BTreeMap<(Address, String), u64> {
        let mut counts: BTreeMap<(Address, String), u64> = BTreeMap::new();
        for (address, (row, _)) in &self.rows {
            for counter in &self.reader.profile(row.entity).counters {
                counts
                    .entry((address.clone(), counter.clone()))
                    .or_default();
            }
            for counted in counters::counted_by(self.reader, row) {
                let counted = (counted.address, counted.counter);
                *counts.entry(counted).or_default() += 1;
            }
        }
        counts
    }

    pub(super) fn counters(&self, violations: &mut Vec<Violation>) {
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
    pub(super) fn cycles(&self, violations: &mut Vec<Violation>) {
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
    pub(super) fn end(&self, row: &Record, name: &str) -> Option<String> {
        let attribute = self.reader.entity(row.entity).attribute(name)?;
        let id = reference_values(attribute, row).into_iter().next()?;
        let target = attribute.reference.as_ref()?.target;
        let address = self.reader.target_address(row, target, &id);
        address.map(|address| address.to_string())
    }
}
