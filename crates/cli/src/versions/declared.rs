//! A repository as the model declares it.

use monotable_model::model::{Attribute, Carry, Entity, EntityId, Kind, Model, Repository, Role};

/// A repository of a model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declared<'m> {
    pub(crate) model: &'m Model,
    pub(crate) repository: &'m Repository,
}

impl<'m> Declared<'m> {
    /// The repository of this name.
    pub(crate) fn named(model: &'m Model, name: &str) -> Option<Self> {
        let mut known = model.repositories.iter();
        let repository = known.find(|known| known.name.value == name)?;
        Some(Self { model, repository })
    }

    /// Where the rows of a carry come from, and where they go.
    pub(crate) fn of_carry(model: &'m Model, name: &str) -> Option<(Self, Self)> {
        let mut known = model.carries.iter();
        let carry: &Carry = known.find(|known| known.name.value == name)?;
        let of = |id| Self {
            model,
            repository: model.repository(id),
        };
        Some((of(carry.from), of(carry.to)))
    }

    pub(crate) fn head(&self) -> &'m Entity {
        self.model.entity(self.repository.head)
    }

    pub(crate) fn log(&self) -> &'m Entity {
        self.model.entity(self.repository.log)
    }

    /// Whether rows of this entity are in its snapshots; none if the model has no such entity.
    pub(super) fn has(&self, entity: &str) -> Option<bool> {
        let (id, _) = self.model.entity_named(entity)?;
        Some(self.repository.entities.contains(&id))
    }

    /// The entities that a relation of the repository connects.
    pub(super) fn connected(&self) -> Vec<EntityId> {
        let entities = self.repository.entities.iter();
        let relations = entities.filter_map(|id| {
            let entity = self.model.entity(*id);
            Some((entity, entity.relation.as_ref()?))
        });
        let ends = relations.flat_map(|(entity, relation)| {
            let names = [&relation.from, &relation.to].into_iter();
            names.filter_map(|name| target(entity.attribute(&name.value)?))
        });
        ends.collect()
    }

    /// The attribute that holds the revision, in the log and in every row of a snapshot.
    pub(super) fn revision(&self) -> &'m str {
        &self.repository.revision.value
    }

    /// The head's reference to the log.
    pub(super) fn pointer(&self) -> Option<&'m str> {
        self.reference_to_log(self.head())
    }

    /// The log's reference to the revision before.
    pub(super) fn parent(&self) -> Option<&'m str> {
        self.reference_to_log(self.log())
    }

    fn reference_to_log(&self, entity: &'m Entity) -> Option<&'m str> {
        let log = Some(self.repository.log);
        let mut attributes = entity.attributes.iter();
        let found = attributes.find(|attribute| target(attribute) == log)?;
        Some(&found.name.value)
    }

    /// The log's time of a revision.
    pub(super) fn time(&self) -> Option<&'m str> {
        let mut attributes = self.log().attributes.iter();
        let found = attributes.find(|attribute| attribute.role == Some(Role::Created))?;
        Some(&found.name.value)
    }

    /// The first that callers say of a revision: a message, a reason.
    pub(super) fn message(&self) -> Option<&'m str> {
        let log = self.log();
        let key = log.key_attributes();
        let mut attributes = log.attributes.iter();
        let found = attributes.find(|attribute| {
            is_said(attribute)
                && !key.contains(&attribute.name.value.as_str())
                && matches!(attribute.kind, Kind::Text(_) | Kind::Enum(_))
        })?;
        Some(&found.name.value)
    }
}

/// Whether callers give it, and it means something by itself.
pub(super) fn is_said(attribute: &Attribute) -> bool {
    attribute.reference.is_none()
        && attribute.role.is_none()
        && attribute.generated.is_none()
        && attribute.computed.is_none()
}

fn target(attribute: &Attribute) -> Option<EntityId> {
    Some(attribute.reference.as_ref()?.target)
}
