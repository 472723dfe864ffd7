//! Blind updates: which changes of a row can be written without reading it first.
//!
//! An update reads the row because declarations of the model may depend on what it was: guards that are released, keys that
//! change, rules about several attributes, rows that are counted, derived or archived. Where none of them does, the change
//! is one write on the condition that the row is as the model writes rows. This is worked out once for a model; in doubt the row is
//! read.

use super::references;
use crate::caller::tenant_names;
use crate::change::matrix::MechanismId;
use crate::profile::{BlindUpdate, EntityProfile, Expectation, in_template};
use crate::record;
use crate::value;
use monotable_item::AttributeType;
use monotable_model::compiled::{CompiledEntity, CompiledKey, CompiledModel};
use monotable_model::model::{Attribute, Entity, EntityId, Key, KeyPlace, Model, Role};
use std::collections::BTreeSet;

/// How rows of an entity are changed without being read first; none if every change needs the row.
pub(crate) fn find_blind_update(
    compiled: &CompiledModel,
    id: EntityId,
    profile: &EntityProfile,
) -> Option<BlindUpdate> {
    let model = compiled.model();
    let entity = model.entity(id);
    let bound = compiled.entity(id)?;
    let needs_row = |mechanism| needs_old_row(mechanism, model, id);
    let is_told = has_one_shape(model, id, bound) && !profile.has_secret_key;
    if !is_told || MechanismId::ALL.into_iter().any(needs_row) {
        return None;
    }
    let touched = with_role(entity, Role::Updated);
    let is_free = |attribute: &&Attribute| {
        !attribute.key_only && !profile.dependencies.contains(&attribute.name.value)
    };
    if !touched.clone().all(|attribute| is_free(&attribute)) {
        return None;
    }
    let changeable = entity.attributes.iter().filter(is_free);
    let changeable = changeable
        .filter(|attribute| is_changeable(entity, attribute))
        .filter(|attribute| !compiled.is_key_attribute(entity.table, &attribute.stored));
    let changeable: BTreeSet<_> = changeable
        .map(|attribute| attribute.name.value.clone())
        .collect();
    if changeable.is_empty() {
        return None;
    }
    let touched = touched.map(|attribute| (attribute.stored.clone(), attribute.kind.clone()));
    Some(BlindUpdate {
        changeable,
        touched: touched.collect(),
        expectations: expect_always(entity, bound)?,
        of_foreign_rows: expect_of_foreign_rows(entity, bound)?,
    })
}

/// Whether a row of the entity is told by one attribute and has one form, which is the one that is written today.
fn has_one_shape(model: &Model, id: EntityId, bound: &CompiledEntity) -> bool {
    let entity = model.entity(id);
    let has_old_names =
        |attribute: &Attribute| !attribute.aliases.is_empty() || attribute.version.is_some();
    let is_shared = model.tenant.is_some() && tenant_names(entity).next().is_some();
    bound.is_told_alone
        && entity.writes.update
        && entity.each.is_empty()
        && entity.tombstone.is_empty()
        && entity.upgrades.is_empty()
        && entity.layouts.is_empty()
        && !entity.also_camel_case
        && !is_shared
        && !may_expire(model, entity)
        && !entity.attributes.iter().any(has_old_names)
        && model.repository_of(id).is_none()
}

/// Whether rows of the entity have a time at which the table deletes them: from then on they are not there.
fn may_expire(model: &Model, entity: &Entity) -> bool {
    let ttl = model.table(entity.table).ttl.as_ref();
    ttl.is_some_and(|ttl| {
        let mut attributes = entity.attributes.iter();
        entity.open || attributes.any(|attribute| attribute.stored == ttl.value)
    })
}

/// Whether a mechanism looks at the row that was, whichever attribute changes.
fn needs_old_row(mechanism: MechanismId, model: &Model, id: EntityId) -> bool {
    let entity = model.entity(id);
    let mut attributes = entity.attributes.iter();
    match mechanism {
        MechanismId::Numbers => attributes.any(|attribute| attribute.numbered.is_some()),
        // Rules are about the whole row, and computed values follow from all of it.
        MechanismId::Values => !entity.must.is_empty() || attributes.any(follows_from_others),
        MechanismId::Keys => {
            let mut keys = entity.keys.iter();
            keys.any(|key| key.place != KeyPlace::Primary && may_be_absent(entity, key))
        }
        MechanismId::Relations => entity.relation.is_some(),
        MechanismId::References => {
            let mut references = crate::profile::references(entity);
            references.any(|(_, reference)| references::is_moved(model, reference))
        }
        MechanismId::Checks => model.checks.iter().any(|check| check.of == id),
        MechanismId::Derived => model.derives.iter().any(|derive| derive.of == id),
        MechanismId::Paths => model.paths.iter().any(|path| path.of == id),
        MechanismId::Archive => model.archives.iter().any(|archive| archive.of == id),
        MechanismId::Audit => model.audits.iter().any(|audit| audit.of.contains(&id)),
        // New rows only; the mark, which the condition names; attributes that are not changed so.
        MechanismId::Times
        | MechanismId::Collections
        | MechanismId::Claims
        | MechanismId::Counters => false,
    }
}

