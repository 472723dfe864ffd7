//! What an operation wants to know of an entity, worked out once for a model.

mod blind;

pub(crate) use blind::{BlindUpdate, Expectation};

use monotable_expr::predicate::Root as PredicateRoot;
use monotable_model::model::{
    Assigned, Attribute, Entity, EntityId, Field, Guard, Key, Model, Predicate, Reference, Role,
    Template,
};
use std::collections::BTreeSet;

/// What follows from a model for one of its entities.
#[derive(Clone, Debug, Default)]
pub(crate) struct EntityProfile {
    /// The attribute that says that a long delete has begun, as it is stored.
    pub(crate) deleting: Option<String>,
    /// References to it.
    pub(crate) inbound: Vec<Inbound>,
    /// Attributes that something else of the item follows from, by their names in the model: those in keys, claims,
    /// computed values, conditions and rules. A write that was made from them demands that they are still the same.
    pub(crate) dependencies: BTreeSet<String>,
    /// Counters that rows elsewhere keep on it, as they are stored.
    pub(crate) counters: BTreeSet<String>,
    /// The attributes of its primary key.
    pub(crate) key: Vec<String>,
    /// An attribute of its primary key is a secret.
    pub(crate) has_secret_key: bool,
    /// Counters, numbers and versions that the store keeps on it, by their names in the model.
    pub(crate) managed: BTreeSet<String>,
    /// It has attributes that are computed and in keys only: an item does not have them.
    pub(crate) has_computed_key: bool,
    /// References through which its rules look into other rows.
    pub(crate) lookups: BTreeSet<String>,
    /// How its rows are changed without being read first, if they can be.
    pub(crate) blind: Option<BlindUpdate>,
}

/// A reference to an entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inbound {
    /// The entity that refers.
    pub(crate) entity: EntityId,
    /// Its attribute.
    pub(crate) attribute: String,
    /// It is the first end of a relation that owns its second end.
    pub(crate) owns: Option<String>,
}

/// One for each entity of the model.
// Never inlined, as `CompiledModel::bind`.
#[inline(never)]
pub(crate) fn profile_entities(model: &Model) -> Vec<EntityProfile> {
    let mut all: Vec<EntityProfile> = model
        .entities()
        .map(|(id, entity)| EntityProfile {
            deleting: role(entity, Role::Deleting).map(|attribute| attribute.stored.clone()),
            inbound: Vec::new(),
            dependencies: dependencies(model, id, entity),
            counters: BTreeSet::new(),
            key: entity
                .key_attributes()
                .into_iter()
                .map(str::to_owned)
                .collect(),
            has_secret_key: has_secret_key(entity),
            managed: BTreeSet::new(),
            has_computed_key: entity
                .attributes
                .iter()
                .any(|attribute| attribute.computed.is_some() && attribute.key_only),
            lookups: lookups(entity),
            blind: None,
        })
        .collect();
    for (id, entity) in model.stored() {
        for (attribute, reference) in references(entity) {
            let owns = entity
                .relation
                .as_ref()
                .filter(|relation| relation.owning && relation.from.value == attribute.name.value);
            let inbound = Inbound {
                entity: id,
                attribute: attribute.name.value.clone(),
                owns: owns.map(|relation| relation.to.value.clone()),
            };
            let counter = reference.counted.as_ref().map(|counter| {
                let target = model.entity(reference.target);
                stored_name(target, &counter.value)
            });
            let numbered = entity
                .attributes
                .iter()
                .filter_map(|own| own.numbered.as_ref());
            let serial = entity
                .relation
                .iter()
                .filter_map(|relation| relation.serial.as_ref());
            let managed = numbered
                .chain(serial)
                .filter(|(through, _)| through.value == attribute.name.value)
                .map(|(_, counter)| counter.value.clone())
                .chain(
                    reference
                        .counted
                        .iter()
                        .map(|counter| counter.value.clone()),
                );
            if let Some(target) = all.get_mut(reference.target.index()) {
                target.inbound.push(inbound);
                target.counters.extend(counter);
                target.managed.extend(managed);
            }
        }
    }
    all
}

fn has_secret_key(entity: &Entity) -> bool {
    let key = entity.key_attributes();
    let mut attributes = key.iter().filter_map(|name| entity.attribute(name));
    attributes.any(|attribute| attribute.secret.is_some())
}

