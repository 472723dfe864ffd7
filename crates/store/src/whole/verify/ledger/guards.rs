//! Guards, held against the values that they guard.

use super::super::{Violation, ViolationKind};
use super::{Claimed, FactSink};
use crate::address::Address;
use crate::guard;
use crate::record::Record;
use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::KeyTemplate;
use monotable_model::model::{EntityId, Guard};
use std::collections::{BTreeMap, BTreeSet};

impl FactSink<'_> {
    /// Unique values: each has its guard, each guard its value.
    pub(super) fn guards(&self, violations: &mut Vec<Violation>) -> u64 {
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

    pub(super) fn item(&self, address: &Address) -> Option<&Item> {
        let row = self.rows.get(address).map(|(_, item)| item);
        row.or_else(|| self.others.get(address))
    }

    /// The entity whose claim a hidden guard row is of: told by its type, or, where rows have none, by its partition key.
    pub(super) fn guard_of(&self, address: &Address, item: &Item) -> Option<EntityId> {
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
    pub(super) fn guards_something(&self, row: &Record) -> bool {
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
}