/// Whether what an attribute is, or whether it may be there, depends on others.
fn follows_from_others(attribute: &Attribute) -> bool {
    attribute.computed.is_some()
        || attribute.top.is_some()
        || attribute.position.is_some()
        || attribute.presence.required_if.is_some()
        || attribute.presence.only_if.is_some()
}

/// Whether rows may stand outside of an index: then nothing but the row tells whether it belongs there.
fn may_be_absent(entity: &Entity, key: &Key) -> bool {
    let mut names = BTreeSet::new();
    key.templates()
        .for_each(|template| in_template(template, &mut names));
    let is_optional = |name: &String| {
        let attribute = entity.attribute(name);
        attribute.is_none_or(|attribute| attribute.presence.optional)
    };
    key.when.is_some() || names.iter().any(is_optional)
}

/// Whether callers may change an attribute, and nothing but its kind decides what is written.
fn is_changeable(entity: &Entity, attribute: &Attribute) -> bool {
    let tells = |name: &str| entity.is.iter().any(|known| known.attribute.value == name);
    record::may_change(entity, attribute)
        && attribute.reference.is_none()
        && attribute.hashed.is_none()
        && attribute.secret.is_none()
        && !attribute.stamped
        && !attribute.internal
        && !tells(&attribute.stored)
}

/// What is expected of every row: it is of the entity, is not being deleted, and has defaults and keys of indexes that the
/// model may have got after the row. None: there is something that a condition cannot express.
fn expect_always(entity: &Entity, bound: &CompiledEntity) -> Option<Vec<Expectation>> {
    let discriminators = entity.is.iter().map(|known| Expectation::Text {
        stored: known.attribute.value.clone(),
        text: known.written.clone(),
    });
    let marks = with_role(entity, Role::Deleting).map(|mark| Expectation::Absent {
        stored: mark.stored.clone(),
    });
    let mut all: Vec<_> = discriminators.chain(marks).collect();
    for attribute in required(entity).filter(|attribute| attribute.default.is_some()) {
        all.push(expect_value(attribute)?);
    }
    for key in bound.keys.iter().filter(|key| is_written_index(key)) {
        all.extend(key.written_attributes().map(|name| Expectation::Typed {
            stored: name.to_owned(),
            of: AttributeType::S,
        }));
    }
    Some(all)
}

/// What is expected of rows that another program may have written.
fn expect_of_foreign_rows(entity: &Entity, bound: &CompiledEntity) -> Option<Vec<Expectation>> {
    let read_back = primary_reads(bound);
    let mut all = Vec::new();
    for attribute in entity.attributes.iter().filter(|one| !one.key_only) {
        let name = &attribute.name.value;
        if read_back.contains(name.as_str()) {
            all.push(Expectation::OfKey {
                stored: attribute.stored.clone(),
                name: name.clone(),
            });
        }
    }
    let required = required(entity).filter(|attribute| attribute.default.is_none());
    for attribute in required.filter(|one| !read_back.contains(one.name.value.as_str())) {
        all.push(expect_value(attribute)?);
    }
    Some(all)
}

/// The attributes that an item must have and that an update does not set anyway.
fn required(entity: &Entity) -> impl Iterator<Item = &Attribute> {
    let attributes = entity.attributes.iter();
    attributes.filter(|attribute| {
        !attribute.presence.optional && !attribute.key_only && attribute.role != Some(Role::Updated)
    })
}

fn expect_value(attribute: &Attribute) -> Option<Expectation> {
    Some(Expectation::Typed {
        stored: attribute.stored.clone(),
        of: value::type_of(&attribute.kind)?,
    })
}

/// Whether the key is an index's, and written as a key.
fn is_written_index(key: &CompiledKey) -> bool {
    key.place != KeyPlace::Primary && !key.implied
}

/// The attributes that the primary key gives back.
fn primary_reads(bound: &CompiledEntity) -> BTreeSet<&str> {
    let mut keys = bound.keys.iter();
    let primary = keys.find(|key| key.place == KeyPlace::Primary);
    let templates = primary.into_iter().flat_map(|key| key.templates());
    templates.flat_map(|template| template.reads()).collect()
}

fn with_role(entity: &Entity, role: Role) -> impl Iterator<Item = &Attribute> + Clone {
    let attributes = entity.attributes.iter();
    attributes.filter(move |attribute| attribute.role == Some(role))
}
