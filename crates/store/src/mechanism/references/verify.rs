//! Whether references lead to rows, and to such rows as the model says.

mod judge;
mod lookups;

pub(crate) use judge::judge;
pub(crate) use lookups::Lookups;

use crate::address::Address;
use crate::mechanism::claims::live_form;
use crate::profile::references;
use crate::read::has_tombstone;
use crate::record::{Record, reference_values};
use crate::scope::Scope;
use crate::verify::{FactSink, Fields, StatedRow, Topic};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{EntityId, KeyPlace, MoveKind, Reference, Way};
use monotable_model::span::Name;

/// A row that may be referred to.
const ROW: u8 = 0;
/// A row of a bin that was such a row, and can be again.
const AWAY: u8 = 1;
/// A row that refers to it.
const REFERS: u8 = 2;

/// States the row as a target, and what it refers to.
pub(crate) fn state(
    row: &StatedRow<'_>,
    scope: &Scope,
    lookups: &Lookups,
    facts: &mut dyn FactSink,
) {
    state_target(row, scope, lookups, facts);
    state_away(row, scope, lookups, facts);
    if !row.says_tenant {
        return;
    }
    for (attribute, reference) in references(scope.entity(row.record.entity)) {
        // Versioned rows are looked up in their snapshot.
        if scope.model().repository_of(reference.target).is_some() {
            continue;
        }
        for id in reference_values(attribute, row.record) {
            let target = scope.target_address(row.record, reference.target, &id);
            let subject = match &target {
                Some(target) => Fields::new().address(target),
                None => id_subject(scope, reference.target, &id),
            };
            let same = reference.same.as_ref();
            let same = same.and_then(|same| row.record.values.get(&same.value));
            let mut fields = Fields::new()
                .number(row.record.entity.index() as u64)
                .text(&attribute.name.value)
                .value(Some(&id))
                .value(same)
                .number(u64::from(has_tombstone(scope, row.record)))
                .number(u64::from(is_let_go(row, scope, reference)))
                .address(row.address)
                .number(u64::from(target.is_some()));
            for away in places_away(scope, row.record, reference.target, &id) {
                fields = fields.address(&away);
            }
            facts.state(Topic::References, subject, REFERS, fields);
        }
    }
}

/// Whether the pattern that finds the rows of a reference has let go of this one, because it is not in its index any more:
/// what it refers to may be deleted then.
fn is_let_go(row: &StatedRow<'_>, scope: &Scope, reference: &Reference) -> bool {
    let via = reference.via.map(|via| &scope.model().pattern(via).way);
    let Some(Way::Query { key, .. }) = via else {
        return false;
    };
    let KeyPlace::Index(position) = key.place else {
        return false;
    };
    let table = scope.model().table(row.address.table());
    let index = table.indexes.get(position);
    let is_absent = |name: &Name| row.item.get(&name.value).is_none();
    index.is_some_and(|index| {
        let mut further = index.attributes().skip(1);
        is_absent(&index.hash) || !index.further.is_empty() && further.any(is_absent)
    })
}

fn state_target(row: &StatedRow<'_>, scope: &Scope, lookups: &Lookups, facts: &mut dyn FactSink) {
    let entity = row.record.entity;
    let Some(wanted) = lookups.of(entity) else {
        return;
    };
    let mut values = Item::new();
    for name in &wanted.names {
        if let Some(value) = row.record.values.get(name) {
            values.insert(name.clone(), value.clone());
        }
    }
    let fields = Fields::new()
        .number(entity.index() as u64)
        .item(&values)
        .number(u64::from(has_tombstone(scope, row.record)))
        .address(row.address);
    if wanted.is_unplaced
        && let Some(id) = &scope.entity(entity).id
        && let Some(id) = row.record.values.get(id)
    {
        let subject = id_subject(scope, entity, id);
        facts.state(Topic::References, subject, ROW, fields.clone());
    }
    let subject = Fields::new().address(row.address);
    facts.state(Topic::References, subject, ROW, fields);
}

/// States a row of a bin where the row stood that it was. What referred to it there waits for it to come back.
fn state_away(row: &StatedRow<'_>, scope: &Scope, lookups: &Lookups, facts: &mut dyn FactSink) {
    let Some(live) = live_form(scope, row.record) else {
        return;
    };
    let Some(wanted) = lookups.of(live.entity) else {
        return;
    };
    let fields = Fields::new().number(live.entity.index() as u64);
    if wanted.is_unplaced
        && let Some(id) = &scope.entity(live.entity).id
        && let Some(id) = live.values.get(id)
    {
        let subject = id_subject(scope, live.entity, id);
        facts.state(Topic::References, subject, AWAY, fields.clone());
    }
    if let Ok(address) = scope.row_address(&live) {
        let subject = Fields::new().address(&address);
        facts.state(Topic::References, subject, AWAY, fields);
    }
}

/// A row that is known by its id alone.
fn id_subject(scope: &Scope, entity: EntityId, id: &AttributeValue) -> Fields {
    let key = scope.entity(entity).primary();
    let prefix = match key {
        Some(key) if key.global => "",
        _ => scope.addressing().prefix(),
    };
    Fields::new()
        .text("id")
        .text(prefix)
        .number(entity.index() as u64)
        .value(Some(id))
}

/// Where a row that is referred to stands in a bin, from where it can come back, as far as the referrer knows its key.
fn places_away(
    scope: &Scope,
    referrer: &Record,
    entity: EntityId,
    id: &AttributeValue,
) -> Vec<Address> {
    let Some(name) = &scope.entity(entity).id else {
        return Vec::new();
    };
    let moves = scope.model().moves.iter();
    let kinds = moves.filter_map(|declared| match &declared.kind {
        MoveKind::To { to, .. } if declared.of == entity => Some(*to),
        MoveKind::To { .. } | MoveKind::Changes { .. } => None,
    });
    let place = |to: EntityId| {
        let names = scope.entity(to).key_attributes().into_iter();
        let known = names.filter_map(|name| Some((name, referrer.values.get(name)?)));
        let mut key = Item::new();
        for (name, value) in known {
            key.insert(name, value.clone());
        }
        key.insert(name.as_str(), id.clone());
        scope.addressing().locate_row(to, &key).ok()
    };
    kinds.filter_map(place).collect()
}
