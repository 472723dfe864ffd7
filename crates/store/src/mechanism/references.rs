//! References: the rows they name must be there, and be what the model says, in the same transaction.

pub(crate) mod verify;

mod before;

use crate::address::Address;
use crate::change::{CauseKind, ItemChange, Run};
use crate::draft::{Action, Blame, Demand, Draft};
use crate::error::Error;
use crate::field_error::{FieldError, Problem};
use crate::find;
use crate::interrupt::Interrupt;
use crate::profile::{references, stored_name};
use crate::reader::Reader;
use crate::record::{Conditions, Record, is_buried, reference_values};
use crate::scope::Scope;
use before::Before;
use monotable_expr::predicate::{Meaning, Translation};
use monotable_expr::tree::DocumentPath;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{
    Assigned, Attribute, Default, Entity, EntityId, Field, Model, Move, MoveKind, OnDelete,
    Predicate, Reference, Source, Template,
};
use std::collections::BTreeMap;

/// How often an index is asked for a row that may just have been written.
const LOOKS: u32 = 4;

/// Whether a change is of rows that refer to others.
pub(crate) fn concern(scope: &Scope, change: &ItemChange) -> bool {
    let mut rows = change.new_rows();
    rows.any(|row| references(scope.entity(row.entity)).next().is_some())
}

/// Adds the demands on the rows that the rows of an item refer to; those that it referred to before are left alone, unless
/// they can be moved away with this one.
pub(crate) async fn apply(run: &mut Run<'_>, change: &ItemChange) -> Result<(), Interrupt> {
    // What a row referred to that was in the bin may be gone since.
    let mut known: Vec<&Record> = match change.kind() {
        CauseKind::MovedBack => Vec::new(),
        _ => change.old_rows().collect(),
    };
    let reader = run.reader;
    // What moves along is not yet, or no longer, where its references lead.
    let asks_place = !matches!(change.kind(), CauseKind::Rekeyed | CauseKind::Carried);
    for row in change.new_rows() {
        let before = Before {
            known: &known,
            asks_place,
        };
        demand(&reader, (run.draft, &run.moved), row, &before).await?;
        known.push(row);
    }
    Ok(())
}

async fn demand(
    reader: &Reader<'_>,
    (draft, moved): (&mut Draft, &BTreeMap<Address, Address>),
    row: &Record,
    before: &Before<'_>,
) -> Result<(), Interrupt> {
    let entity = reader.entity(row.entity);
    for (attribute, reference) in references(entity) {
        // Versioned rows are looked up in their snapshot, by the commit.
        if reference.missing_warns || reader.model().repository_of(reference.target).is_some() {
            continue;
        }
        let is_moved = is_moved(reader.model(), reference);
        let mut unplaced = Vec::new();
        for id in reference_values(attribute, row) {
            if !is_moved && before.refers(reader, row, (attribute, reference), &id) {
                continue;
            }
            match reader.target_address(row, reference.target, &id) {
                // It is the row that moves, and this one moves with it.
                Some(address) if moved.values().any(|to| *to == address) => {}
                Some(address) => {
                    let place = find::stored_place(reader, draft, reference.target, address);
                    let address = Box::pin(place).await?;
                    let action = on_target(reader, row, attribute, reference, &address)?;
                    draft.add(address, action)?;
                }
                None if is_put(reader, draft, reference.target, &id) => {}
                None => unplaced.push(id),
            }
        }
        if !unplaced.is_empty() {
            let found = look_up(reader, draft, row, attribute, reference, unplaced);
            Box::pin(found).await?;
        }
    }
    Ok(())
}

/// Whether the same transaction puts the row with an id.
fn is_put(scope: &Scope, draft: &Draft, target: EntityId, id: &AttributeValue) -> bool {
    let declared = scope.entity(target);
    let Some(name) = &declared.id else {
        return false;
    };
    let mut rows = draft
        .puts(declared.table)
        .filter_map(|item| scope.decode(declared.table, item));
    rows.any(|row| row.entity == target && row.values.get(name) == Some(id))
}

/// Whether rows of an entity can be moved away with what belongs to them: while that goes on, nothing of it is written.
pub(super) fn is_moved(model: &Model, reference: &Reference) -> bool {
    let mut moves = model.moves.iter();
    let away = |declared: &Move| matches!(declared.kind, MoveKind::To { .. });
    reference.on_delete == OnDelete::Cascade
        && moves.any(|declared| declared.of == reference.target && away(declared))
}

/// What a reference demands of the row that stands at the place it names.
fn on_target(
    scope: &Scope,
    row: &Record,
    attribute: &Attribute,
    reference: &Reference,
    address: &Address,
) -> Result<Action, Interrupt> {
    let mention = scope.mention_by(attribute, address);
    let missing = scope.no_referred(row.entity, attribute, mention);
    let present = Action::check().demand(Demand::Present, missing);
    on_present(scope, row, attribute, reference, address, present)
}

