//! Key conditions in the layout that is written.
//!
//! A pattern is written with the keys that its entities declare. Where the model writes another layout, the same question
//! is asked there: what the condition says of each field of the declared key (`bindings`) is said of the same field of the
//! layout's key (`rewritten`). The place stays the same if it can; else it is the first key of the layout that selects by
//! exactly what is given. A question that no key of the layout answers is an error of the model.

mod bindings;
mod kinds;
mod rewritten;

use crate::model::{Entity, EntityId, Further, Key, KeyPlace, Model, Part, TableId, Template};
use bindings::Bindings;

/// A condition on a key of a table.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) table: TableId,
    pub(super) place: KeyPlace,
    pub(super) hash: Template,
    pub(super) range: Option<Template>,
    pub(super) further: Further<Template>,
}

/// Whether rows of any of these are written in another layout than they declare.
pub(super) fn is_chosen(model: &Model, returns: &[EntityId]) -> bool {
    let mut returned = returns.iter().map(|id| model.entity(*id));
    returned.any(|entity| entity.layout.is_some())
}

/// The entities that stand in one table: that of the pattern, if any of them is still there. A layout may keep an entity
/// apart from those it is declared with; then only its old rows are met.
fn together(model: &Model, declared: TableId, returns: &[EntityId]) -> Vec<EntityId> {
    let table_of = |id: &EntityId| model.entity(*id).table;
    let stays = returns.iter().any(|id| table_of(id) == declared);
    let table = match returns.first() {
        Some(first) if !stays => table_of(first),
        _ => declared,
    };
    let here = returns.iter().copied();
    here.filter(|id| table_of(id) == table).collect()
}

/// What is asked, in the layout that is written; or why it cannot be.
pub(super) fn asked(
    model: &Model,
    declared: &Asked,
    returns: &[EntityId],
) -> Result<Asked, String> {
    let mut whole: Option<(Asked, Option<bool>)> = None;
    for id in together(model, declared.table, returns) {
        let entity = model.entity(id);
        let own = of_entity(model, declared, entity)?;
        // With the tenant's prefix, or without it: another partition.
        let global = entity.key(own.place).map(|key| key.global);
        let apart = || {
            let name = &entity.name.value;
            format!("{name} stands in another partition than what it is returned with")
        };
        whole = Some(match whole {
            None => (own, global),
            Some((others, known)) if known == global => {
                (both(others, own).ok_or_else(apart)?, global)
            }
            Some(_) => return Err(apart()),
        });
    }
    let whole = whole.map(|(asked, _)| asked);
    Ok(whole.unwrap_or_else(|| declared.clone()))
}

fn of_entity(model: &Model, declared: &Asked, entity: &Entity) -> Result<Asked, String> {
    let Some(layout) = &entity.layout else {
        return Ok(declared.clone());
    };
    let (_, keys) = entity.declared_keys();
    let Some(key) = keys.iter().find(|key| key.place == declared.place) else {
        // It can never be returned, which is said elsewhere.
        return Ok(declared.clone());
    };
    let same_place = same_place(model, declared, entity.table);
    let own = entity.keys.iter().find(|own| Some(own.place) == same_place);
    if let Some(own) = own.filter(|own| is_same(own, key)) {
        return Ok(Asked {
            table: entity.table,
            place: own.place,
            ..declared.clone()
        });
    }
    let key = kinds::shown(entity, key, declared);
    let bindings = Bindings::of(&key, declared);
    // What is said of a key of several attributes is not said of another one: it would have to be split, or put together.
    let others = entity
        .keys
        .iter()
        .filter(|other| Some(other.place) != same_place && other.further.is_empty());
    let own = own.filter(|own| own.further.is_empty());
    let mut candidates = own.into_iter().chain(others);
    let found = bindings.and_then(|bindings| {
        candidates.find_map(|key| {
            let stays = Some(key.place) == same_place;
            let key = kinds::shown(entity, key, declared);
            rewritten::condition(&bindings, &key, stays && declared.range.is_none())
        })
    });
    let (place, hash, range) = found.ok_or_else(|| {
        format!(
            "no key of {} in layout `{}` answers it",
            entity.name.value, layout.value
        )
    })?;
    let table = entity.table;
    Ok(Asked {
        table,
        place,
        hash,
        range,
        further: Further::none(),
    })
}

/// The index of that name, or the primary key, in the layout's table.
fn same_place(model: &Model, declared: &Asked, table: TableId) -> Option<KeyPlace> {
    let KeyPlace::Index(position) = declared.place else {
        return Some(KeyPlace::Primary);
    };
    let name = &model
        .table(declared.table)
        .indexes
        .get(position)?
        .name
        .value;
    let mut indexes = model.table(table).indexes.iter();
    indexes
        .position(|index| index.name.value == *name)
        .map(KeyPlace::Index)
}

fn is_same(one: &Key, other: &Key) -> bool {
    let texts = |key: &Key| -> Vec<String> {
        let templates = key.templates();
        templates.map(|template| template.text.clone()).collect()
    };
    texts(one) == texts(other)
}

/// One condition that finds what two find: the same partition, and what their sort keys begin with.
fn both(one: Asked, other: Asked) -> Option<Asked> {
    let same =
        one.table == other.table && one.place == other.place && one.hash.text == other.hash.text;
    if !same {
        return None;
    }
    let text = |asked: &Asked| asked.range.as_ref().map(|range| range.text.clone());
    let further = |asked: &Asked| asked.further.map(|template| template.text.clone());
    let is_further = further(&one) == further(&other);
    if text(&one) == text(&other) && is_further {
        return Some(one);
    }
    if !one.further.is_empty() || !other.further.is_empty() {
        return None;
    }
    let range = match (&one.range, &other.range) {
        (Some(first), Some(second)) => common(first, second)?,
        _ => return None,
    };
    let range = Some(range);
    Some(Asked { range, ..one })
}

/// What both begin with, if they ask for the same.
fn common(first: &Template, second: &Template) -> Option<Template> {
    let fields = |template: &Template| template.fields().count();
    let mut parts = Vec::new();
    for (one, other) in first.parts.iter().zip(&second.parts) {
        match (one, other) {
            (Part::Literal(one), Part::Literal(other)) if one.value != other.value => {
                let pairs = one.value.chars().zip(other.value.chars());
                let alike = pairs.take_while(|(one, other)| one == other);
                let mut shared = one.clone();
                shared.value = alike.map(|(one, _)| one).collect();
                if !shared.value.is_empty() {
                    parts.push(Part::Literal(shared));
                }
                break;
            }
            _ if one.to_string() == other.to_string() => parts.push(one.clone()),
            _ => break,
        }
    }
    let both = Template::of_parts(parts, true, first.span);
    let closed = matches!(both.parts.last(), Some(Part::Literal(_)));
    (closed && fields(&both) == fields(first) && fields(&both) == fields(second)).then_some(both)
}
