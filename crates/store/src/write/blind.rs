//! Changes of rows that are not read first: one write, on the condition that the row is as the model writes rows.

use crate::address::Address;
use crate::allowed::Allowed;
use crate::draft::{Demand, Edit, request_changed_item};
use crate::error::Error;
use crate::execute::unexpected;
use crate::interrupt::Interrupt;
use crate::profile::{BlindUpdate, Expectation};
use crate::reader::Reader;
use crate::record::{self, Change, Record, StoredRow};
use crate::rights::Gate;
use crate::scope::{Mode, Scope};
use crate::sending::Answer;
use monotable_api::{Error as ServiceError, Response};
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::model::{Entity, EntityId};

/// Changes the row with this key by one write, and gives back the row as it is then. None: nothing was written. Then
/// something depends on what the row was, or it is not what is expected of a row, and the usual way finds out what that means.
pub(super) async fn update_unread(
    reader: &Reader<'_>,
    entity: EntityId,
    key: &Item,
    change: &Change,
) -> Result<Option<Allowed<Record>>, Interrupt> {
    let Some(blind) = find_applicable(reader, entity, key) else {
        return Ok(None);
    };
    let Some(edit) = make_edit(reader, entity, blind, change) else {
        return Ok(None);
    };
    let address = reader.address(entity, key)?;
    let demands = expect(reader, blind, key, &edit);
    let request = || request_changed_item(reader.model(), &address, &edit, &demands);
    let read = |answer| read_answer(reader, entity, &address, answer);
    let Some(row) = reader.steps.ask(request, read).await? else {
        return Ok(None);
    };
    let seen = Gate::see_stored(reader, row).await?;
    Ok(seen.map(Allowed::into_record))
}

/// The row as the answer shows it; none if it was not what was expected of it, and nothing was written.
fn read_answer(
    scope: &Scope,
    entity: EntityId,
    address: &Address,
    answer: Answer,
) -> Result<Option<StoredRow>, Interrupt> {
    match answer.result {
        Ok(Response::UpdateItem(output)) => {
            let row = read_changed(scope, entity, address, output.attributes)?;
            Ok(Some(row))
        }
        Ok(other) => Err(unexpected(&other).into()),
        Err(ServiceError::ConditionalCheckFailedException { .. }) => Ok(None),
        Err(error) => Err(Error::service(error).into()),
    }
}

/// How a row is changed without being read, if nothing about this call needs the row: rights are asked of it, a token notes
/// the answer with the write, and a dry run holds the condition against it.
fn find_applicable<'s>(scope: &'s Scope, entity: EntityId, key: &Item) -> Option<&'s BlindUpdate> {
    let profile = scope.profile(entity);
    let names_row =
        profile.key.len() == key.len() && profile.key.iter().all(|name| key.get(name).is_some());
    let is_free = !scope.asks_rights() && scope.token.is_none() && scope.mode != Mode::DryRun;
    profile.blind.as_ref().filter(|_| is_free && names_row)
}

/// What is written. None: the row decides about some of it, or something is wrong with it.
fn make_edit(
    scope: &Scope,
    entity: EntityId,
    blind: &BlindUpdate,
    change: &Change,
) -> Option<Edit> {
    if !change.add.is_empty() || !change.append.is_empty() {
        return None;
    }
    let declared = scope.entity(entity);
    let mut edit = Edit::default();
    for (name, value) in change.set.iter() {
        if *value == AttributeValue::Null {
            remove(declared, blind, name, &mut edit)?;
            continue;
        }
        let attribute = declared
            .attribute(name)
            .filter(|_| blind.changeable.contains(name))?;
        let value = record::accepted_value(attribute, value.clone()).ok()?;
        edit.set.insert(attribute.stored.clone(), value);
    }
    for name in &change.unset {
        remove(declared, blind, name, &mut edit)?;
    }
    if edit.set.is_empty() && edit.remove.is_empty() {
        return None;
    }
    for (stored, kind) in &blind.touched {
        let now = record::time(kind, &scope.circumstances, 0)?;
        edit.set.insert(stored.clone(), now);
    }
    Some(edit)
}

/// Adds that an attribute goes, if it may be absent and is not set at once.
fn remove(declared: &Entity, blind: &BlindUpdate, name: &str, edit: &mut Edit) -> Option<()> {
    let attribute = declared.attribute(name).filter(|attribute| {
        let is_set = edit.set.get(&attribute.stored).is_some();
        attribute.presence.optional && blind.changeable.contains(name) && !is_set
    })?;
    edit.remove.insert(attribute.stored.clone());
    Some(())
}

/// What is demanded of the row, but for what is set anyway.
fn expect(scope: &Scope, blind: &BlindUpdate, key: &Item, edit: &Edit) -> Vec<Demand> {
    let history = scope.runtime.own.rows();
    let foreign: &[Expectation] = if history.is_some_and(|history| history.is_adopted) {
        &[]
    } else {
        &blind.of_foreign_rows
    };
    let mut demands = Vec::with_capacity(blind.expectations.len() + foreign.len());
    for expectation in blind.expectations.iter().chain(foreign) {
        let attribute = expectation.stored().to_owned();
        if edit.set.get(&attribute).is_some() {
            continue;
        }
        demands.push(match expectation {
            Expectation::Text { text, .. } => Demand::is(attribute, Some(text.as_str().into())),
            Expectation::OfKey { name, .. } => Demand::is(attribute, key.get(name).cloned()),
            Expectation::Typed { of, .. } => Demand::HasType { attribute, of: *of },
            Expectation::Absent { .. } => Demand::is(attribute, None),
        });
    }
    demands
}

/// The row that the answer shows.
fn read_changed(
    scope: &Scope,
    entity: EntityId,
    address: &Address,
    item: Option<EncodedItem>,
) -> Result<StoredRow, Error> {
    let lost = || Error::integrity("a change was answered without the row that it leaves");
    let item = item.ok_or_else(lost)?;
    let found = scope.decode_expected(address.table(), Some(entity), item.view());
    let record = found.filter(|record| record.entity == entity);
    let record = record.ok_or_else(lost)?;
    Ok(StoredRow { record, item })
}