/// What a reference demands of a row beside that it is there.
fn on_present(
    scope: &Scope,
    row: &Record,
    attribute: &Attribute,
    reference: &Reference,
    address: &Address,
    mut action: Action,
) -> Result<Action, Interrupt> {
    let target = scope.entity(reference.target);
    let name = &target.name.value;
    if let Some(alive) = demand_alive(target) {
        let mention = scope.mention_by(attribute, address);
        let missing = scope.no_referred(row.entity, attribute, mention);
        action = action.demand(alive, missing);
    }
    if let Some(deleting) = &scope.profile(reference.target).deleting {
        let failure = Error::being_deleted(name, scope.mention(reference.target, address));
        action = action.demand(Demand::is(deleting, None), failure);
    }
    if let Some(same) = &reference.same
        && let Some(own) = row.values.get(&same.value)
    {
        let problem = Problem::Wrong {
            wanted: format!("a {name} of the same `{}`", same.value),
        };
        let error = FieldError::new(&attribute.name.value, problem);
        let stored = stored_name(target, &same.value);
        let always = target
            .attribute(&same.value)
            .is_some_and(Attribute::is_always_present);
        let demand = if always {
            Demand::is(stored, Some(own.clone()))
        } else {
            Demand::AbsentOrIs {
                attribute: stored,
                value: own.clone(),
            }
        };
        action = action.demand(demand, scope.refused(row.entity, vec![error]));
    }
    if let Some(filter) = &reference.filter {
        let error = scope.refused(row.entity, vec![not_such(attribute, filter)]);
        match condition(scope, reference.target, filter)? {
            Translation::Always(true) => {}
            Translation::Always(false) => return Err(error.into()),
            Translation::Condition(condition) => {
                action = action.demand(Demand::Holds(condition), error);
            }
        }
    }
    Ok(action)
}

/// Demands that a row has no tombstone: one that is deleted and kept is not there.
fn demand_alive(target: &Entity) -> Option<Demand> {
    let first = target.tombstone.first()?;
    let attribute = stored_name(target, &first.name.value);
    Some(match first.value {
        Assigned::Flag(flag) => Demand::AbsentOrIs {
            attribute,
            value: AttributeValue::Bool(!flag),
        },
        Assigned::Number(_) | Assigned::Template(_) => Demand::is(attribute, None),
    })
}

fn not_such(attribute: &Attribute, filter: &Predicate) -> FieldError {
    let wanted = format!("one with {filter}");
    FieldError::new(&attribute.name.value, Problem::Wrong { wanted })
}

/// A predicate over rows of an entity as a condition of DynamoDB's.
fn condition(scope: &Scope, entity: EntityId, predicate: &Predicate) -> Result<Translation, Error> {
    use monotable_expr::predicate::Root;
    let declared = scope.entity(entity);
    let circumstances = &scope.circumstances;
    let known = |value: Option<AttributeValue>| match value {
        Some(value) => Meaning::Value(value),
        None => Meaning::Absent,
    };
    let resolve = |path: &monotable_expr::predicate::Path| match (path.root(), path.first_name()) {
        (None | Some(Root::New | Root::Old), Some(name)) => {
            let stored = DocumentPath::new(stored_name(declared, name));
            let rest = path.steps().iter().skip(1).cloned();
            Meaning::Attribute(rest.fold(stored, DocumentPath::with))
        }
        (Some(Root::Principal), Some(name)) => known(circumstances.principal.get(name).cloned()),
        (Some(Root::Setting), Some(name)) => known(circumstances.setting(scope.model(), name)),
        (Some(Root::Tenant), _) => known(circumstances.tenant.clone().map(AttributeValue::S)),
        (Some(Root::Now), _) => known(Some(AttributeValue::S(circumstances.now_text()))),
        _ => Meaning::Unknown,
    };
    let translated = predicate.parsed().to_condition(resolve);
    translated.map_err(|error| Error::usage(format!("`{predicate}` cannot be asked here: {error}")))
}

