//! Repositories and carries of a model as programs call them.

use super::attribute::{GivenAttribute, is_given, is_time_of_the_store};
use super::entity::KeyAttribute;
use monotable_model::model::{Carry, Entity, EntityId, Model, Repository};

/// A repository as programs see it.
pub(crate) struct RepositorySurface<'m> {
    pub(crate) repository: &'m Repository,
    /// Which one of those that the model's repository stands for: the key of its head.
    pub(crate) key: Vec<KeyAttribute<'m>>,
    /// What a commit says of its revision.
    pub(crate) says: Vec<GivenAttribute<'m>>,
    pub(crate) entities: &'m [EntityId],
}

/// A carry as programs call it.
pub(crate) struct CarrySurface<'m> {
    pub(crate) carry: &'m Carry,
    pub(crate) from: &'m Repository,
    pub(crate) to: &'m Repository,
    /// What the caller says of the new revision, beside what the carry sets.
    pub(crate) says: Vec<GivenAttribute<'m>>,
}

pub(super) fn list_repositories(model: &Model) -> Vec<RepositorySurface<'_>> {
    let repositories = model.repositories.iter();
    repositories
        .map(|repository| {
            let head = model.entity(repository.head);
            let key = head.key_attributes().into_iter();
            RepositorySurface {
                repository,
                key: key.map(|name| KeyAttribute::new(head, name)).collect(),
                says: list_says(model, repository),
                entities: &repository.entities,
            }
        })
        .collect()
}

pub(super) fn list_carries(model: &Model) -> Vec<CarrySurface<'_>> {
    let carries = model.carries.iter();
    carries
        .map(|carry| {
            let to = model.repository(carry.to);
            let mut says = list_says(model, to);
            says.retain(|given| {
                let name = &given.attribute.name.value;
                carry.set.iter().all(|set| set.name.value != *name)
            });
            CarrySurface {
                carry,
                from: model.repository(carry.from),
                to,
                says,
            }
        })
        .collect()
}

/// What a commit says of its revision: what the log has beside its key, its parent and its count.
fn list_says<'m>(model: &'m Model, repository: &'m Repository) -> Vec<GivenAttribute<'m>> {
    let log: &Entity = model.entity(repository.log);
    let key = log.key_attributes();
    let is_own = |name: &str| {
        let own = [&repository.parent, &repository.count];
        let mut own = own.into_iter().flatten();
        key.contains(&name) || own.any(|own| own.value == name)
    };
    let attributes = log.attributes.iter().filter(|attribute| {
        is_given(model, log, attribute)
            && !is_own(&attribute.name.value)
            && !is_time_of_the_store(attribute)
    });
    attributes.map(GivenAttribute::new).collect()
}
