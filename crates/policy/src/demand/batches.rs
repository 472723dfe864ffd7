//! Batches and transactions.
//!
//! A batch is one access for each table, with the keys of all its items. A transaction has no action of its own: each of
//! its items is an access of the operation on that item, which says what it is part of.

use super::item_access::{ItemAccess, word};
use monotable_api::{
    BatchGetItemInput, BatchWrite, BatchWriteItemInput, Chosen, Error, OperationName,
    ReturnValuesOnConditionCheckFailure, TransactAction, TransactGetItemsInput, TransactWrite,
    TransactWriteItem, TransactWriteItemsInput,
};
use monotable_item::EncodedItem;

pub(super) fn batch_get(input: &BatchGetItemInput) -> Result<Vec<ItemAccess>, Error> {
    let tables = input.clone().validate()?.tables;
    let accesses = tables.into_iter().map(|table| {
        ItemAccess::new("BatchGetItem", table.table)
            .items(table.keys)
            .projection(table.projection.as_ref())
            .capacity(word(&input.return_consumed_capacity))
    });
    Ok(accesses.collect())
}

pub(super) fn batch_write(input: &BatchWriteItemInput) -> Result<Vec<ItemAccess>, Error> {
    let tables = input.clone().validate()?.tables;
    let accesses = tables.into_iter().map(|table| {
        let items = table.writes.into_iter().map(|write| match write {
            BatchWrite::Put(item) | BatchWrite::Delete(item) => item,
        });
        ItemAccess::new("BatchWriteItem", table.table)
            .items(items.collect::<Vec<EncodedItem>>())
            .capacity(word(&input.return_consumed_capacity))
    });
    Ok(accesses.collect())
}

pub(super) fn transact_get(input: &TransactGetItemsInput) -> Result<Vec<ItemAccess>, Error> {
    let gets = input.clone().validate()?.gets;
    let accesses = gets.into_iter().map(|get| {
        ItemAccess::new("GetItem", get.table)
            .item(get.key)
            .projection(get.projection.as_ref())
            .capacity(word(&input.return_consumed_capacity))
            .within(OperationName::TransactGetItems.as_str())
    });
    Ok(accesses.collect())
}

pub(super) fn transact_write(input: &TransactWriteItemsInput) -> Result<Vec<ItemAccess>, Error> {
    let actions = input.clone().validate()?.actions;
    let given = input.transact_items.iter().flatten();
    let accesses = actions.into_iter().zip(given).map(|(action, given)| {
        transact_action(action)
            .returns(None, on_failure(given))
            .capacity(word(&input.return_consumed_capacity))
            .within(OperationName::TransactWriteItems.as_str())
    });
    Ok(accesses.collect())
}

fn transact_action(action: TransactAction) -> ItemAccess {
    let table = action.table;
    match action.write {
        TransactWrite::Put { item, condition } => ItemAccess::new("PutItem", table)
            .item(item)
            .condition(condition.as_ref()),
        TransactWrite::Update {
            key,
            update,
            condition,
        } => ItemAccess::new("UpdateItem", table)
            .item(key)
            .update(Some(&update))
            .condition(condition.as_ref()),
        TransactWrite::Delete { key, condition } => ItemAccess::new("DeleteItem", table)
            .item(key)
            .condition(condition.as_ref()),
        TransactWrite::ConditionCheck { key, condition } => {
            ItemAccess::new("ConditionCheckItem", table)
                .item(key)
                .condition(Some(&condition))
        }
    }
}

/// What the one action of an element returns when its condition fails.
fn on_failure(item: &TransactWriteItem) -> &Option<Chosen<ReturnValuesOnConditionCheckFailure>> {
    let check = item.condition_check.as_ref();
    let check = check.map(|check| &check.return_values_on_condition_check_failure);
    let put = item.put.as_ref();
    let put = put.map(|put| &put.return_values_on_condition_check_failure);
    let delete = item.delete.as_ref();
    let delete = delete.map(|delete| &delete.return_values_on_condition_check_failure);
    let update = item.update.as_ref();
    let update = update.map(|update| &update.return_values_on_condition_check_failure);
    check.or(put).or(delete).or(update).unwrap_or(&None)
}
