//! What tells that an item is a guard.

use crate::address::Address;
use crate::record::Record;
use crate::scope::Scope;
use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::KeyTemplate;
use monotable_model::model::{EntityId, Guard, Model, TableId};
use std::collections::BTreeSet;

/// The forms of all guards of a model.
#[derive(Debug)]
pub(crate) struct GuardShapes {
    hidden: Vec<HiddenGuard>,
    /// Of each entity whose rows guard values: the attributes that say whose.
    owners: Vec<(EntityId, BTreeSet<String>)>,
}

/// Rows that do nothing but guard a value.
#[derive(Debug)]
struct HiddenGuard {
    /// The entity whose values they guard.
    entity: EntityId,
    table: TableId,
    is_shared: bool,
    partition: KeyTemplate,
    sort: Option<KeyTemplate>,
    /// The attribute that says what they are, and what it says.
    kind: Option<(String, String)>,
}

impl GuardShapes {
    pub(crate) fn new(model: &Model) -> Self {
        let mut shapes = Self {
            hidden: Vec::new(),
            owners: Vec::new(),
        };
        for (id, entity) in model.stored() {
            for claim in &entity.claims {
                match &claim.guard {
                    Guard::Row { key, kind, .. } => shapes.hidden.push(HiddenGuard {
                        entity: id,
                        table: entity.table,
                        is_shared: key.global,
                        partition: KeyTemplate::new(model, id, &key.hash),
                        sort: key
                            .range
                            .as_ref()
                            .map(|range| KeyTemplate::new(model, id, range)),
                        kind: entity
                            .is
                            .first()
                            .map(|first| (first.attribute.value.clone(), kind.clone())),
                    }),
                    Guard::Entity { entity, set, .. } => {
                        let key = model.entity(*entity).key_attributes();
                        let names = set.iter().map(|assignment| assignment.name.value.clone());
                        let own = names.filter(|name| !key.contains(&name.as_str()));
                        shapes.owners.push((*entity, own.collect()));
                    }
                    Guard::Snapshot => {}
                }
            }
        }
        shapes
    }

    /// Whether rows of an entity guard values.
    pub(super) fn is_guard_entity(&self, entity: EntityId) -> bool {
        self.owners.iter().any(|(known, _)| *known == entity)
    }

    /// Whether a row of an entity that claims use says whose it is.
    pub(super) fn guards_as_entity(&self, row: &Record) -> bool {
        let mut owners = self.owners.iter().filter(|(known, _)| *known == row.entity);
        owners.any(|(_, names)| names.iter().any(|name| row.values.get(name).is_some()))
    }

    /// The entity whose value a hidden guard row guards: told by its type, or, where rows have none, by its key.
    pub(super) fn hidden_guard_of(
        &self,
        scope: &Scope,
        address: &Address,
        item: &Item,
    ) -> Option<EntityId> {
        let found = self.hidden.iter().find(|shape| {
            shape.table == address.table()
                && match &shape.kind {
                    Some((name, kind)) => item.get(name) == Some(&AttributeValue::S(kind.clone())),
                    None => shape.fits(scope, address),
                }
        });
        found.map(|shape| shape.entity)
    }

    /// The entity and the claim whose guards look like an item, whatever it says it is.
    pub(crate) fn looks_like(&self, scope: &Scope, address: &Address) -> Option<EntityId> {
        let mut shapes = self.hidden.iter();
        let found =
            shapes.find(|shape| shape.table == address.table() && shape.fits(scope, address));
        found.map(|shape| shape.entity)
    }
}

impl HiddenGuard {
    fn fits(&self, scope: &Scope, address: &Address) -> bool {
        let own = scope
            .addressing()
            .strip_prefix(address.partition_key(), self.is_shared);
        let partition = own.is_some_and(|own| self.partition.parse(own).is_some());
        let sort = match (&self.sort, address.sort_key()) {
            (Some(template), Some(text)) => template.parse(text).is_some(),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        partition && sort
    }
}
