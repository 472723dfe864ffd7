//! Ways from a row to others.

use crate::model::{
    Assignment, Attribute, Claim, Entity, EntityId, Guard, Key, KeyPlace, Kind, Model, Part,
    Source, Way,
};
use crate::plan::key_text::{KeyText, is_known, uses};
use crate::plan::route::{BackRoute, EntityPlan, Given, GuardKey, GuardPlan, RowRoute, Told};
use crate::span::Name;

/// How rows of an entity are found.
pub(super) fn compile_entity(model: &Model, id: EntityId) -> EntityPlan {
    let entity = model.entity(id);
    let keys = entity.keys.iter();
    let mut keys: Vec<_> = keys
        .map(|key| KeyText::new(model, entity.table, key))
        .collect();
    keys.sort_by_key(|key| key.at.index().is_some());
    let claims = entity.claims.iter();
    let references = entity.attributes.iter();
    EntityPlan {
        attributes: attribute_names(entity),
        keys,
        layouts: layouts(model, entity),
        layout_indexes: layout_indexes(model, entity),
        guards: claims.map(|claim| guard(model, entity, claim)).collect(),
        references: references
            .filter_map(|attribute| compile_back(model, id, &attribute.name.value))
            .collect(),
    }
}

fn attribute_names(entity: &Entity) -> Vec<String> {
    let attributes = entity.attributes.iter();
    attributes
        .map(|attribute| attribute.name.value.clone())
        .collect()
}

/// The primary keys of the layouts of an entity that are only read.
pub(super) fn layouts(model: &Model, entity: &Entity) -> Vec<KeyText> {
    let layouts = entity.layouts.iter();
    layouts
        .filter_map(|layout| {
            let key = primary(&layout.keys)?;
            Some(KeyText::new(model, layout.table, key))
        })
        .collect()
}

/// The keys in indexes of the layouts of an entity that are only read.
fn layout_indexes(model: &Model, entity: &Entity) -> Vec<KeyText> {
    let layouts = entity.layouts.iter();
    layouts
        .flat_map(|layout| {
            let keys = layout.keys.iter();
            let indexes = keys.filter(|key| matches!(key.place, KeyPlace::Index(_)));
            indexes.map(|key| KeyText::new(model, layout.table, key))
        })
        .collect()
}

fn primary(keys: &[Key]) -> Option<&Key> {
    keys.iter().find(|key| key.place == KeyPlace::Primary)
}

/// From a row of `source` to the row of `target` that its attribute names.
pub(super) fn compile_row(
    model: &Model,
    source: EntityId,
    target: EntityId,
    attribute: &str,
) -> RowRoute {
    let declared = model.entity(target);
    let given = reference_key(model, target, attribute);
    RowRoute {
        entity: target,
        key: given.filter(|given| is_told(model.entity(source), declared, given)),
        guard: declared.id_claim(model.table(declared.table)),
        id: declared.id.clone(),
    }
}

/// What a row that refers tells of the key of the row it refers to: the id, and whatever else has the same name. None if
/// the key shows a state: that of the one row is not that of the other, whatever they are called.
fn reference_key(model: &Model, target: EntityId, attribute: &str) -> Option<Vec<Given>> {
    let declared = model.entity(target);
    let id = declared.id.as_deref()?;
    let of_key = declared.key_attributes();
    if of_key.iter().any(|name| is_state(declared, name)) {
        return None;
    }
    let others = of_key.into_iter().filter(|name| *name != id);
    let given = |name: &str, from: &str| Given {
        name: name.to_owned(),
        from: from.to_owned(),
    };
    let mut all: Vec<_> = others.map(|name| given(name, name)).collect();
    all.push(given(id, attribute));
    Some(all)
}

/// Whether an attribute of a key is a state that changes: a number or a word.
fn is_state(entity: &Entity, name: &str) -> bool {
    entity.attribute(name).is_some_and(|attribute| {
        let changes = attribute.kind.is_number() || matches!(attribute.kind, Kind::Enum(_));
        attribute.movable && changes
    })
}

/// Whether rows of an entity can have all that a key needs.
fn is_told(source: &Entity, target: &Entity, given: &[Given]) -> bool {
    let has = |name: &str| {
        let from = given.iter().find(|given| given.name == name);
        from.is_some_and(|given| source.open || source.attribute(&given.from).is_some())
    };
    let falls_back = |part: &Part| matches!(part, Part::Field(field) if field.has_fallback());
    let mut parts = target.primary().into_iter().flat_map(|key| {
        let range = key.range.iter().flat_map(|range| &range.parts);
        key.hash.parts.iter().chain(range)
    });
    parts.all(|part| is_known(part, has) || falls_back(part))
}