/// The references through which rules of an entity look into other rows.
fn lookups(entity: &Entity) -> BTreeSet<String> {
    let presence = entity.attributes.iter().flat_map(|attribute| {
        let presence = &attribute.presence;
        presence.required_if.iter().chain(&presence.only_if)
    });
    let musts = entity.must.iter().map(|must| &must.predicate);
    let paths = presence.chain(musts).flat_map(|rule| rule.parsed().paths());
    paths
        .filter_map(|path| crate::record::leads_away(entity, path))
        .map(str::to_owned)
        .collect()
}

/// The attributes of an entity that refer to others.
pub(crate) fn references(entity: &Entity) -> impl Iterator<Item = (&Attribute, &Reference)> {
    entity
        .attributes
        .iter()
        .filter_map(|attribute| Some((attribute, attribute.reference.as_ref()?)))
}

/// The attribute with a role.
pub(crate) fn role(entity: &Entity, role: Role) -> Option<&Attribute> {
    let mut attributes = entity.attributes.iter();
    attributes.find(|attribute| attribute.role == Some(role))
}

/// The name of an attribute in the item.
pub(crate) fn stored_name(entity: &Entity, name: &str) -> String {
    entity
        .attribute(name)
        .map_or(name, |attribute| &attribute.stored)
        .to_owned()
}

fn dependencies(model: &Model, id: EntityId, entity: &Entity) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for key in &entity.keys {
        in_key(key, &mut names);
    }
    for attribute in &entity.attributes {
        if let Some(computed) = &attribute.computed {
            in_template(computed, &mut names);
        }
        let presence = &attribute.presence;
        for predicate in [&presence.required_if, &presence.only_if]
            .into_iter()
            .flatten()
        {
            names.insert(attribute.name.value.clone());
            in_predicate(predicate, &mut names);
        }
    }
    for must in &entity.must {
        in_predicate(&must.predicate, &mut names);
    }
    for claim in &entity.claims {
        if let Some(when) = &claim.when {
            in_predicate(when, &mut names);
        }
        match &claim.guard {
            Guard::Row {
                key, attributes, ..
            } => {
                in_key(key, &mut names);
                names.extend(attributes.iter().cloned());
            }
            Guard::Entity {
                entity: guard, set, ..
            } => {
                let templates = set.iter().filter_map(|assignment| match &assignment.value {
                    Assigned::Template(template) => Some(template),
                    Assigned::Flag(_) | Assigned::Number(_) => None,
                });
                templates.for_each(|template| in_template(template, &mut names));
                let same = model.entity(*guard).key_attributes();
                names.extend(same.into_iter().map(str::to_owned));
            }
            Guard::Snapshot => {}
        }
    }
    for derive in model.derives.iter().filter(|derive| derive.of == id) {
        // What a row is derived from may be any of its attributes.
        let every = entity
            .attributes
            .iter()
            .filter(|attribute| attribute.role.is_none());
        names.extend(every.map(|attribute| attribute.name.value.clone()));
        if let Some(when) = &derive.when {
            in_predicate(when, &mut names);
        }
    }
    // The leaf stands where the path says that was read.
    let paths = model.paths.iter().filter(|path| path.of == id);
    names.extend(paths.map(|path| path.attribute.value.clone()));
    names.retain(|name| entity.attribute(name).is_some());
    names
}

fn in_key(key: &Key, names: &mut BTreeSet<String>) {
    key.templates()
        .for_each(|template| in_template(template, names));
    if let Some(when) = &key.when {
        in_predicate(when, names);
    }
}

pub(crate) fn in_template(template: &Template, names: &mut BTreeSet<String>) {
    let attributes = template.fields().flat_map(Field::attributes);
    names.extend(attributes.map(|name| name.value.clone()));
}

pub(crate) fn in_predicate(predicate: &Predicate, names: &mut BTreeSet<String>) {
    for path in predicate.parsed().paths() {
        let own = matches!(
            path.root(),
            None | Some(PredicateRoot::New | PredicateRoot::Old)
        );
        if let (true, Some(name)) = (own, path.first_name()) {
            names.insert(name.to_owned());
        }
    }
}
