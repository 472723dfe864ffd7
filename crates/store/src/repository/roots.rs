//! What rows take from other rows of their snapshot: values through references, and the root above them.

use super::change_set::referred_rows;
use super::contents::{Contents, text};
use super::instance::Instance;
use crate::record::{self, Conditions, Record};
use crate::write::through;
use monotable_item::AttributeValue;
use monotable_model::model::{Attribute, Entity, EntityId};
use std::collections::{BTreeMap, BTreeSet};

/// Works out again what follows from other rows.
pub(super) fn settle(instance: &Instance<'_>, contents: &mut Contents) {
    for id in &instance.declared.entities {
        let entity = instance.session.entity(*id);
        for attribute in &entity.attributes {
            if let Some(relation) = attribute.top {
                tops(instance, contents, (*id, entity), attribute, relation);
            }
        }
        if entity.attributes.iter().any(looks_through) {
            computed(instance, contents, *id);
        }
    }
}

/// Whether an attribute is what another row says.
fn looks_through(attribute: &Attribute) -> bool {
    let computed = attribute.computed.as_ref();
    computed.is_some_and(|template| !through(template).is_empty())
}

fn computed(instance: &Instance<'_>, contents: &mut Contents, entity: EntityId) {
    let session = instance.session;
    for index in 0..contents.members.len() {
        let Some(member) = contents.members.get(index) else {
            continue;
        };
        if member.record.entity != entity || !member.is_there() {
            continue;
        }
        let follows = |(attribute, reference): (&Attribute, &monotable_model::model::Reference)| {
            let id = member.record.values.get(&attribute.name.value);
            let target = id.and_then(|id| contents.referred(reference.target, id));
            target.is_some_and(|target| target.is_changed())
        };
        let stale =
            member.is_changed() || crate::anatomy::references(session.entity(entity)).any(follows);
        if !stale {
            continue;
        }
        let mut record = member.record.clone();
        let around = session
            .around
            .with_referred(referred_rows(instance, contents, &record));
        record::compute(session.model(), &mut record, &around);
        replace(contents, index, record);
    }
}

fn replace(contents: &mut Contents, index: usize, record: Record) {
    if let Some(member) = contents.members.get_mut(index)
        && member.record != record
    {
        member.record = record;
        member.move_on();
    }
}

/// Each row's root: what walking the relation up from it reaches in the end; itself, if nothing is above it. Of several
/// roots it is one that the row also refers to, or else the one it had, or else the first.
fn tops(
    instance: &Instance<'_>,
    contents: &mut Contents,
    (id, entity): (EntityId, &Entity),
    attribute: &Attribute,
    relation: EntityId,
) {
    let session = instance.session;
    let above = parents(instance, contents, relation);
    // Nothing above anything has changed: only rows that changed themselves are looked at.
    let all = contents.differs(relation);
    let name = &attribute.name.value;
    let Some(own_id) = &entity.id else {
        return;
    };
    for index in 0..contents.members.len() {
        let Some(member) = contents.members.get(index) else {
            continue;
        };
        let asked = member.record.entity == id && member.is_there() && (all || member.is_changed());
        let Some(own) = text(&member.record.values, own_id).filter(|_| asked) else {
            continue;
        };
        let mut record = member.record.clone();
        let conditions = Conditions::new(session.model(), &record.values, &session.around);
        let allowed = attribute
            .presence
            .only_if
            .as_ref()
            .is_none_or(|only| conditions.holds(entity, only) != Some(false));
        match allowed {
            true => {
                let roots = roots(&above, &own);
                if let Some(root) = chosen(entity, &record, name, &roots) {
                    record
                        .values
                        .insert(name.clone(), AttributeValue::S(root.clone()));
                }
            }
            false => {
                record.values.remove(name);
            }
        }
        replace(contents, index, record);
    }
}

/// The first ends of a relation, by their second ends.
fn parents(
    instance: &Instance<'_>,
    contents: &Contents,
    relation: EntityId,
) -> BTreeMap<String, Vec<String>> {
    let mut above: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let Some(ends) = &instance.session.entity(relation).relation else {
        return above;
    };
    for member in contents.rows(relation) {
        let values = &member.record.values;
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
    let others = crate::anatomy::references(entity)
        .map(|(attribute, _)| attribute.name.value.as_str())
        .filter(|other| *other != name);
    let named = others.filter_map(|other| text(&record.values, other));
    let before = text(&record.values, name);
    named
        .chain(before)
        .find_map(|known| roots.get(&known))
        .or_else(|| roots.first())
}
