//! What references want to know of the rows that they name.

use crate::profile::{in_predicate, references};
use monotable_model::model::{Attribute, Entity, EntityId, Kind, Model};
use std::collections::{BTreeMap, BTreeSet};

/// What is asked of rows of one entity.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    /// The attributes that references look at.
    pub(super) names: BTreeSet<String>,
    /// A reference may know the id alone.
    pub(super) is_unplaced: bool,
}

/// What is asked of the rows of every entity that is referred to.
#[derive(Debug)]
pub(crate) struct Lookups(BTreeMap<EntityId, Wanted>);

impl Lookups {
    pub(crate) fn new(model: &Model) -> Self {
        let mut all: BTreeMap<EntityId, Wanted> = BTreeMap::new();
        for (_, entity) in model.stored() {
            for (_, reference) in references(entity) {
                let wanted = all.entry(reference.target).or_default();
                wanted
                    .names
                    .extend(reference.same.iter().map(|same| same.value.clone()));
                if let Some(filter) = &reference.filter {
                    in_predicate(filter, &mut wanted.names);
                }
                wanted.is_unplaced |= may_be_unplaced(entity, model.entity(reference.target));
            }
        }
        Self(all)
    }

    pub(super) fn of(&self, entity: EntityId) -> Option<&Wanted> {
        self.0.get(&entity)
    }
}

/// Whether a row may refer to another without knowing all of its key.
fn may_be_unplaced(entity: &Entity, target: &Entity) -> bool {
    target.key_attributes().into_iter().any(|name| {
        let is_state = target.attribute(name).is_some_and(|attribute| {
            attribute.movable
                && (attribute.kind.is_number() || matches!(attribute.kind, Kind::Enum(_)))
        });
        let is_id = target.id.as_deref() == Some(name);
        let own = entity.attribute(name);
        is_state || (!is_id && !own.is_some_and(Attribute::is_always_present))
    })
}
