//! What requests cost, in DynamoDB's units.

use super::Target;
use super::Units;
use crate::address::Addressing;
use crate::circumstances::Circumstances;
use crate::request;
use crate::sending::Answer;
use monotable_api::{
    ConsumedCapacity, Request, Response, TransactWriteItem, UpdateItemInput, WriteRequest,
};
use monotable_item::{EncodedItem, Item};
use monotable_model::model::{Index, Projection, Table};

/// Bytes of a write unit.
const WRITE_UNIT: usize = 1024;

/// What a read cost, as the service says.
pub(super) fn count_answer(answer: &Answer) -> Vec<Units> {
    let all: Vec<&ConsumedCapacity> = match &answer.result {
        Ok(Response::GetItem(output)) => output.consumed_capacity.iter().collect(),
        Ok(Response::Query(output)) => output.consumed_capacity.iter().collect(),
        Ok(Response::BatchGetItem(output)) => output.consumed_capacity.iter().flatten().collect(),
        _ => Vec::new(),
    };
    let mut units = Vec::new();
    for capacity in all {
        let table = capacity.table_name.clone().unwrap_or_default();
        let mut read = |of: String, amount: Option<f64>| {
            let read = amount.unwrap_or(0.0);
            if read > 0.0 {
                let write = 0.0;
                units.push(Units { of, read, write });
            }
        };
        let own = capacity.table.as_ref().and_then(|own| own.capacity_units);
        read(table.clone(), own);
        let local = capacity.local_secondary_indexes.iter().flatten();
        let global = capacity.global_secondary_indexes.iter().flatten();
        for (index, capacity) in local.chain(global) {
            read(format!("{table}/{index}"), capacity.capacity_units);
        }
    }
    units
}

/// What a write would cost, from the items as they are and as they would be.
pub(super) async fn count_write(target: Target<'_>, request: &Request) -> Vec<Units> {
    let mut units = Vec::new();
    match request {
        Request::PutItem(input) => {
            let item = input.item.clone().and_then(|item| item.into_checked().ok());
            let change = Change::Put(item.map(|item| item.to_item()).unwrap_or_default());
            add(target, input.table_name.as_deref(), change, 1.0, &mut units).await;
        }
        Request::UpdateItem(input) => {
            let change = Change::Update(Box::new(input.clone()));
            add(target, input.table_name.as_deref(), change, 1.0, &mut units).await;
        }
        Request::DeleteItem(input) => {
            let key = input.key.clone().and_then(|key| key.into_checked().ok());
            let change = Change::Delete(key.map(|key| key.to_item()).unwrap_or_default());
            add(target, input.table_name.as_deref(), change, 1.0, &mut units).await;
        }
        Request::TransactWriteItems(input) => {
            for action in input.transact_items.iter().flatten() {
                if let Some((table, change)) = read_action(action) {
                    add(target, Some(&table), change, 2.0, &mut units).await;
                }
            }
        }
        Request::BatchWriteItem(input) => {
            for (table, writes) in input.request_items.iter().flatten() {
                for change in writes.iter().filter_map(read_batched) {
                    add(target, Some(table), change, 1.0, &mut units).await;
                }
            }
        }
        _ => {}
    }
    units
}

fn read_batched(write: &WriteRequest) -> Option<Change> {
    let put = write.put_request.as_ref().and_then(|put| put.item.as_ref());
    let delete = write.delete_request.as_ref();
    let delete = delete.and_then(|delete| delete.key.as_ref());
    let checked = |item: &monotable_item::GivenItem| {
        let item = item.clone().into_checked().ok()?;
        Some(item.to_item())
    };
    match (put, delete) {
        (Some(put), _) => checked(put).map(Change::Put),
        (None, Some(key)) => checked(key).map(Change::Delete),
        (None, None) => None,
    }
}

/// What a write does to an item.
enum Change {
    Put(Item),
    Update(Box<UpdateItemInput>),
    Delete(Item),
    Check(Item),
}

fn read_action(action: &TransactWriteItem) -> Option<(String, Change)> {
    let checked = |item: &Option<monotable_item::GivenItem>| {
        let item = item.clone()?.into_checked().ok()?;
        Some(item.to_item())
    };
    if let Some(put) = &action.put {
        return Some((put.table_name.clone()?, Change::Put(checked(&put.item)?)));
    }
    if let Some(delete) = &action.delete {
        return Some((
            delete.table_name.clone()?,
            Change::Delete(checked(&delete.key)?),
        ));
    }
    if let Some(check) = &action.condition_check {
        return Some((
            check.table_name.clone()?,
            Change::Check(checked(&check.key)?),
        ));
    }
    let update = action.update.as_ref()?;
    let input = UpdateItemInput {
        table_name: update.table_name.clone(),
        key: update.key.clone(),
        update_expression: update.update_expression.clone(),
        condition_expression: update.condition_expression.clone(),
        expression_attribute_names: update.expression_attribute_names.clone(),
        expression_attribute_values: update.expression_attribute_values.clone(),
        ..UpdateItemInput::default()
    };
    Some((update.table_name.clone()?, Change::Update(Box::new(input))))
}

