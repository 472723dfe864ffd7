//! Plans, worked out from a model.

mod condition;
mod needs;
mod parameters;
mod routes;
mod ways;

use super::shape::{Follow, FollowedReference, Keep, Paging, Shape};
use super::{Plans, ReadPlan};
use crate::model::{Access, AccessId, Model, Order, Way};
use crate::span::Name;

/// Every plan of a model.
pub(super) fn compile(model: &Model) -> Plans {
    let entities = model.entities();
    let patterns = model.patterns();
    Plans {
        prefix: model.tenant.as_ref().map(|tenant| tenant.prefix.clone()),
        entities: entities
            .map(|(id, _)| routes::compile_entity(model, id))
            .collect(),
        patterns: patterns
            .map(|(id, access)| compile_pattern(model, id, access))
            .collect(),
    }
}

fn compile_pattern(model: &Model, id: AccessId, access: &Access) -> ReadPlan {
    ReadPlan {
        name: access.name.value.clone(),
        parameters: parameters::compile(model, access),
        reach: ways::compile(model, access),
        consistent: access.consistent,
        keep: Keep {
            entities: access.returns.clone(),
            drops: access.drops.clone(),
            within: parameters::compile_within(access),
            filter: access.filter.clone(),
            tells_unknown: model
                .entities
                .iter()
                .any(|entity| entity.owns.contains(&id)),
        },
        shape: Shape {
            distinct: texts(&access.distinct),
            distinct_pairs: access.distinct_pairs,
            sort: texts(&access.sort),
            descending: access.order == Order::Descending,
            one: access.one,
            limit: access.limit,
            paging: paging(access),
            only: texts(&access.only),
        },
        follow: access
            .follow
            .iter()
            .map(|name| follow(model, access, name))
            .collect(),
        ends: ends(model, access),
    }
}

/// The ends of the pattern's relations that can be buried while the relation stands.
fn ends(model: &Model, access: &Access) -> Vec<Follow> {
    let mut ends: Vec<Follow> = Vec::new();
    let relations = access
        .returns
        .iter()
        .filter_map(|id| model.entity(*id).relation.as_ref());
    for name in relations.flat_map(|relation| [&relation.from, &relation.to]) {
        let mut end = follow(model, access, name);
        end.references.retain(|reference| {
            let target = reference.to.entity;
            !model.entity(target).tombstone.is_empty() && !access.returns.contains(&target)
        });
        if !end.references.is_empty() {
            ends.push(end);
        }
    }
    ends
}

fn texts(names: &[Name]) -> Vec<String> {
    names.iter().map(|name| name.value.clone()).collect()
}

/// What is put in order as a whole is read as a whole.
fn paging(access: &Access) -> Paging {
    let plain = access.distinct.is_empty() && !access.distinct_pairs && access.sort.is_empty();
    match access.way {
        Way::Get { .. } | Way::Query { .. } | Way::Through { .. } if plain => Paging::ByKey,
        _ => Paging::ByCount,
    }
}

fn follow(model: &Model, access: &Access, name: &Name) -> Follow {
    let references = access.returns.iter().filter_map(|source| {
        let attribute = model.entity(*source).attribute(&name.value)?;
        let reference = attribute.reference.as_ref()?;
        Some(FollowedReference {
            source: *source,
            many: reference.many,
            to: routes::compile_row(model, *source, reference.target, &name.value),
        })
    });
    Follow {
        attribute: name.value.clone(),
        references: references.collect(),
    }
}
