//! How the rows that refer to a row are found when that row is deleted.

use monotable_model::model::{
    AccessId, Attribute, Entity, Key, KeyPlace, Model, Part, Reference, Template, Way,
};
use std::collections::BTreeSet;

/// A way to the referring rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// By keys of the table: everything written is seen.
    Certain,
    /// By this index of the table: what was written a moment ago may be missed.
    Index(usize),
}

/// The best way to the rows of `entity` whose `attribute` refers to a row; None if there is none.
pub(super) fn reach(
    model: &Model,
    entity: &Entity,
    attribute: &Attribute,
    reference: &Reference,
) -> Option<Reach> {
    let target = model.entity(reference.target);
    let mut ways = Vec::new();
    ways.extend(reference.via.and_then(|via| by_pattern(model, via)));
    ways.extend(owned(model, entity, target));
    let bound = bound(entity, attribute, target, reference);
    if !reference.many {
        ways.extend(entity.keys.iter().filter_map(|key| by_key(key, &bound)));
        ways.extend(by_guard(model, entity, &bound));
    }
    ways.into_iter().min()
}

/// The patterns that find rows: a query of the table is certain.
fn by_pattern(model: &Model, id: AccessId) -> Option<Reach> {
    match &model.access.get(id.index())?.way {
        Way::Get { .. } => Some(Reach::Certain),
        Way::Query { key, .. } => Some(match key.place {
            KeyPlace::Primary => Reach::Certain,
            KeyPlace::Index(index) => Reach::Index(index),
        }),
        Way::Union(patterns) | Way::Steps(patterns) => {
            let all: Option<Vec<_>> = patterns.iter().map(|id| by_pattern(model, *id)).collect();
            all?.into_iter().max()
        }
        Way::Through { .. } => Some(Reach::Certain),
        Way::Walk(_) | Way::Resolve(_) | Way::Diff(_) | Way::Pointer { .. } => None,
    }
}

/// Whether the target owns a pattern that returns the entity.
fn owned(model: &Model, entity: &Entity, target: &Entity) -> Option<Reach> {
    let patterns = target.owns.iter().filter(|id| {
        let access = model.access.get(id.index());
        access.is_some_and(|access| {
            access
                .returns
                .iter()
                .any(|id| model.entity(*id).name == entity.name)
        })
    });
    patterns.filter_map(|id| by_pattern(model, *id)).min()
}

/// The attributes of a referring row that the row it refers to tells: the reference itself, key attributes of the
/// same name, and what both are said to agree on.
fn bound<'e>(
    entity: &'e Entity,
    attribute: &'e Attribute,
    target: &Entity,
    reference: &'e Reference,
) -> BTreeSet<&'e str> {
    let of_target = target.key_attributes();
    let shared = entity
        .attributes
        .iter()
        .map(|own| own.name.value.as_str())
        .filter(|name| of_target.contains(name));
    let mut bound: BTreeSet<_> = shared.collect();
    bound.insert(&attribute.name.value);
    bound.extend(reference.same.iter().map(|same| same.value.as_str()));
    bound
}

/// Whether a key finds the rows: its partition is known. What else stands in the partition is read too, and left out.
fn by_key(key: &Key, bound: &BTreeSet<&str>) -> Option<Reach> {
    let known = |template: &Template| {
        template
            .fields()
            .flat_map(|field| field.attributes())
            .all(|name| bound.contains(name.value.as_str()))
    };
    if !key.partition_templates().all(known) {
        return None;
    }
    // A partition without fields holds rows of everybody: then the sort key must narrow it.
    let narrows = !key.partition_templates().all(Template::is_constant)
        || key
            .range
            .as_ref()
            .is_some_and(|range| begins_known(range, bound));
    narrows.then_some(match key.place {
        KeyPlace::Primary => Reach::Certain,
        KeyPlace::Index(index) => Reach::Index(index),
    })
}

/// Whether the first field of a sort key is known.
fn begins_known(range: &Template, bound: &BTreeSet<&str>) -> bool {
    let first = range.parts.iter().find_map(|part| match part {
        Part::Field(field) => Some(field),
        Part::Literal(_) => None,
    });
    first.is_some_and(|field| {
        field
            .attributes()
            .all(|name| bound.contains(name.value.as_str()))
    })
}

/// A guard keyed by what is known leads to the row: there is at most one.
fn by_guard(model: &Model, entity: &Entity, bound: &BTreeSet<&str>) -> Option<Reach> {
    let found = entity.claims.iter().any(|claim| {
        let names = claim.guard.claimed(model);
        !names.is_empty() && names.iter().all(|name| bound.contains(name))
    });
    found.then_some(Reach::Certain)
}

/// How the row is found that an attribute refers to; None if nothing leads to it.
pub(super) fn target(
    model: &Model,
    entity: &Entity,
    attribute: &Attribute,
    reference: &Reference,
) -> Option<Reach> {
    let target = model.entity(reference.target);
    let id = target.id.as_deref()?;
    let known = |name: &str| {
        name == id
            || entity
                .attribute(name)
                .is_some_and(|own| own.name != attribute.name)
    };
    let key = target.key_attributes();
    if key.contains(&id) && key.iter().all(|name| known(name)) {
        return Some(Reach::Certain);
    }
    let by_id = BTreeSet::from([id]);
    if target.id_claim(model.table(target.table)).is_some() {
        return Some(Reach::Certain);
    }
    let indexes = target.keys.iter().filter_map(|key| by_key(key, &by_id));
    indexes.min()
}
