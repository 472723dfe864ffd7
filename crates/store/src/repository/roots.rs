//! What rows take from other rows of their snapshot: values through references, and the root above them.

use super::change_set::referred_rows;
use super::instance::RepositoryInstance;
use super::snapshot_rows::{SnapshotRow, SnapshotRows, State, text};
use crate::profile::in_predicate;
use crate::record::{self, Conditions, Record};
use monotable_item::AttributeValue;
use monotable_model::model::{Attribute, Entity, EntityId, Source, Template};
use std::collections::{BTreeMap, BTreeSet};

/// Works out again what follows from other rows.
pub(super) fn settle(instance: &RepositoryInstance<'_>, contents: &mut SnapshotRows<'_>) {
    for id in &instance.declared.entities {
        let entity = instance.reader.entity(*id);
        for attribute in &entity.attributes {
            if let Some(relation) = attribute.top {
                tops(instance, contents, (*id, entity), attribute, relation);
            }
        }
        let looked_at = looked_at(entity);
        if !looked_at.is_empty() {
            computed(instance, contents, *id, &looked_at);
        }
    }
}

/// The attributes of other rows that rows of an entity take, by the references that lead there.
fn looked_at(entity: &Entity) -> BTreeMap<EntityId, BTreeSet<String>> {
    let mut names: BTreeMap<EntityId, BTreeSet<String>> = BTreeMap::new();
    let templates = entity
        .attributes
        .iter()
        .filter_map(|attribute| attribute.computed.as_ref());
    for source in templates
        .flat_map(Template::fields)
        .flat_map(|field| &field.sources)
    {
        if let Source::Path {
            root: None,
            names: path,
            ..
        } = source
            && let [through, name] = path.as_slice()
            && let Some(reference) = entity
                .attribute(&through.value)
                .and_then(|attribute| attribute.reference.as_ref())
        {
            let taken = names.entry(reference.target).or_default();
            taken.insert(name.value.clone());
        }
    }
    names
}

fn computed(
    instance: &RepositoryInstance<'_>,
    contents: &mut SnapshotRows<'_>,
    entity: EntityId,
    looked_at: &BTreeMap<EntityId, BTreeSet<String>>,
) {
    let reader = instance.reader;
    let all = looked_at
        .iter()
        .any(|(target, names)| contents.unsettles(*target, names));
    for index in 0..contents.len() {
        let Some(member) = contents.member(index) else {
            continue;
        };
        let asked = all || member.is_changed();
        if member.entity != entity || !member.is_there() || !asked {
            continue;
        }
        let mut record = contents.record(member).clone();
        let circumstances = reader
            .circumstances
            .with_referred(referred_rows(instance, contents, &record));
        record::compute(reader.model(), &mut record, &circumstances);
        replace(contents, index, record);
    }
}

fn replace(contents: &mut SnapshotRows<'_>, index: usize, record: Record) {
    let differs = contents
        .member(index)
        .is_some_and(|member| *contents.record(member) != record);
    if differs {
        contents.replace(index, record, State::Moved);
    }
}

/// Each row's root: what walking the relation up from it reaches in the end; itself, if nothing is above it. Of several
/// roots it is one that the row also refers to, or else the one it had, or else the first.
fn tops(
    instance: &RepositoryInstance<'_>,
    contents: &mut SnapshotRows<'_>,
    (id, entity): (EntityId, &Entity),
    attribute: &Attribute,
    relation: EntityId,
) {
    let reader = instance.reader;
    // If nothing above anything has changed, only rows that changed themselves are looked at.
    let all = contents.differs(relation);
    let depends = depends_on(entity, attribute);
    let wanted = |contents: &SnapshotRows<'_>, member: &SnapshotRow| {
        member.entity == id
            && member.is_there()
            && (all || member.is_changed() && is_touched(contents, member, attribute, &depends))
    };
    if !contents.there().any(|member| wanted(contents, member)) {
        return;
    }
    let above = parents(instance, contents, relation);
    let name = &attribute.name.value;
    let Some(own_id) = &entity.id else {
        return;
    };
    for index in 0..contents.len() {
        let member = contents.member(index);
        let Some(member) = member.filter(|member| wanted(contents, member)) else {
            continue;
        };
        let mut record = contents.record(member).clone();
        let Some(own) = text(&record.values, own_id) else {
            continue;
        };
        let conditions = Conditions::new(reader.model(), &record.values, &reader.circumstances);
        let allowed = attribute
            .presence
            .only_if
            .as_ref()
            .is_none_or(|only| conditions.holds(entity, only) != Some(false));
        if allowed {
            let roots = roots(&above, &own);
            if let Some(root) = chosen(entity, &record, name, &roots) {
                record
                    .values
                    .insert(name.clone(), AttributeValue::S(root.clone()));
            }
        } else {
            record.values.remove(name);
        }
        replace(contents, index, record);
    }
}

/// The attributes of a row that decide about its root, beside the relation: its references, and whether it has a root.
fn depends_on(entity: &Entity, attribute: &Attribute) -> BTreeSet<String> {
    let references = crate::profile::references(entity);
    let mut names: BTreeSet<_> = references
        .map(|(reference, _)| reference.name.value.clone())
        .collect();
    names.insert(attribute.name.value.clone());
    if let Some(only) = &attribute.presence.only_if {
        in_predicate(only, &mut names);
    }
    names
}

/// Whether a changed row may have another root than it had, although the relation is as it was.
fn is_touched(
    contents: &SnapshotRows<'_>,
    member: &SnapshotRow,
    attribute: &Attribute,
    depends: &BTreeSet<String>,
) -> bool {
    let has_root = || {
        let values = &contents.record(member).values;
        values.get(&attribute.name.value).is_some()
    };
    !has_root() || !contents.changed_names(member).is_disjoint(depends)
}

/// The first ends of a relation, by their second ends.
fn parents(
    instance: &RepositoryInstance<'_>,
    contents: &SnapshotRows<'_>,
    relation: EntityId,
) -> BTreeMap<String, Vec<String>> {
    let mut above: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let Some(ends) = &instance.reader.entity(relation).relation else {
        return above;
    };
    for member in contents.rows(relation) {
        let values = &contents.record(member).values;
        let (from, to) = (text(values, &ends.from.value), text(values, &ends.to.value));
        if let (Some(from), Some(to)) = (from, to) {
            above.entry(to).or_default().push(from);
        }
    }
    above
}

/// Everything above a row that has nothing above it.
fn roots(above: &BTreeMap<String, Vec<String>>, start: &str) -> BTreeSet<String> {
    let mut roots = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![start.to_owned()];
    while let Some(id) = open.pop() {
        if !seen.insert(id.clone()) {
            continue;
        }
        match above.get(&id) {
            Some(parents) => open.extend(parents.iter().cloned()),
            None => {
                roots.insert(id);
            }
        }
    }
    roots
}

fn chosen<'r>(
    entity: &Entity,
    record: &Record,
    name: &str,
    roots: &'r BTreeSet<String>,
) -> Option<&'r String> {
    let others = crate::profile::references(entity)
        .map(|(attribute, _)| attribute.name.value.as_str())
        .filter(|other| *other != name);
    let named = others.filter_map(|other| text(&record.values, other));
    let before = text(&record.values, name);
    named
        .chain(before)
        .find_map(|known| roots.get(&known))
        .or_else(|| roots.first())
}
