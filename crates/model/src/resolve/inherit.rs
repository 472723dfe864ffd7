//! `like`: all of another entity, then what follows.
//!
//! Everything is inherited but `covers`, `about`, `accept`, `unique` and `owns`: those are about one set of
//! rows. A layout is inherited as far as the entity has no key of its own at that place.

use super::names::Names;
use crate::diagnostic::{Code, Findings};
use crate::span::Name;
use crate::syntax::entity::{Entity, Keys, Layout};
use crate::syntax::file::File;

/// The entities of a file with what they are like.
pub(super) fn whole_entities(file: &File, names: &Names, findings: &mut Findings) -> Vec<Entity> {
    let mut whole = Vec::with_capacity(file.entities.len());
    for entity in &file.entities {
        whole.extend(whole_entity(entity, file, names, findings));
    }
    whole
}

fn whole_entity(
    entity: &Entity,
    file: &File,
    names: &Names,
    findings: &mut Findings,
) -> Option<Entity> {
    // From the entity up; the last one is like nothing.
    let mut chain = vec![entity];
    let mut next = entity.like.as_ref();
    while let Some(like) = next {
        let above = file.entities.get(names.entities.find(like, findings)?)?;
        if chain.iter().any(|seen| seen.name.value == above.name.value) {
            let message = format!(
                "`{}` is like itself, by way of `{}`",
                entity.name.value, like.value
            );
            findings.error(Code::Cycle, like.span, message);
            return None;
        }
        chain.push(above);
        next = above.like.as_ref();
    }
    let mut chain = chain.into_iter().rev();
    let first = chain.next()?.clone();
    Some(chain.fold(first, merge))
}

fn merge(above: Entity, below: &Entity) -> Entity {
    let below = below.clone();
    Entity {
        layouts: layouts(&above.layouts, &below),
        table: below.table.or(above.table),
        is: by_name(above.is, below.is),
        id: below.id.or(above.id),
        keys: Keys {
            table: None,
            key: below.keys.key.or(above.keys.key),
            indexes: by_name(above.keys.indexes, below.keys.indexes),
            global: below.keys.global.or(above.keys.global),
        },
        when: by_name(above.when, below.when),
        open: below.open.or(above.open),
        writes: below.writes.or(above.writes),
        message_on_writes: below.message_on_writes.or(above.message_on_writes),
        on_exists: below.on_exists.or(above.on_exists),
        message_on_exists: below.message_on_exists.or(above.message_on_exists),
        allow: by_name(above.allow, below.allow),
        must: by_name(above.must, below.must),
        each: or(below.each, above.each),
        tombstone: or(below.tombstone, above.tombstone),
        upgrades: or(below.upgrades, above.upgrades),
        also: below.also.or(above.also),
        volume: below.volume.or(above.volume),
        relation: below.relation.or(above.relation),
        attributes: attributes(above.attributes, below.attributes),
        name: below.name,
        notes: below.notes,
        like: below.like,
        owns: below.owns,
        accepts: below.accepts,
        claims: below.claims,
        span: below.span,
    }
}

fn or<T>(below: Vec<T>, above: Vec<T>) -> Vec<T> {
    if below.is_empty() { above } else { below }
}

fn by_name<T>(above: Vec<(Name, T)>, below: Vec<(Name, T)>) -> Vec<(Name, T)> {
    let mut all: Vec<_> = above
        .into_iter()
        .filter(|(name, _)| !below.iter().any(|(other, _)| other.value == name.value))
        .collect();
    all.extend(below);
    all
}

/// An attribute that is declared again keeps its place.
fn attributes(
    above: Vec<crate::syntax::attribute::Attribute>,
    below: Vec<crate::syntax::attribute::Attribute>,
) -> Vec<crate::syntax::attribute::Attribute> {
    let mut below: Vec<_> = below.into_iter().map(Some).collect();
    let mut all = Vec::new();
    for attribute in above {
        let again = below
            .iter_mut()
            .find(|other| {
                other
                    .as_ref()
                    .is_some_and(|other| other.name.value == attribute.name.value)
            })
            .and_then(Option::take);
        all.push(again.unwrap_or(attribute));
    }
    all.extend(below.into_iter().flatten());
    all
}

fn layouts(above: &[Layout], below: &Entity) -> Vec<Layout> {
    let own = |name: &Name| {
        below
            .keys
            .indexes
            .iter()
            .any(|(own, _)| own.value == name.value)
    };
    let mut all: Vec<Layout> = Vec::new();
    for layout in above {
        if below
            .layouts
            .iter()
            .any(|other| other.name.value == layout.name.value)
        {
            continue;
        }
        let keys = Keys {
            table: layout.keys.table.clone(),
            key: layout.keys.key.clone().filter(|_| below.keys.key.is_none()),
            indexes: layout
                .keys
                .indexes
                .iter()
                .filter(|(name, _)| !own(name))
                .cloned()
                .collect(),
            global: layout.keys.global.clone(),
        };
        let empty = keys.key.is_none()
            && keys.indexes.is_empty()
            && keys.table.is_none()
            && keys.global.is_none();
        if !empty {
            all.push(Layout {
                name: layout.name.clone(),
                keys,
            });
        }
    }
    all.extend(below.layouts.iter().cloned());
    all
}