/// Rows whose key the reference does not tell: looked up by their ids, and judged by what was read. Where an index is
/// asked, a row that was written a moment ago may not be there yet, so it is asked again before the row counts as missing.
async fn look_up(
    reader: &Reader<'_>,
    draft: &mut Draft,
    row: &Record,
    attribute: &Attribute,
    reference: &Reference,
    ids: Vec<AttributeValue>,
) -> Result<(), Interrupt> {
    let mut missing = ids;
    for attempt in 0..LOOKS {
        if attempt > 0 {
            reader.steps.wait(attempt).await;
        }
        let found = find::by_ids(reader, reference.target, &row.values, &missing).await?;
        let mut still = Vec::new();
        for (id, rows) in missing.into_iter().zip(found) {
            let target = reader.entity(reference.target);
            let mut alive = rows
                .into_iter()
                .filter(|row| !is_buried(target, &row.values));
            match alive.next() {
                Some(target) => accept(reader, draft, row, attribute, reference, &target)?,
                None => still.push(id),
            }
        }
        missing = still;
        if missing.is_empty() {
            return Ok(());
        }
    }
    let mention = reader.mention_ids(attribute, &missing);
    let refused = reader.no_referred(row.entity, attribute, mention);
    Err(refused.into())
}

fn accept(
    scope: &Scope,
    draft: &mut Draft,
    row: &Record,
    attribute: &Attribute,
    reference: &Reference,
    target: &Record,
) -> Result<(), Interrupt> {
    if let Some(filter) = &reference.filter {
        let conditions = Conditions::new(scope.model(), &target.values, &scope.circumstances);
        if conditions.holds(scope.entity(target.entity), filter) == Some(false) {
            return Err(scope
                .refused(row.entity, vec![not_such(attribute, filter)])
                .into());
        }
    }
    // A reference that may dangle later need not be certain now.
    if reference.on_delete == OnDelete::Keep {
        return Ok(());
    }
    let address = scope.row_address(target)?;
    let action = on_present(
        scope,
        row,
        attribute,
        reference,
        &address,
        still(scope, target),
    )?;
    draft.add(address, action)
}

/// Demands that a row that was looked up by its id still stands where it was found. If it has moved, the operation begins
/// anew and looks again.
fn still(scope: &Scope, found: &Record) -> Action {
    let entity = scope.entity(found.entity);
    let action = Action::check().demand(Demand::Present, Blame::Changed);
    let of_key = entity.key_attributes();
    let id = entity.id.as_deref().filter(|id| !of_key.contains(id));
    let Some((id, value)) = id.and_then(|id| Some((id, found.values.get(id)?))) else {
        return action;
    };
    // Another row may have taken its place. Old rows hold their id in a key of an index only.
    let demand = Demand::AbsentOrIs {
        attribute: stored_name(entity, id),
        value: value.clone(),
    };
    action.demand(demand, Blame::Changed)
}

/// The rows that templates and rules of a row look into through references: their values by the reference's name.
pub(crate) async fn looked_into(
    reader: &Reader<'_>,
    draft: &Draft,
    entity: EntityId,
    given: &Item,
) -> Result<BTreeMap<String, Item>, Interrupt> {
    let declared = reader.entity(entity);
    let mut wanted: Vec<(&Attribute, &Reference)> = Vec::new();
    let looks = &reader.profile(entity).lookups;
    wanted.extend(references(declared).filter(|(known, _)| looks.contains(&known.name.value)));
    for attribute in &declared.attributes {
        let absent = given.get(&attribute.name.value).is_none();
        let default = match &attribute.default {
            Some(Default::Template(template)) if absent => Some(template),
            _ => None,
        };
        for template in attribute.computed.iter().chain(default) {
            for name in through(template) {
                let found = references(declared).find(|(known, _)| known.name.value == name);
                if let Some(found) = found
                    && !wanted.iter().any(|(known, _)| known.name.value == name)
                {
                    wanted.push(found);
                }
            }
        }
    }
    if wanted.is_empty() {
        return Ok(BTreeMap::new());
    }
    let record = Record {
        entity,
        values: given.clone(),
    };
    let mut asked = Vec::new();
    for (attribute, reference) in wanted {
        let id = reference_values(attribute, &record).into_iter().next();
        let address = id.and_then(|id| reader.target_address(&record, reference.target, &id));
        if let Some(address) = address {
            asked.push((attribute, address));
        }
    }
    let addresses: Vec<_> = asked.iter().map(|(_, address)| address.clone()).collect();
    let items = Box::pin(reader.stored_many(draft, &addresses)).await?;
    let mut rows = BTreeMap::new();
    for ((attribute, address), item) in asked.into_iter().zip(items) {
        let row = item.and_then(|item| reader.decode(address.table(), &item));
        let key = || reader.mention_by(attribute, &address);
        let row = row.ok_or_else(|| reader.no_referred(entity, attribute, key()))?;
        rows.insert(attribute.name.value.clone(), row.values);
    }
    Ok(rows)
}

/// The references that a template looks through.
fn through(template: &Template) -> Vec<String> {
    let sources = template.fields().flat_map(|field: &Field| &field.sources);
    let names = sources.filter_map(|source| match source {
        Source::Path {
            root: None, names, ..
        } if names.len() > 1 => names.first().map(|name| name.value.clone()),
        _ => None,
    });
    names.collect()
}