async fn add(
    target: Target<'_>,
    name: Option<&str>,
    change: Change,
    times: f64,
    units: &mut Vec<Units>,
) {
    let tables = &target.model.model().tables;
    let table = tables
        .iter()
        .find(|table| Some(table.physical.as_str()) == name);
    let Some(table) = table else { return };
    let key = match &change {
        Change::Put(item) | Change::Delete(item) | Change::Check(item) => key_of(table, item),
        Change::Update(input) => {
            let key = input.key.clone().and_then(|key| key.into_checked().ok());
            key.map(|key| key.to_item()).unwrap_or_default()
        }
    };
    let before = stored(target, table, key.clone()).await;
    let after = match change {
        Change::Put(item) => Some(item),
        Change::Delete(_) => None,
        Change::Check(_) => before.clone(),
        Change::Update(input) => Some(apply_update(before.clone().unwrap_or(key), &input)),
    };
    let mut cost = |of: String, amount: u64| {
        let write = amount as f64 * times;
        if amount == 0 {
            return;
        }
        match units.iter_mut().find(|known| known.of == of) {
            Some(known) => known.write += write,
            None => units.push(Units {
                of,
                read: 0.0,
                write,
            }),
        }
    };
    let size = |item: &Option<Item>| {
        item.as_ref()
            .map_or(0, |item| EncodedItem::from(item).size())
    };
    let largest = size(&before).max(size(&after));
    cost(
        table.physical.clone(),
        (largest.div_ceil(WRITE_UNIT) as u64).max(1),
    );
    for index in &table.indexes {
        let of = format!("{}/{}", table.physical, index.physical);
        cost(of, in_index(table, index, before.as_ref(), after.as_ref()));
    }
}

fn key_of(table: &Table, item: &Item) -> Item {
    let mut key = Item::new();
    for name in std::iter::once(&table.hash).chain(&table.range) {
        if let Some(value) = item.get(&name.value) {
            key.insert(name.value.clone(), value.clone());
        }
    }
    key
}

/// The item that an update would change.
pub(super) async fn stored_for_update(target: Target<'_>, input: &UpdateItemInput) -> Option<Item> {
    let tables = &target.model.model().tables;
    let table = tables
        .iter()
        .find(|table| Some(&table.physical) == input.table_name.as_ref())?;
    let key = input.key.clone()?.into_checked().ok()?;
    stored(target, table, key.to_item()).await
}

async fn stored(target: Target<'_>, table: &Table, key: Item) -> Option<Item> {
    let mut tables = target.model.model().tables();
    let (id, _) = tables.find(|(_, known)| known.physical == table.physical)?;
    let circumstances = Circumstances::at_micros(0);
    let addressing = Addressing::new(target.model, &circumstances);
    let address = addressing.locate_item(id, &key)?;
    let request = request::get(target.model.model(), &address, true);
    let answer = target.executor.answer(request.into_request()).await;
    match answer.result {
        Ok(Response::GetItem(output)) => output.item.map(|item| item.to_item()),
        _ => None,
    }
}

/// The item after an update.
pub(super) fn apply_update(before: Item, input: &UpdateItemInput) -> Item {
    let Ok(valid) = input.clone().validate() else {
        return before;
    };
    let Some(update) = valid.update else {
        return before;
    };
    let encoded = EncodedItem::from(&before);
    match update.apply(encoded.view()) {
        Ok(after) => after.item.to_item(),
        Err(_) => before,
    }
}

/// Units of one index: nothing if what it holds does not change, one write if its key stays, two if it moves.
fn in_index(table: &Table, index: &Index, before: Option<&Item>, after: Option<&Item>) -> u64 {
    let held = |item: Option<&Item>| item.and_then(|item| projected(table, index, item));
    let (before, after) = (held(before), held(after));
    let units = |item: &Item| (EncodedItem::from(item).size().div_ceil(WRITE_UNIT) as u64).max(1);
    let key = |item: &Item| {
        let names = index.attributes();
        names
            .map(|name| item.get(&name.value).cloned())
            .collect::<Vec<_>>()
    };
    match (before, after) {
        (None, None) => 0,
        (Some(item), None) | (None, Some(item)) => units(&item),
        (Some(before), Some(after)) if before == after => 0,
        (Some(before), Some(after)) if key(&before) == key(&after) => {
            units(&before).max(units(&after))
        }
        (Some(before), Some(after)) => units(&before) + units(&after),
    }
}

/// What an index holds of an item; nothing if it lacks a key attribute.
fn projected(table: &Table, index: &Index, item: &Item) -> Option<Item> {
    let keys: Vec<&str> = index
        .attributes()
        .chain(std::iter::once(&table.hash))
        .chain(&table.range)
        .map(|name| name.value.as_str())
        .collect();
    if index
        .attributes()
        .any(|name| item.get(&name.value).is_none())
    {
        return None;
    }
    let kept = |name: &str| match &index.projection {
        Projection::All => true,
        Projection::Keys => keys.contains(&name),
        Projection::Include(names) => keys.contains(&name) || names.iter().any(|own| own == name),
    };
    let held = item.iter().filter(|(name, _)| kept(name));
    Some(
        held.map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
    )
}