/// From a row to those of `entity` that refer to it by an attribute; none if that is no reference.
pub(super) fn compile_back(model: &Model, entity: EntityId, attribute: &str) -> Option<BackRoute> {
    let referrer = model.entity(entity);
    let reference = referrer.attribute(attribute)?.reference.as_ref()?;
    let target = model.entity(reference.target);
    let id = target.id.as_deref()?;
    let same = reference.same.iter().map(|same| same.value.as_str());
    let shared = target.key_attributes().into_iter().chain(same);
    let shared = shared.filter(|name| referrer.attribute(name).is_some() && *name != attribute);
    let given = |name: &str, from: &str| Given {
        name: name.to_owned(),
        from: from.to_owned(),
    };
    let mut all: Vec<_> = shared.map(|name| given(name, name)).collect();
    all.push(given(attribute, id));
    let via = reference.via;
    Some(BackRoute {
        entity,
        attribute: attribute.to_owned(),
        target: reference.target,
        given: all,
        guard: via.and_then(|via| match model.pattern(via).way {
            Way::Through { entity, claim } => Some((entity, claim)),
            _ => None,
        }),
        via,
        old_layouts: old_layouts(model, referrer, attribute),
    })
}

/// Where rows under the keys of old layouts are found: in indexes, which they share with those of today.
fn old_layouts(model: &Model, entity: &Entity, attribute: &str) -> Vec<KeyText> {
    let partition = |keys: &[Key]| primary(keys).map(|key| key.hash.text.clone());
    let own = partition(&entity.keys);
    let mut layouts = entity.layouts.iter();
    if !layouts.any(|layout| partition(&layout.keys).is_some_and(|old| Some(old) != own)) {
        return Vec::new();
    }
    let indexes = entity.keys.iter().filter(|key| {
        let mut partition = key.partition_templates();
        matches!(key.place, KeyPlace::Index(_))
            && partition.any(|template| uses(&template.parts, attribute))
    });
    indexes
        .map(|key| KeyText::new(model, entity.table, key).without_sort())
        .collect()
}

fn guard(model: &Model, owner: &Entity, claim: &Claim) -> Option<GuardPlan> {
    let table = model.table(owner.table);
    let (guard, tells, keeps): (_, _, &[Name]) = match &claim.guard {
        Guard::Row {
            key,
            attributes,
            keeps,
            ..
        } => {
            let kept = keeps.iter().map(|name| &name.value);
            let names = attributes.iter().chain(&owner.id).chain(kept);
            let tells = names.map(|name| Told {
                name: name.clone(),
                held_as: owner.attribute(name).map_or(name, stored).clone(),
            });
            let key = KeyText::new(model, owner.table, key);
            (GuardKey::Row(Box::new(key)), tells.collect(), keeps)
        }
        Guard::Entity { entity, set, .. } => {
            let tells = set.iter().filter_map(told_by).collect();
            let (entity, set) = (*entity, set.clone());
            (GuardKey::Entity { entity, set }, tells, &[])
        }
        // Decided when a snapshot is committed.
        Guard::Snapshot => return None,
    };
    let range = table.range.as_ref().map(|range| &range.value);
    let is_kept = |range: &&String| keeps.iter().any(|name| name.value == **range);
    Some(GuardPlan {
        claim: claim.name.value.clone(),
        guard,
        tells,
        // The guard has a sort key of that name itself.
        sort_key: range.filter(is_kept).map(|range| format!("owner{range}")),
    })
}

const fn stored(attribute: &Attribute) -> &String {
    &attribute.stored
}

/// What an attribute of a guard that is an entity tells of its owner, if it is an attribute of the owner as it is.
fn told_by(assignment: &Assignment) -> Option<Told> {
    let [Part::Field(field)] = assignment.value.template()?.parts.as_slice() else {
        return None;
    };
    match field.sources.as_slice() {
        [
            Source::Path {
                root: None, names, ..
            },
        ] if field.formats.is_empty() => Some(Told {
            name: names.last()?.value.clone(),
            held_as: assignment.name.value.clone(),
        }),
        _ => None,
    }
}
