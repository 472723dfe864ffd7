//! The attributes that a pattern with `only` needs of its rows: those it answers, and those that decide about a row.
//!
//! Where something may need more than can be told beforehand, all attributes are read: old spellings, older shapes, other
//! layouts, rights that rows give, notes about what was read, items that are not known, keys in partitions of all tenants,
//! and indexes that hold a part. The answer is cut down to `only` in any case.

use crate::model::{
    Access, AuditEvent, Entity, EntityId, Key, KeyPlace, Model, Predicate, Projection, Role,
    TableId,
};
use monotable_expr::predicate::Root;
use std::collections::BTreeSet;

/// The attributes to read, as they are stored; none if all are read.
pub(super) fn projection(
    model: &Model,
    access: &Access,
    table: TableId,
    place: KeyPlace,
) -> Option<Vec<String>> {
    let is_whole = match place {
        KeyPlace::Primary => true,
        KeyPlace::Index(position) => {
            let index = model.table(table).indexes.get(position)?;
            index.projection == Projection::All
        }
    };
    let tellable = access.returns.iter().all(|id| is_tellable(model, *id));
    // Items that the model does not know are told of as they are.
    let is_owned = model.entities.iter().any(|entity| {
        let mut owned = entity.owns.iter();
        owned.any(|id| model.pattern(*id).name.value == access.name.value)
    });
    if access.only.is_empty() || !is_whole || !tellable || is_owned {
        return None;
    }
    let mut needed = BTreeSet::new();
    add_keys(model, table, &mut needed);
    for id in &access.returns {
        for name in names(model, access, *id) {
            let attribute = model.entity(*id).attribute(&name);
            // What is in keys only is read back from them.
            if attribute.is_none_or(|attribute| !attribute.key_only) {
                needed.insert(attribute.map_or(name, |attribute| attribute.stored.clone()));
            }
        }
    }
    Some(needed.into_iter().collect())
}

/// Whether it is known beforehand what of a row is needed.
fn is_tellable(model: &Model, id: EntityId) -> bool {
    let entity = model.entity(id);
    let is_plain = entity.upgrades.is_empty() && entity.layouts.is_empty();
    let is_spelled_once = !entity.also_camel_case
        && entity.attributes.iter().all(|attribute| {
            let is_unwritten = attribute.key_only && attribute.computed.is_some();
            attribute.aliases.is_empty() && !is_unwritten
        });
    let is_noted = model.audits.iter().any(|audit| {
        let mut events = audit.on.iter();
        audit.of.contains(&id)
            && events.any(|event| matches!(event, AuditEvent::Read | AuditEvent::Denied))
    });
    let is_granted = model.grants.iter().any(|grant| grant.of.contains(&id));
    let is_shared = model.tenant.is_some() && entity.primary().is_some_and(|key| key.global);
    is_plain && is_spelled_once && !is_noted && !is_granted && !is_shared
}

/// All keys of the table, what tells entities apart, and when a row expires.
fn add_keys(model: &Model, table: TableId, needed: &mut BTreeSet<String>) {
    let declared = model.table(table);
    let own = std::iter::once(&declared.hash).chain(&declared.range);
    let all = own.chain(declared.index_attributes()).chain(&declared.ttl);
    needed.extend(all.map(|name| name.value.clone()));
    for (_, entity) in model.stored() {
        let discriminators = entity.is.iter();
        needed.extend(discriminators.map(|one| one.attribute.value.clone()));
    }
}

/// The attributes that are needed of rows of an entity, by their names in the model.
fn names(model: &Model, access: &Access, id: EntityId) -> BTreeSet<String> {
    let entity = model.entity(id);
    let mut names = BTreeSet::new();
    let listed = access.only.iter().chain(&access.distinct);
    let listed = listed.chain(&access.sort).chain(&access.follow);
    names.extend(listed.map(|name| name.value.clone()));
    if let Some(relation) = &entity.relation {
        names.extend([relation.from.value.clone(), relation.to.value.clone()]);
    }
    let rules = access.filter.iter().chain(&entity.allow.read);
    names.extend(rules.flat_map(row_names));
    let mark = entity.attributes.iter();
    let mark = mark.filter(|attribute| attribute.role == Some(Role::Deleting));
    names.extend(mark.map(|attribute| attribute.name.value.clone()));
    let tombstone = entity.tombstone.iter();
    names.extend(tombstone.map(|assignment| assignment.name.value.clone()));
    // Texts are held once more against the ranges that were asked for.
    let parameters = access.parameters.iter();
    names.extend(parameters.map(|parameter| parameter.name.clone()));
    names.extend(key_names(entity));
    let referred: Vec<_> = names
        .iter()
        .flat_map(|name| target_names(model, entity, name))
        .collect();
    names.extend(referred);
    let is_there = |name: &String| {
        entity.attribute(name).is_some() || entity.family(name).is_some() || entity.open
    };
    names.retain(is_there);
    names
}

/// What a predicate says of the row itself.
fn row_names(predicate: &Predicate) -> Vec<String> {
    let paths = predicate.parsed().paths().into_iter();
    let of_row = paths.filter(|path| matches!(path.root(), None | Some(Root::Old | Root::New)));
    of_row
        .filter_map(|path| path.first_name().map(str::to_owned))
        .collect()
}

/// What a row tells of the key of the row that a reference names: attributes of the same names.
fn target_names(model: &Model, entity: &Entity, name: &str) -> Vec<String> {
    let attribute = entity.attribute(name);
    let reference = attribute.and_then(|attribute| attribute.reference.as_ref());
    let target = reference.map(|reference| model.entity(reference.target).key_attributes());
    let names = target.into_iter().flatten();
    names.map(str::to_owned).collect()
}

/// What its keys show: an attribute may contradict a key.
fn key_names(entity: &Entity) -> Vec<String> {
    let templates = entity.keys.iter().flat_map(Key::templates);
    let names = templates.flat_map(|template| {
        let fields = template.fields();
        fields.flat_map(|field| field.attributes().map(|name| name.value.clone()))
    });
    names.collect()
}
